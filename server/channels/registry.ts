// Lists the channels of a process with their providers, and turns each into the job of its queue.

import type { Channel as ChannelName } from '#protocol'

import type { Config } from '../config/config.ts'
import { dkimSignature } from '../config/email.ts'
import type { Context } from '../process/context.ts'
import { MAX_BATCH_BYTES, type DeliveryJob } from '../queue/queue-job.ts'
import { toChannel } from '../queue/queues.ts'
import { fetchJob } from '../send/attachments/fetch.ts'
import { preferencesLinkBuilder, unsubscribeLinkBuilder } from '../users/link-pages/link-token.ts'
import type { Channel, ChannelQueue, Provider } from './channel.ts'
import { createDeliveryJob } from './delivery-job.ts'
import { createReturnPaths } from './email/bounces/address.ts'
import { createFileLoader } from './email/email-files.ts'
import { createEmailChannel, type EmailMessage } from './email/email.ts'
import { openSmtpProvider } from './email/smtp.ts'
import { createApnChannel } from './push/apns/message.ts'
import { createFcmChannel } from './push/fcm/message.ts'
import {
  chooseApnProvider,
  chooseFcmProvider,
  chooseWebPushProvider,
  type PushContext
} from './push/providers.ts'
import { createWebPushChannel } from './push/web/message.ts'
import { openEmailSandbox } from './sandbox/provider.ts'
import { createSlackChannel } from './slack/message.ts'
import { openSlackProvider } from './slack/provider.ts'
import { createCallChannel } from './sms-call/call.ts'
import { openCallProvider, openSmsProvider } from './sms-call/providers.ts'
import { createSmsChannel } from './sms-call/sms.ts'

export interface ChannelContext extends PushContext, Pick<Context, 'log' | 'renderer' | 'types'> {}

const CHANNELS: Readonly<Partial<Record<ChannelQueue, (context: ChannelContext) => Channel>>> = {
  CALL: context => createCallChannel({ ...context, provider: openCallProvider(context) }) as Channel,
  EMAIL: context =>
    createEmailChannel({
      ...context,
      loadFiles: createFileLoader(context.db),
      buildUnsubscribeLink: unsubscribeLinkBuilder(context.encryption, context.config),
      buildPreferencesLink: preferencesLinkBuilder(context.encryption, context.config),
      provider: chooseEmailProvider(context),
      buildReturnPath: createReturnPaths(context.encryption, context.config)
    }) as Channel,
  SLACK: context => createSlackChannel({ ...context, provider: openSlackProvider(context) }) as Channel,
  SMS: context => createSmsChannel({ ...context, provider: openSmsProvider(context) }) as Channel,
  APN: context => createApnChannel({ ...context, provider: chooseApnProvider(context) }) as Channel,
  FCM: context => createFcmChannel({ ...context, provider: chooseFcmProvider(context) }) as Channel,
  WEB_PUSH: context =>
    createWebPushChannel({ ...context, provider: chooseWebPushProvider(context) }) as Channel
}

/** Settings that limit the attempts per second of each channel. */
const RATE_SETTINGS = {
  APN: 'apnsPerSecond',
  CALL: 'callPerSecond',
  EMAIL: 'emailPerSecond',
  FCM: 'fcmPerSecond',
  SLACK: 'slackPerSecond',
  SMS: 'smsPerSecond',
  WEB_PUSH: 'webPushPerSecond'
} as const satisfies Record<ChannelQueue, keyof Config>

function chooseEmailProvider({ config, db }: ChannelContext): Provider<EmailMessage> {
  if (config.smtpUrl === undefined) return openEmailSandbox(db)
  const dkim = dkimSignature(config)
  return openSmtpProvider({
    connections: config.emailConnections,
    url: config.smtpUrl,
    ...(dkim && { dkim })
  })
}

/** Channels with a provider or the sandbox. The inbox needs neither. */
export const DELIVERABLE_CHANNELS: ReadonlySet<ChannelName> = new Set(
  (Object.keys(CHANNELS) as ChannelQueue[]).map(queue => toChannel(queue) as ChannelName)
)

/** Returns the jobs of all channels, and the job that fetches attachments before them. */
export const channelJobs = (context: ChannelContext): DeliveryJob[] => [
  ...Object.values(CHANNELS).map(createChannel => {
    const channel = createChannel(context)
    return createDeliveryJob(channel, MAX_BATCH_BYTES, context.config[RATE_SETTINGS[channel.name]])
  }),
  fetchJob(context)
]
