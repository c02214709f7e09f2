// The notification type of the push tests. Their sends have inline content.

import { typeSettings, type NotificationType, type Types } from '../../../server/types/type.ts'

export function typesFor(channel: 'PUSH' | 'WEB_PUSH' | 'SLACK'): Types {
  const hello: NotificationType = {
    channels: [channel],
    id: 'hello',
    settings: typeSettings.parse({}),
    subs: new Map(),
    templates: new Map([[channel, new Map()]]),
    title: 'Hello'
  }
  return {
    ensure: async () => hello,
    forget() {},
    get: async (_, id) => (id === 'hello' ? hello : undefined)
  }
}
