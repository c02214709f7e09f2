// Settings of e-mail: the mail server, who the mails are from, and where those come to that cannot be delivered.

import type { z } from 'zod'

import { address, hostName, setting, text, whole } from './parse.ts'

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
  )
} as const

export type MailConfig = Readonly<{ [K in keyof typeof MAIL]: z.output<(typeof MAIL)[K]['parse']> }>
