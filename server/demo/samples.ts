// The sample notifications of the demo's inbox: the last days of a small ferry company.

import type { TextRun } from '#protocol'

export interface SampleItem {
  readonly minutesAgo: number
  readonly type: string
  /** Title of the type in the preferences. */
  readonly typeTitle: string
  readonly title: string
  readonly titleRuns?: readonly TextRun[]
  readonly body: string
  readonly image?: string | undefined
  readonly url?: string
  readonly read: boolean
}

const HOUR = 60
const DAY = 24 * HOUR

/** Oldest first. */
export const SAMPLE_ITEMS: readonly SampleItem[] = [
  {
    body: 'Reply if you cannot come.',
    image: '/img/meeting.svg',
    minutesAgo: 2 * DAY,
    read: true,
    title: 'The accessibility review of the passenger information screens has moved to Thursday',
    type: 'meeting',
    typeTitle: 'Meeting'
  },
  {
    body: '“Agreed. Let us keep the late boat until the concert season ends, then look at the numbers again.”',
    image: '/img/nour.svg',
    minutesAgo: 27 * HOUR,
    read: true,
    title: 'Nour Haddad replied to your note',
    type: 'new_comment',
    typeTitle: 'New comment',
    url: '/#elements'
  },
  {
    body: '€ 1,240.00 from Brücke & Sohn.',
    image: '/img/invoice.svg',
    minutesAgo: 25 * HOUR,
    read: true,
    title: 'Invoice 2026-117 was paid',
    type: 'invoice_paid',
    typeTitle: 'Invoice paid'
  },
  {
    body: 'You can see shifts and trade them with 23 people.',
    image: '/img/mei.svg',
    minutesAgo: 3 * HOUR,
    read: true,
    title: 'Mei Tanaka invited you to Winter crew',
    type: 'invitation',
    typeTitle: 'Invitation',
    url: '/#elements'
  },
  {
    body: 'It takes effect on 28 March.',
    image: '/img/tomas.svg',
    minutesAgo: HOUR,
    read: false,
    title: 'Tomás Vidal and 4 others approved the spring timetable',
    titleRuns: [{ bold: true, text: 'Tomás Vidal' }, { text: ' and 4 others approved the spring timetable' }],
    type: 'approval',
    typeTitle: 'Approval'
  },
  {
    body: 'Version 7 is now on display at all eleven piers and on the website.',
    image: '/img/map.svg',
    minutesAgo: 22,
    read: false,
    title: 'Harbour map was published',
    type: 'map_published',
    typeTitle: 'Map published',
    url: '/#theming'
  }
]
