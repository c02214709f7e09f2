// Sample notifications of every kind, for tests and pictures.

import { createNotifStore, type NotifStore } from '../components/headless/index.ts'
import type { Notif } from '../components/protocol/index.ts'
import { memoryInbox, type MemoryInbox, type MemoryOptions } from '../components/transport/memory.ts'

type Item = Partial<Notif> & Pick<Notif, 'title'>

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const image = (name: string): string => `/img/${name}.svg`
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** Returns the samples, the oldest first. */
export function harbour(): Item[] {
  const opened = ago(10)
  const items: Item[] = [
    {
      body: 'All 86 are in order.',
      date: ago(5 * DAY),
      imageURL: image('priya'),
      opened,
      redirectURL: 'https://heron.example/priya',
      title: 'Priya Raman finished “Check life jackets, Heron”',
      type: 'task'
    },
    {
      body: 'The links stay open until Friday.',
      date: ago(4 * DAY),
      opened,
      redirectURL: 'https://kite.example/',
      title: 'Kite Studio delivered 12 photographs',
      type: 'photos'
    },
    {
      body: '“Agreed. Let us keep the late boat until the concert season ends, then look at the numbers again.”',
      date: ago(DAY + 3000),
      imageURL: image('nour'),
      opened,
      redirectURL: 'https://heron.example/nour',
      title: 'Nour Haddad replied to your note',
      type: 'reply'
    },
    {
      body: '€ 1,240.00 from Brücke & Sohn.',
      date: ago(DAY + 2000),
      opened,
      title: 'Invoice 2026-118 was paid',
      type: 'invoice'
    },
    {
      body: 'Reply if you cannot come.',
      date: ago(DAY),
      redirectURL: 'https://heron.example/review',
      title:
        'The accessibility review of the passenger information screens has moved to Thursday, 14:30, in room Kingfisher',
      type: 'review'
    },
    {
      body: 'You can see shifts and trade them with 23 people.',
      date: ago(180 * MINUTE),
      imageURL: image('mei'),
      opened,
      redirectURL: 'https://heron.example/mei',
      title: 'Mei Tanaka invited you to Winter crew',
      type: 'invitation'
    },
    {
      body: 'It takes effect on 28 March.',
      date: ago(60 * MINUTE),
      imageURL: image('jonas'),
      redirectURL: 'https://heron.example/jonas',
      title: 'Jonas Lindqvist and 4 others approved the spring timetable',
      type: 'approval'
    },
    {
      body: 'Version 7 is now on display at all eleven piers and on the website.',
      date: ago(22 * MINUTE),
      imageURL: image('map'),
      redirectURL: 'https://heron.example/map',
      title: 'Harbour map was published',
      type: 'published'
    },
    {
      body: '“Could the ferry line move a little north? At small sizes it hides the name of the old pier.”',
      date: ago(4 * MINUTE),
      imageURL: image('amara'),
      redirectURL: '#amara',
      title: 'Amara Osei commented on Harbour map',
      titleRuns: [{ bold: true, text: 'Amara Osei' }, { text: ' commented on Harbour map' }],
      type: 'comment'
    }
  ]
  return items.map((item, index) => Object.assign(item, { id: `h${index}` }))
}

/** Returns `count` notifications for lists with pages. The newest ones are unopened. */
export const many = (count: number, unopened = 5): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    body: index % 3 ? `Line ${index} leaves from pier ${index % 11}.` : undefined,
    date: ago((count - index) * 7 * MINUTE),
    id: `m${index}`,
    opened: index < count - unopened ? ago(10) : undefined,
    redirectURL: index % 4 ? `https://heron.example/${index}` : undefined,
    title: `Boat ${index} changed its berth`,
    type: `type${index % 7}`
  })) as Item[]

export interface World {
  readonly inbox: MemoryInbox
  readonly store: NotifStore
}

/** Returns an in-memory inbox and a store that is connected to it. */
export function world(options: MemoryOptions = {}, pageSize = 50): World {
  const inbox = memoryInbox(options)
  const store = createNotifStore({
    environment: { ready: async () => {} },
    pageSize,
    transport: inbox.transport()
  })
  return { inbox, store }
}
