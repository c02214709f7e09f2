// Names the provider of each queue as an operator knows it. Contains no secret and no account.

import { sendsWebPush, type Config } from '../config/config.ts'
import { chooseSmsProvider } from '../config/phone.ts'
import type { ChannelQueue } from './channel.ts'

/** Messages of this provider are kept and not sent. */
export const SANDBOX = 'sandbox'

const NAMES: Readonly<Record<ChannelQueue, (config: Config) => string | undefined>> = {
  APN: ({ apnsKey }) => apnsKey && 'apns',
  CALL: chooseSmsProvider,
  EMAIL: ({ smtpUrl }) => smtpUrl && new URL(smtpUrl).hostname,
  FCM: ({ fcmAccount }) => fcmAccount && 'fcm',
  SLACK: ({ slackUrl }) => slackUrl && 'slack',
  SMS: chooseSmsProvider,
  WEB_PUSH: config => (sendsWebPush(config) ? 'web-push' : undefined)
}

export const CHANNEL_QUEUES = [
  'EMAIL',
  'SMS',
  'CALL',
  'APN',
  'FCM',
  'WEB_PUSH',
  'SLACK'
] as const satisfies readonly ChannelQueue[]

/** @returns the host of the mail server, or the name of the provider; {@link SANDBOX} without one */
export const providerName = (queue: ChannelQueue, config: Config): string => NAMES[queue](config) ?? SANDBOX
