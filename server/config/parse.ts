// How the text of a setting becomes its value, and what is said when it cannot.

import { BlockList, isIP } from 'node:net'

import { z } from 'zod'

export interface Setting<T> {
  readonly env: string
  readonly doc: string
  /** Shown as `[secret]` by --print; may also come from the file named by `<env>_FILE`. */
  readonly secret?: true
  /** From the text of the environment; the default is what the empty environment gives. */
  readonly parse: z.ZodType<T, string | undefined>
}

/** What a table of settings comes to. */
export type Values<T extends Readonly<Record<string, Setting<unknown>>>> = Readonly<{
  [K in keyof T]: z.output<T[K]['parse']>
}>

export const setting = <T>(
  env: string,
  doc: string,
  parse: z.ZodType<T, string | undefined>,
  secret?: true
): Setting<T> => (secret ? { doc, env, parse, secret } : { doc, env, parse })

const said = (value: unknown): string => JSON.stringify(value)

const FLAGS: Readonly<Record<string, boolean>> = { '0': false, '1': true, false: false, true: true }

/** 0, 1, true or false. */
export const flag = z
  .string()
  .refine(text => text in FLAGS, { error: issue => `Expected 0 or 1, not ${said(issue.input)}.` })
  .transform(text => FLAGS[text]!)

export const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .default(String(fallback))
    .refine(text => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: issue => `Expected a whole number from ${min} to ${max}, not ${said(issue.input)}.`
    })
    .transform(Number)

export const text = (fallback: string) => z.string().default(fallback)

export const optional = z.string().min(1).optional()

export const oneOf = <const T extends string>(values: readonly T[], fallback: NoInfer<T>) =>
  z
    .string()
    .default(fallback)
    .refine(value => (values as readonly string[]).includes(value), {
      error: issue => `Expected one of ${values.join(', ')}, not ${said(issue.input)}.`
    })
    .transform(value => value as T)

/** Where the password may be in it, the message never repeats the value. */
export const address = (...protocols: string[]) =>
  z
    .string()
    .refine(value => protocols.includes(URL.parse(value)?.protocol ?? ''), {
      error: `Expected an address that starts with ${protocols.map(name => `${name}//`).join(' or ')}.`
    })
    .optional()

/** The same of a server, to which paths are added: without a slash at its end. */
export const base = (...protocols: string[]) =>
  address(...protocols).transform(value => value?.replace(/\/+$/, ''))

/** Comma-separated. */
const list = z
  .string()
  .default('')
  .transform(value =>
    value
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== '')
  )

const isNetwork = (entry: string): boolean => {
  const [base = '', bits, ...rest] = entry.split('/')
  const family = isIP(base)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  try {
    new BlockList().addSubnet(base, /^\d+$/.test(bits) ? Number(bits) : -1, family === 6 ? 'ipv6' : 'ipv4')
    return true
  } catch {
    return false
  }
}

const each = (valid: (entry: string) => boolean, expected: string) =>
  list.refine(entries => entries.every(valid), {
    error: issue => {
      const wrong = (issue.input as readonly string[]).filter(entry => !valid(entry))
      return `Expected ${expected}, not ${wrong.map(said).join(', ')}.`
    }
  })

/** Comma-separated. */
export const ports = (fallback: readonly number[]) =>
  each(
    entry => /^\d{1,5}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 65_535,
    'ports from 1 to 65535'
  ).transform(entries => (entries.length === 0 ? fallback : entries.map(Number)))

export const networks = each(isNetwork, 'addresses or CIDRs such as 10.0.0.0/8')

/** Or `*` for any. */
export const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.parse(text)?.origin === text)

export const origins = each(isOrigin, 'origins such as https://example.com, or *')

/** At most 253 characters, of labels that may stand in the DNS. */
export const hostName = z
  .string()
  .refine(value => /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9-]{1,63}$/i.test(value), {
    error: issue => `Expected the name of a host or domain, not ${said(issue.input)}.`
  })
  .transform(value => value.toLowerCase())
  .optional()

/** One segment of a path that needs no encoding, and no colon, which ends it in the credentials. */
export const pathSegment = z
  .string()
  .refine(value => /^[A-Za-z0-9._~-]{1,255}$/.test(value), {
    error: issue => `Expected 1 to 255 letters, digits, dots, dashes, ~ or _, not ${said(issue.input)}.`
  })
  .optional()

/** What goes into an HTTP header as it is. */
export const secretText = z
  .string()
  .refine(value => /^[\x21-\x7e]+$/.test(value), { error: 'Expected visible ASCII characters, no spaces.' })
  .optional()

/** A key that nobody guesses. */
export const longSecret = z
  .string()
  .refine(value => value.length >= 32, {
    error: 'Expected 32 characters or more, such as openssl rand -base64 32 makes.'
  })
  .optional()
