// Parsers of settings: turn the text of an environment variable into a value, or say what is expected.

import { BlockList, isIP } from 'node:net'
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { CLIENT_ID, isReservedId, RESERVED_ID } from './client-id.ts'

export interface Setting<T> {
  readonly env: string
  readonly doc: string
  /** Masked as `[secret]` by --print; may also come from the file that `<env>_FILE` names. */
  readonly secret?: true
  /** `undefined` as input gives the default. */
  readonly parse: z.ZodType<T, string | undefined>
}

export type Values<T extends Readonly<Record<string, Setting<unknown>>>> = Readonly<{
  [K in keyof T]: z.output<T[K]['parse']>
}>

export const setting = <T>(
  env: string,
  doc: string,
  parse: z.ZodType<T, string | undefined>,
  secret?: true
): Setting<T> => (secret ? { doc, env, parse, secret } : { doc, env, parse })

const quoted = (value: unknown): string => JSON.stringify(value)

const FLAGS: Readonly<Record<string, boolean>> = { '0': false, '1': true, false: false, true: true }

/** 0, 1, true or false. */
export const flag = z
  .string()
  .refine(text => text in FLAGS, { error: issue => `Expected 0 or 1, not ${quoted(issue.input)}.` })
  .transform(text => FLAGS[text]!)

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(text => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: issue => `Expected a whole number from ${min} to ${max}, not ${quoted(issue.input)}.`
    })
    .transform(Number)

export const whole = (fallback: number, min: number, max: number) =>
  z.string().default(String(fallback)).pipe(wholeNumber(min, max))

const MAX_PROCESSES = 128
/** Below this number of cores, one process and the database are enough for all of them. */
const MIN_CORES_FOR_AUTO = 4

const autoProcesses = (cores: number): number => (cores < MIN_CORES_FOR_AUTO ? 1 : cores - 1)

/** A number, or `auto`. */
export const processes = z
  .string()
  .default('1')
  .transform(value => (value === 'auto' ? String(autoProcesses(availableParallelism())) : value))
  .pipe(wholeNumber(1, MAX_PROCESSES))

export const wholeOrUnset = (min: number, max: number) => wholeNumber(min, max).optional()

export const text = (fallback: string) => z.string().default(fallback)

export const optional = z.string().min(1).optional()

export const oneOf = <const T extends string>(values: readonly T[], fallback: NoInfer<T>) =>
  z
    .string()
    .default(fallback)
    .refine(value => (values as readonly string[]).includes(value), {
      error: issue => `Expected one of ${values.join(', ')}, not ${quoted(issue.input)}.`
    })
    .transform(value => value as T)

/** The message never repeats the value, because an address may contain a password. */
export const address = (...protocols: string[]) =>
  z
    .string()
    .refine(value => protocols.includes(URL.parse(value)?.protocol ?? ''), {
      error: `Expected an address that starts with ${protocols.map(name => `${name}//`).join(' or ')}.`
    })
    .optional()

/** Hides the parts of an address that may be credentials: user, password, and the values of the query. */
export function maskAddress(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  // Only what is masked changes; other addresses stay as they were written.
  if (url.username === '' && url.password === '' && url.search === '') return text
  if (url.username !== '') url.username = '[secret]'
  if (url.password !== '') url.password = '[secret]'
  const values = [...url.searchParams.keys()].map(name => `${encodeURIComponent(name)}=[secret]`)
  url.search = ''
  const query = values.length === 0 ? '' : `?${values.join('&')}`
  return url.href.replaceAll('%5Bsecret%5D', '[secret]').replace(/(?=#|$)/, query)
}

/** Base address of a server, without the slash at its end. */
export const base = (...protocols: string[]) =>
  address(...protocols).transform(value => value?.replace(/\/+$/, ''))

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
      return `Expected ${expected}, not ${wrong.map(quoted).join(', ')}.`
    }
  })

export const ports = (fallback: readonly number[]) =>
  each(
    entry => /^\d{1,5}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 65_535,
    'ports from 1 to 65535'
  ).transform(entries => (entries.length === 0 ? fallback : entries.map(Number)))

export const networks = each(isNetwork, 'addresses or CIDRs such as 10.0.0.0/8')

/** An origin, or `*` for any. */
export const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.parse(text)?.origin === text)

export const origins = each(isOrigin, 'origins such as https://example.com, or *')

const isHostPattern = (text: string): boolean =>
  text === '*' || /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(text)

export const hostPatterns = each(isHostPattern, 'hosts in lower case without a port, *.domain, or *')

/** A DNS name of at most 253 characters (RFC 1035, 2.3.4). */
export const hostName = z
  .string()
  .refine(value => /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9-]{1,63}$/i.test(value), {
    error: issue => `Expected the name of a host or domain, not ${quoted(issue.input)}.`
  })
  .transform(value => value.toLowerCase())
  .optional()

/** A path segment that needs no encoding. Without a colon, which separates the parts of Basic credentials. */
export const clientId = z
  .string()
  .refine(value => CLIENT_ID.test(value), {
    error: issue => `Expected 1 to 255 letters, digits, dots, dashes, ~ or _, not ${quoted(issue.input)}.`
  })
  .refine(value => !isReservedId(value), { error: RESERVED_ID })
  .optional()

/** Text that fits into an HTTP header unchanged. */
export const secretText = z
  .string()
  .refine(value => /^[\x21-\x7e]+$/.test(value), { error: 'Expected visible ASCII characters, no spaces.' })
  .optional()

/** Shorter secrets can be guessed. The same bound holds for secrets that the API sets (environments/schema.ts). */
const MIN_SECRET_CHARACTERS = 16

/** A secret that the operator chooses; those of providers are {@link secretText}. */
export const ownSecret = z
  .string()
  .refine(value => value.length >= MIN_SECRET_CHARACTERS && /^[\x21-\x7e]+$/.test(value), {
    error: `Expected ${MIN_SECRET_CHARACTERS} or more visible ASCII characters, no spaces, such as openssl rand -base64 32 makes. Shorter secrets can be guessed.`
  })
  .optional()

export const longSecret = z
  .string()
  .refine(value => value.length >= 32, {
    error: 'Expected 32 characters or more, such as openssl rand -base64 32 makes.'
  })
  .optional()
