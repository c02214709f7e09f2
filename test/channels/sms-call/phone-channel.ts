// Opens the channel of SMS or calls that a server with these settings has.

import type { Channel } from '../../../server/channels/channel.ts'
import { createCallChannel } from '../../../server/channels/sms-call/call.ts'
import { openCallProvider, openSmsProvider } from '../../../server/channels/sms-call/providers.ts'
import { createSmsChannel } from '../../../server/channels/sms-call/sms.ts'
import type { Db } from '../../../server/db/db.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { typeSettings, type NotificationType, type Types } from '../../../server/types/type.ts'
import { testConfig } from '../../http/serve.ts'
import type { PhonePeer } from './phone-peer.ts'

const HELLO: NotificationType = {
  channels: ['SMS', 'CALL'],
  id: 'hello',
  settings: typeSettings.parse({}),
  subs: new Map(),
  templates: new Map(),
  title: 'Hello'
}
const TYPES: Types = {
  ensure: async () => HELLO,
  forget() {},
  get: async (_, id) => (id === 'hello' ? HELLO : undefined)
}

export function openPhoneChannel(peer: Pick<PhonePeer, 'env'>, kind: 'sms' | 'call', db: Db, env = {}) {
  const config = testConfig({ ...peer.env, ...env })
  const renderer = createRenderer(config)
  const options = { clock: Date.now, config, db, outbound: openOutbound({ config }) }
  const context = { config, renderer, types: TYPES }
  const channel =
    kind === 'sms'
      ? createSmsChannel({ ...context, db, provider: openSmsProvider(options) })
      : createCallChannel({ ...context, provider: openCallProvider(options) })
  return { channel: channel as Channel<unknown>, renderer }
}
