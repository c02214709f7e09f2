// The names of each channel's content in sends and type files, which are also the prefixes of its fields in log records.

import type { Channel } from '#protocol'

export const CONTENT_FIELDS = {
  CALL: 'call',
  EMAIL: 'email',
  INAPP_WEB: 'inapp',
  PUSH: 'mobile_push',
  SLACK: 'slack',
  SMS: 'sms',
  WEB_PUSH: 'web_push'
} as const satisfies Record<Channel, string>
