// The channels of this process: one line for each, and how a channel becomes the work of its queue.

import type { Channel as ChannelName } from '#protocol'

import type { Config } from '../config/config.ts'
import { dkimSignature } from '../config/email.ts'
import type { DatabaseGroup } from '../db/db.ts'
import type { Context } from '../process/context.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { Outcome } from '../queue/outcome.ts'
import { MAX_BATCH_BYTES, type DeliveryJob, type Attempt } from '../queue/queue-job.ts'
import { toChannel } from '../queue/queues.ts'
import { fetchJob } from '../send/attachments/fetch.ts'
import { forgetDevice } from '../users/devices.sql.ts'
import { preferencesLinkBuilder, unsubscribeLinkBuilder } from '../users/link-pages/link-token.ts'
import type { Channel, ChannelQueue, Delivery, DeliveryBody, Provider } from './channel.ts'
import { recordDeliveredCopies, readSends } from './deliveries.sql.ts'
import { returnPathOf } from './email/bounces/address.ts'
import { markAddress } from './email/bounces/bounces.sql.ts'
import { filesOf } from './email/email-files.ts'
import { emailChannel, type EmailMessage } from './email/email.ts'
import { smtpProvider } from './email/smtp.ts'
import { apnChannel } from './push/apns/message.ts'
import { fcmChannel } from './push/fcm/message.ts'
import { apn, fcm, webPush, type PushKit } from './push/providers.ts'
import { webPushChannel } from './push/web/message.ts'
import { emailSandbox } from './sandbox/provider.ts'
import { slackChannel } from './slack/message.ts'
import { slackProvider } from './slack/provider.ts'
import { callChannel } from './sms-call/call.ts'
import { callProvider, smsProvider } from './sms-call/providers.ts'
import { smsChannel } from './sms-call/sms.ts'

const CHANNELS: Readonly<Partial<Record<ChannelQueue, (context: ChannelKit) => Channel>>> = {
  CALL: context => callChannel({ ...context, provider: callProvider(context) }) as Channel,
  EMAIL: context =>
    emailChannel({
      ...context,
      files: filesOf(context.db),
      link: unsubscribeLinkBuilder(context.encryption, context.config),
      preferencesLink: preferencesLinkBuilder(context.encryption, context.config),
      provider: emailProvider(context),
      returnPath: returnPathOf(context.encryption, context.config)
    }) as Channel,
  SLACK: context => slackChannel({ ...context, provider: slackProvider(context) }) as Channel,
  SMS: context => smsChannel({ ...context, provider: smsProvider(context) }) as Channel,
  APN: context => apnChannel({ ...context, provider: apn(context) }) as Channel,
  FCM: context => fcmChannel({ ...context, provider: fcm(context) }) as Channel,
  WEB_PUSH: context => webPushChannel({ ...context, provider: webPush(context) }) as Channel
}

/** What each provider takes, where it says so. */
const PER_SECOND = {
  APN: 'apnsPerSecond',
  CALL: 'callPerSecond',
  EMAIL: 'emailPerSecond',
  FCM: 'fcmPerSecond',
  SLACK: 'slackPerSecond',
  SMS: 'smsPerSecond',
  WEB_PUSH: 'webPushPerSecond'
} as const satisfies Record<ChannelQueue, keyof Config>

export interface ChannelKit extends PushKit, Pick<Context, 'log' | 'renderer' | 'types'> {}

function emailProvider({ config, db }: ChannelKit): Provider<EmailMessage> {
  if (config.smtpUrl === undefined) return emailSandbox(db)
  const dkim = dkimSignature(config)
  return smtpProvider({ connections: config.emailConnections, url: config.smtpUrl, ...(dkim && { dkim }) })
}

/** Channels that can deliver, for real or into the sandbox; the inbox needs no provider. */
export const DELIVERABLE: ReadonlySet<ChannelName> = new Set(
  (Object.keys(CHANNELS) as ChannelQueue[]).map(queue => toChannel(queue) as ChannelName)
)

/** The work of every channel's queue, and of what comes before it. */
export const channelJobs = (context: ChannelKit): DeliveryJob[] => [
  ...Object.values(CHANNELS).map(open => {
    const channel = open(context)
    return deliveryJob(channel, MAX_BATCH_BYTES, context.config[PER_SECOND[channel.name]])
  }),
  fetchJob(context)
]

const STOPPED: Outcome = {
  code: 'stopped',
  detail: 'Its number has asked for no more messages.',
  kind: 'gone'
}

const EVERYTHING = Number.MAX_SAFE_INTEGER

/**
 * Makes the message of each claimed row from its send, and hands it to the channel's provider.
 *
 * @param batchBytes - of sends that are read in advance; the others are read when their try begins. Default: all of them
 * @param perSecond - tries that this process begins in a second. Default 0: any number
 */
export function deliveryJob<Message>(
  channel: Channel<Message>,
  batchBytes = EVERYTHING,
  attemptsPerSecond = 0
): DeliveryJob {
  const deliver = async (delivery: Delivery, group: DatabaseGroup, call: Attempt): Promise<Outcome> => {
    const made = await channel.makeMessage(delivery)
    if (!made.ok) return { code: made.code, detail: made.detail, kind: 'dead' }
    if (call.isTooLate()) return { kind: 'late' }
    const outcome = await channel.provider.send(made.message, delivery, call)
    const { device, to } = delivery.body
    // Before the row ends: after a crash between the two the provider says so again.
    if (outcome.kind === 'gone' && device) {
      await forgetDevice(group, delivery, { kind: device.kind, to }, outcome.asOf)
    }
    if (outcome.kind === 'dead' && outcome.badAddress) await markAddress(group.work, delivery, to, outcome)
    if ('reached' in outcome && outcome.reached?.length)
      await recordDeliveredCopies(group, delivery, outcome.reached)
    return outcome.kind === 'sent' ? { ...made.note, ...outcome } : outcome
  }
  return {
    close: () => channel.provider.close(),
    kind: 'delivery',
    queue: channel.name,
    attemptsPerSecond,
    async prepare(rows: readonly ClaimedRow[], group: DatabaseGroup) {
      // A row may bring its send along, where the log may have forgotten it by now.
      const bare = rows.filter(row => !sendIn(row.body))
      const [sends, stopped] = await Promise.all([
        readSends(group, bare, batchBytes),
        channel.readStopped?.(group, rows)
      ])
      const readAlone = async (row: ClaimedRow) =>
        (await readSends(group, [row], EVERYTHING)).get(row.sendId ?? '')
      return async (row, call) => {
        if (stopped?.has(row.id)) return STOPPED
        const body = row.body as DeliveryBody
        const send = sendIn(body) ?? sends.get(row.sendId ?? '') ?? (await readAlone(row))
        if (!send || row.sendId === null)
          return { code: 'no-send', detail: 'The send is gone.', kind: 'dead' }
        const { bucket, envId, id, sendId, userId } = row
        return deliver({ body, bucket, envId, id, send, sendId, userId }, group, call)
      }
    },
    maxBytes: batchBytes,
    // What may not be repeated is not held in advance: a crash could not tell it from what was under way.
    ...(channel.whenUncertain === 'dead' && { prefetch: 0 }),
    concurrency: channel.concurrency,
    timeoutMs: channel.timeoutMs,
    whenUncertain: channel.whenUncertain
  }
}

function sendIn(body: ClaimedRow['body']): Readonly<Record<string, unknown>> | undefined {
  const send = (body as DeliveryBody | null)?.['send']
  return typeof send === 'object' && send !== null ? (send as Readonly<Record<string, unknown>>) : undefined
}
