// Sample users and notifications, shared by the demo page and the server code that sends the samples.

import type { ItemExtras } from '../components/protocol/content.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Reserved for fiction, so no real phone rings. */
  readonly number: string
}

export interface Sample {
  readonly type: string
  readonly label: string
  readonly title: string
  readonly body: string
  readonly image?: string
  readonly url?: string
  /** Buttons, a reply field, progress. The server adds them, so a page cannot send others. */
  readonly extras?: ItemExtras
}

export const PEOPLE: readonly Person[] = [
  { email: 'amara@heron.example', id: 'amara', name: 'Amara Osei', number: '+12025550143' },
  { email: 'nour@heron.example', id: 'nour', name: 'Nour Haddad', number: '+12025550178' },
  { email: 'priya@heron.example', id: 'priya', name: 'Priya Raman', number: '+12025550112' }
]

/** The user of the strict page: the inbox is empty and needs no pictures, which that page may not load. */
export const VISITOR: Person = {
  email: 'visitor@heron.example',
  id: 'visitor',
  name: 'Visitor',
  number: '+12025550199'
}

export const SAMPLES: readonly Sample[] = [
  {
    body: '“Could the ferry line move a little north? At small sizes it hides the name of the old pier.”',
    extras: { icon: 'at', reply: { label: 'Reply to Jonas' }, tone: 5 },
    image: '/img/jonas.svg',
    label: 'New comment',
    title: 'Jonas Lindqvist commented on Harbour map',
    type: 'new_comment',
    url: '/#elements'
  },
  {
    body: 'Two prices change: island line and bicycles.',
    extras: {
      actions: [
        { id: 'approve', label: 'Approve' },
        { id: 'decline', label: 'Decline' }
      ],
      icon: 'ok',
      tone: 3
    },
    image: '/img/nour.svg',
    label: 'Approval',
    title: 'Nour Haddad asks you to approve the winter fares',
    type: 'approval'
  },
  {
    body: 'It takes effect on 28 March.',
    // Without pictures, so that the strict page shows it as well.
    extras: { actorCount: 5, actors: [{ name: 'Jonas Lindqvist' }, { name: 'Priya Raman' }] },
    label: 'Several people',
    title: 'Jonas Lindqvist and 4 others approved the spring timetable',
    type: 'timetable'
  },
  {
    body: '200 pages with all crossings of the month.',
    extras: { icon: 'file', progress: { state: 'running', value: 0 }, tone: 2 },
    label: 'Report',
    title: 'Making the September report',
    type: 'report'
  },
  {
    body: 'Version 7 is now on display at all eleven piers and on the website.',
    image: '/img/map.svg',
    label: 'Map published',
    title: 'Harbour map was published',
    type: 'map_published',
    url: '/#theming'
  },
  {
    body: '€ 1,240.00 from Brücke & Sohn.',
    image: '/img/invoice.svg',
    label: 'Invoice paid',
    title: 'Invoice 2026-118 was paid',
    type: 'invoice_paid'
  },
  {
    body: 'You can see shifts and trade them with 23 people.',
    image: '/img/mei.svg',
    label: 'Invitation',
    title: 'Mei Tanaka invited you to Winter crew',
    type: 'invitation',
    url: '/#elements'
  }
]
