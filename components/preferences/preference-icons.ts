// Pictures of the preferences, drawn as those in view/icons.ts.

import type { Channel } from '../protocol/index.ts'
import { BROWSER, MAIL, UNARCHIVE } from '../view/icons.ts'

export const CHEVRON = 'm5.75 8 4.25 4.25L14.25 8'
export const LOCK =
  'M6.25 8.75h7.5a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2ZM7 8.75V6.25a3 3 0 0 1 6 0v2.5'

export const CHANNEL_ICONS: Readonly<Record<Channel, string>> = {
  CALL: 'M4.7 3.25h1.9a1.25 1.25 0 0 1 1.2.88l.64 2.1a1.25 1.25 0 0 1-.36 1.28L7.1 8.4a10.2 10.2 0 0 0 4.5 4.5l.9-.98a1.25 1.25 0 0 1 1.27-.36l2.1.64c.53.16.88.65.88 1.2v1.9a1.5 1.5 0 0 1-1.6 1.45C8.65 16.3 3.7 11.35 3.25 4.85A1.5 1.5 0 0 1 4.7 3.25Z',
  EMAIL: MAIL,
  INAPP_WEB: UNARCHIVE,
  PUSH: 'M7.75 2.25h4.5a2 2 0 0 1 2 2v11.5a2 2 0 0 1-2 2h-4.5a2 2 0 0 1-2-2V4.25a2 2 0 0 1 2-2ZM9 15h2',
  SLACK: 'M8 2.9v8.9M12.4 8.2v8.9M2.9 12h8.9M8.2 7.6h8.9M5.4 8.4v-.8M14.6 12.4v-.8',
  SMS: 'M4.75 3.75h10.5a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H9.6L6.25 17v-2.75h-1.5a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2ZM6.9 9h.01M10 9h.01M13.1 9h.01',
  WEB_PUSH: BROWSER
}
