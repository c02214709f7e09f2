// Settings of e-mail: the mail server, who the mails are from, and where those come to that cannot be delivered.

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import { address, hostName, setting, text, whole, type Values } from './parse.ts'

/** Other kinds of keys are taken by the mail library, which then sends without a signature. */
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

export const MAIL = {
  smtpUrl: setting(
    'NOTIF_SMTP_URL',
    'smtp(s)://user:password@host:port; unset: e-mail stays in the sandbox',
    address('smtp:', 'smtps:'),
    true
  ),
  emailFrom: setting(
    'NOTIF_EMAIL_FROM',
    'Sender address where neither template nor send names one',
    text('notifications@localhost')
  ),
  emailFromName: setting('NOTIF_EMAIL_FROM_NAME', 'Display name of that sender', text('')),
  emailConnections: setting('NOTIF_EMAIL_CONNECTIONS', 'SMTP connections of one process', whole(5, 1, 100)),
  bounceDomain: setting(
    'NOTIF_BOUNCE_DOMAIN',
    'Domain whose mail is handed to POST /callbacks/bounce; unset: bounces go to the sender address',
    hostName
  ),
  bounceBytes: setting(
    'NOTIF_BOUNCE_BYTES',
    'Bytes of a mail at POST /callbacks/bounce that are read; what it returns of ours comes after its report',
    whole(1024 * 1024, 10_000, 64 * 1024 * 1024)
  ),
  bounceDays: setting(
    'NOTIF_BOUNCE_DAYS',
    'How long after a send a report about it still marks the address, where the log has forgotten the send',
    whole(14, 0, 3650)
  ),
  bounceCopies: setting(
    'NOTIF_BOUNCE_COPIES',
    'Most reports about copies of its mail that are kept of one send: whoever got a mail could fill the disk otherwise',
    whole(300, 0, 100_000)
  ),
  dkimKey: setting(
    'NOTIF_DKIM_KEY',
    'RSA key that mails are signed with (PEM); unset: the mail server signs, or nobody',
    rsaKey,
    true
  ),
  dkimDomain: setting('NOTIF_DKIM_DOMAIN', 'Domain that signs: that of the sender address', hostName),
  dkimSelector: setting(
    'NOTIF_DKIM_SELECTOR',
    'Name of the key: its public half is the TXT record SELECTOR._domainkey.DOMAIN',
    hostName
  )
} as const

type MailConfig = Values<typeof MAIL>

/** What mails are signed with (RFC 6376). */
export interface DkimKey {
  readonly domainName: string
  readonly keySelector: string
  /** RSA, PEM. */
  readonly privateKey: string
}

type DkimConfig = Pick<MailConfig, 'dkimDomain' | 'dkimKey' | 'dkimSelector'>

/** @returns undefined: mails are not signed here */
export const dkimOf = ({ dkimDomain, dkimKey, dkimSelector }: DkimConfig): DkimKey | undefined =>
  dkimDomain === undefined || dkimKey === undefined || dkimSelector === undefined
    ? undefined
    : { domainName: dkimDomain, keySelector: dkimSelector, privateKey: dkimKey }

/** One of the three alone signs nothing. */
export const mailProblems = (config: DkimConfig) => {
  const keys = ['dkimDomain', 'dkimKey', 'dkimSelector'] as const
  const given = keys.find(key => config[key] !== undefined)
  if (given === undefined) return []
  return keys
    .filter(key => config[key] === undefined)
    .map(key => ({ detail: `${MAIL[given].env} needs it.`, key }))
}
