// What a send, and also a file of types, calls the content of each channel, and how its fields begin in a log record.

import type { Channel } from '#protocol'

export const INLINE = {
  CALL: 'call',
  EMAIL: 'email',
  INAPP_WEB: 'inapp',
  PUSH: 'mobile_push',
  SLACK: 'slack',
  SMS: 'sms',
  WEB_PUSH: 'web_push'
} as const satisfies Record<Channel, string>
