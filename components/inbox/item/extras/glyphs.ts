// The icons that an item may name, in the form of view/icons.ts.

import { BELL_PATH } from '../../../core/bell-path.ts'
import type { IconName } from '../../../protocol/index.ts'
import { ALERT, ARCHIVE, CHECK, MAIL, SETTINGS } from '../../../view/icons.ts'

const CIRCLE = 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0'

export const GLYPHS: Readonly<Record<IconName, string>> = {
  alert: ALERT,
  archive: ARCHIVE,
  at: 'M7.1 10a2.9 2.9 0 1 0 5.8 0 2.9 2.9 0 1 0-5.8 0M12.9 7.1v3.7a2.1 2.1 0 0 0 4.2 0V10a7.1 7.1 0 1 0-2.8 5.65',
  bell: BELL_PATH,
  bolt: 'M11 2.75 4.75 11.25H9.5L9 17.25l6.25-8.5H10.5Z',
  calendar:
    'M4.75 4.25h10.5a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-8.5a2 2 0 0 1 2-2ZM2.75 8.25h14.5M6.5 2.5v3.25M13.5 2.5v3.25',
  check: CHECK,
  clock: `${CIRCLE}M10 6.25V10l2.6 1.6`,
  download: 'M10 3.25v8.5M6.25 8.25 10 12l3.75-3.75M3.25 13.5v1a2 2 0 0 0 2 2h9.5a2 2 0 0 0 2-2v-1',
  file: 'M11.5 2.75H6.25a2 2 0 0 0-2 2v10.5a2 2 0 0 0 2 2h7.5a2 2 0 0 0 2-2V7ZM11.5 2.75V7h4.25',
  globe: `${CIRCLE}M3 10h14M10 3c2 1.9 2.9 4.3 2.9 7s-.9 5.1-2.9 7c-2-1.9-2.9-4.3-2.9-7S8 4.9 10 3Z`,
  lock: 'M6.25 8.75h7.5a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2ZM7 8.75V6.25a3 3 0 0 1 6 0v2.5',
  mail: MAIL,
  ok: `${CIRCLE}M6.9 10.3l2.15 2.15L13.2 8`,
  receipt:
    'M4.25 17.25V4.75a2 2 0 0 1 2-2h7.5a2 2 0 0 1 2 2v12.5l-2.3-1.5-2.3 1.5-1.15-.75L8.85 17.25l-2.3-1.5ZM7.5 6.75h5M7.5 10.25h3',
  reply: 'M7.75 4.5 3.25 9l4.5 4.5M3.5 9h7.25a6 6 0 0 1 6 6v.75',
  send: 'M17 3 8.75 11.25M17 3l-5.1 14-3.15-5.75L3 8.1Z',
  settings: SETTINGS,
  ship: 'M2.75 11.5h14.5l-1.6 3.6a1.6 1.6 0 0 1-1.46.95H5.81a1.6 1.6 0 0 1-1.46-.95ZM5 11.5V8.25h6.75L14.5 11.5M8 8.25V4.5',
  stack: 'M10 3.25 3 6.75l7 3.5 7-3.5ZM3 10l7 3.5 7-3.5M3 13.25l7 3.5 7-3.5'
}
