// Fixtures of the tests of mobile push: devices, content, and both subjects of the conformance tests.

import type { Channel, Delivery, Provider } from '../../../server/channels/channel.ts'
import { readMessages } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { uuidv7 } from '../../../server/core/id.ts'
import type { Db } from '../../../server/db/db.ts'
import type { Renderer } from '../../../server/types/templates/render.ts'
import type { DeviceInfo } from '../../../server/users/device.ts'
import { ENV } from '../../queue/test-queue.ts'
import type { Arrived, Subject } from '../conformance.ts'

type Kind = 'apn' | 'fcm'

/** A channel and its renderer. */
export interface Opened {
  readonly channel: Channel<unknown>
  readonly renderer: Renderer
}

export const buildSubject = (kind: Kind) => ({
  address: (n: number) => `token-${n}`,
  device: (n: number) => ({ kind, to: `token-${n}` }),
  inline: (text: string) => ({ mobile_push: { message: text, title: 'Hello' } })
})

/** @param info - fields of the device besides its kind */
export const buildPush = (
  kind: Kind,
  to: string,
  send: Record<string, unknown> = {},
  info: Partial<DeviceInfo> = {}
): Delivery => ({
  body: { device: { kind, ...info }, notificationId: 'hello', template: null, to },
  bucket: 1,
  envId: ENV,
  id: uuidv7(1),
  send: { mobile_push: { message: 'Gate 4', title: 'Boarding' }, to: { id: 'mei' }, type: 'hello', ...send },
  sendId: uuidv7(1),
  userId: 'mei'
})

/** For a channel that only builds messages. */
export const NO_PROVIDER: Provider<unknown> = { send: async () => ({ kind: 'sent' }) }

export const overPeer = (
  { channel, renderer }: Opened,
  peer: AsyncDisposable,
  { arrived, breakDown }: { arrived(): readonly Arrived[]; breakDown(down: boolean): void }
): Subject => ({
  arrived: async () => arrived(),
  breakDown,
  channel,
  async close() {
    await channel.provider.close?.()
    await renderer.close()
    await peer[Symbol.asyncDispose]()
  }
})

/** @param referenceIn - reads the reference of a stored message */
export const intoSandbox = (
  db: Db,
  { channel, renderer }: Opened,
  referenceIn: (raw: unknown) => string
): Subject => ({
  arrived: async () =>
    (await readMessages(db, { envId: ENV, limit: 200 })).messages.map(({ message }) => ({
      reference: referenceIn(JSON.parse(String(message['raw']))),
      text: String(message['text']),
      to: String(message['to'])
    })),
  channel,
  close: () => renderer.close()
})
