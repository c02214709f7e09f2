// Settings of email: the mail server, the sender, DKIM, and where bounces arrive.

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import { parseMailbox, type Mailbox } from '../core/mailbox.ts'
import { address, hostName, setting, whole, type Values } from './parse.ts'

/** Nodemailer accepts other kinds of keys, and then sends without a signature. */
const rsaKey = z
  .string()
  .transform(text => text.replaceAll(String.raw`\n`, '\n'))
  .refine(isRsaKey, { error: 'Expected an RSA private key of 1024 bits or more in PEM.' })
  .optional()

function isRsaKey(text: string): boolean {
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPrivateKey(text)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024
  } catch {
    return false
  }
}

export const EMAIL = {
  smtpUrl: setting(
    'NOTIF_SMTP_URL',
    'smtp(s)://user:password@host:port; unset: emails stay in the sandbox',
    address('smtp:', 'smtps:'),
    true
  ),
  emailFrom: setting(
    'NOTIF_EMAIL_FROM',
    'Sender if neither template nor send names one: an address, or `Name <user@example.com>`',
    z
      .string()
      .default('notifications@localhost')
      .refine(text => !text.includes('<') || parseMailbox(text) !== undefined, {
        error: 'Expected an address, or a name and an address: Name <user@example.com>.'
      })
  ),
  emailConnections: setting('NOTIF_EMAIL_CONNECTIONS', 'SMTP connections of one process', whole(5, 1, 100)),
  emailMaxBytes: setting(
    'NOTIF_EMAIL_MAX_BYTES',
    'Largest email that the mail server accepts, in bytes, encoded and with attachments; a larger one is not sent',
    whole(25 * 1024 * 1024, 10_000, 1024 * 1024 * 1024)
  ),
  bounceDomain: setting(
    'NOTIF_BOUNCE_DOMAIN',
    'Domain whose emails are passed to POST /callbacks/bounce; unset: bounces go to the sender address',
    hostName
  ),
  dkimKey: setting(
    'NOTIF_DKIM_KEY',
    'RSA key that signs emails (PEM); unset: emails are not signed here, the mail server may sign them',
    rsaKey,
    true
  ),
  dkimDomain: setting('NOTIF_DKIM_DOMAIN', 'Domain of the signature: that of the sender address', hostName),
  dkimSelector: setting(
    'NOTIF_DKIM_SELECTOR',
    'Name of the key: its public half is the TXT record SELECTOR._domainkey.DOMAIN',
    hostName
  )
} as const

type EmailConfig = Values<typeof EMAIL>

/** The sender of emails whose template and send name none. */
export const defaultSender = ({ emailFrom }: Pick<EmailConfig, 'emailFrom'>): Mailbox =>
  parseMailbox(emailFrom) ?? { address: emailFrom, name: '' }

/** The DKIM signature of outgoing emails (RFC 6376). */
export interface DkimKey {
  readonly domainName: string
  readonly keySelector: string
  /** RSA, PEM. */
  readonly privateKey: string
}

type DkimConfig = Pick<EmailConfig, 'dkimDomain' | 'dkimKey' | 'dkimSelector'>

/** @returns undefined if emails are not signed by this server */
export const dkimSignature = ({ dkimDomain, dkimKey, dkimSelector }: DkimConfig): DkimKey | undefined =>
  dkimDomain === undefined || dkimKey === undefined || dkimSelector === undefined
    ? undefined
    : { domainName: dkimDomain, keySelector: dkimSelector, privateKey: dkimKey }

/** The three DKIM settings are set together or not at all. */
export const emailProblems = (config: DkimConfig) => {
  const keys = ['dkimDomain', 'dkimKey', 'dkimSelector'] as const
  const given = keys.find(key => config[key] !== undefined)
  if (given === undefined) return []
  return keys
    .filter(key => config[key] === undefined)
    .map(key => ({ detail: `Required when ${EMAIL[given].env} is set.`, key }))
}
