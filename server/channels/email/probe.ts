// Probes the settings of email without sending any: the login at the mail server, and the DKIM key in the DNS.

import { createPrivateKey, createPublicKey } from 'node:crypto'

import { createTransport } from 'nodemailer'

import type { Config } from '../../config/config.ts'
import { dkimSignature, type DkimKey } from '../../config/email.ts'
import type { SmtpFault } from './smtp.ts'

export interface Probe {
  readonly probe: 'smtp' | 'dkim'
  /** `warning`: emails are sent, but perhaps not as intended. */
  readonly state: 'ok' | 'warning' | 'failed'
  /** For the operator. Contains no address and no secret, because /readyz shows it to everyone. */
  readonly detail: string
}

export type EmailSettings = Pick<Config, 'dkimDomain' | 'dkimKey' | 'dkimSelector' | 'smtpUrl'>

/** Like in node:dns/promises: the texts of a name, each in its chunks. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** @returns no results without a mail server, because emails then go into the sandbox */
export async function probeEmail(config: EmailSettings, resolve: ResolveTxt): Promise<Probe[]> {
  if (config.smtpUrl === undefined) return []
  const dkim = dkimSignature(config)
  return Promise.all([probeSmtp(config.smtpUrl), ...(dkim ? [probeDkim(dkim, resolve)] : [])])
}

/** For each of DNS, connection, greeting and answers. */
const TIMEOUT_MS = 10_000

async function findSmtpFault(url: string, requireTLS: boolean): Promise<SmtpFault | undefined> {
  const transport = createTransport({
    connectionTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    requireTLS,
    socketTimeout: TIMEOUT_MS,
    url
  })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error as SmtpFault
  } finally {
    transport.close()
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'rejects the user or the password',
  ECONNECTION: 'cannot be reached',
  EDNS: 'has no address in the DNS',
  ENOAUTH: 'requires a user and a password',
  ESOCKET: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
  ETLS: 'offers no encryption that this server supports'
}

/** Node's error codes for a certificate that is expired, for another host, or not signed by a known authority. */
const CERTIFICATE_CODES = /CERT|LEAF_SIGNATURE/

/** @param url - as in NOTIF_SMTP_URL */
export async function probeSmtp(url: string): Promise<Probe> {
  const fault = await findSmtpFault(url, false)
  if (fault) {
    const { code = 'ESMTP', originalCode = code, responseCode } = fault
    const reason = CERTIFICATE_CODES.test(originalCode) ? 'has an invalid certificate' : REASONS[code]
    const codes = responseCode === undefined ? originalCode : `${code}, ${responseCode}`
    const detail = `The mail server ${reason ?? 'rejects the login'} (${codes}).`
    return { probe: 'smtp', state: 'failed', detail }
  }
  const { password, protocol } = new URL(url)
  const isEncrypted = protocol !== 'smtp:' || (await findSmtpFault(url, true)) === undefined
  if (isEncrypted) return { probe: 'smtp', state: 'ok', detail: 'Signed in at the mail server, encrypted.' }
  return password === ''
    ? { probe: 'smtp', state: 'ok', detail: 'Connected to the mail server, without encryption.' }
    : {
        probe: 'smtp',
        state: 'warning',
        detail: 'Signed in at the mail server without encryption: the password can be read on the network.'
      }
}

const NO_RECORD_CODES = new Set(['ENOTFOUND', 'ENODATA'])

/** Compares the key that signs emails with its TXT record (RFC 6376, 3.6). */
export async function probeDkim(
  { domainName, keySelector, privateKey }: DkimKey,
  resolve: ResolveTxt
): Promise<Probe> {
  const name = `${keySelector}._domainkey.${domainName}`
  const spki = createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' })
  const key = spki.toString('base64')
  const record = `v=DKIM1; k=rsa; p=${key}`
  const warn = (detail: string): Probe => ({ probe: 'dkim', state: 'warning', detail })
  let texts: string[]
  try {
    texts = (await resolve(name)).map(chunks => chunks.join(''))
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return NO_RECORD_CODES.has(code)
      ? warn(`The TXT record ${name} is missing, so receivers reject the signature. Add: ${record}`)
      : warn(`The TXT record ${name} could not be read (${code}), so the DKIM key is not checked.`)
  }
  const published = texts.map(parseTags).filter(tags => tags.has('p'))
  if (published.some(tags => tags.get('p') === key)) {
    return { probe: 'dkim', state: 'ok', detail: `The TXT record ${name} contains the DKIM key.` }
  }
  const [tags] = published
  if (!tags) return warn(`The TXT record ${name} contains no key. It should be: ${record}`)
  return tags.get('p') === ''
    ? warn(`The TXT record ${name} revokes its key.`)
    : warn(`The TXT record ${name} contains another key than NOTIF_DKIM_KEY. It should be: ${record}`)
}

/** Parses `v=DKIM1; p=...`, with white space anywhere. */
const parseTags = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(';').flatMap(tag => {
      const [, name, value] = /^\s*(\w+)\s*=([^]*)$/.exec(tag) ?? []
      return name === undefined ? [] : [[name, value!.replaceAll(/\s+/g, '')] as const]
    })
  )
