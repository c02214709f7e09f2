// The channels of this process: one line for each, and how a channel becomes the work of its lane.

import type { Channel as ChannelName } from '#protocol'

import type { Config } from '../config.ts'
import type { Group } from '../db/sql.ts'
import type { Kit } from '../kit.ts'
import type { Deliver } from '../queue/lane.ts'
import type { Claimed } from '../queue/outbox.ts'
import type { Outcome } from '../queue/outcome.ts'
import type { Channel, ChannelLane, Delivery, DeliveryBody, Provider } from './channel.ts'
import { emailChannel, type EmailMessage } from './email.ts'
import { emailSandbox } from './sandbox.ts'
import { smtpProvider } from './smtp.ts'
import { readSends } from './store.ts'

const CHANNELS: Readonly<Partial<Record<ChannelLane, (kit: ChannelKit) => Channel>>> = {
  EMAIL: kit => emailChannel({ ...kit, provider: emailProvider(kit) }) as Channel
}

export type ChannelKit = Pick<Kit, 'clock' | 'config' | 'db' | 'log' | 'renderer' | 'types'>

const emailProvider = ({ config, db }: ChannelKit): Provider<EmailMessage> =>
  config.smtpUrl === undefined
    ? emailSandbox(db)
    : smtpProvider({ connections: config.emailConnections, url: config.smtpUrl })

/** Channels that can deliver right now, for real or into the sandbox; the inbox needs no provider. */
export const providersOf = (_config: Config): ReadonlySet<ChannelName> =>
  new Set(Object.keys(CHANNELS) as ChannelName[])

/** The work of every channel's lane. */
export const channelLanes = (kit: ChannelKit): Deliver[] =>
  Object.values(CHANNELS).map(open => laneOf(open(kit)))

/** Makes the message of each claimed row from its send, and hands it to the channel's provider. */
export function laneOf<Message>(channel: Channel<Message>): Deliver {
  const deliver = async (delivery: Delivery, attempt: number, signal: AbortSignal): Promise<Outcome> => {
    const made = await channel.make(delivery)
    if (!made.ok) return { code: made.code, detail: made.detail, fate: 'dead' }
    return channel.provider.send(made.message, delivery, { attempt, signal })
  }
  return {
    close: () => channel.provider.close(),
    kind: 'deliver',
    name: channel.name,
    async prepare(rows: readonly Claimed[], group: Group) {
      // A row may bring its send along, where the log may have forgotten it by now.
      const sends = await readSends(
        group,
        rows.filter(row => !sendIn(row.body))
      )
      return async (row, { attempt, signal }) => {
        const body = row.body as DeliveryBody
        const send = sendIn(body) ?? sends.get(row.sendId ?? '')
        if (!send || row.sendId === null)
          return { code: 'no-send', detail: 'The send is gone.', fate: 'dead' }
        const { bucket, envId, id, sendId, userId } = row
        return deliver({ body, bucket, envId, id, send, sendId, userId }, attempt, signal)
      }
    },
    slots: channel.slots,
    timeout: channel.timeout,
    uncertain: channel.uncertain
  }
}

function sendIn(body: Claimed['body']): Readonly<Record<string, unknown>> | undefined {
  const send = (body as DeliveryBody | null)?.['send']
  return typeof send === 'object' && send !== null ? (send as Readonly<Record<string, unknown>>) : undefined
}
