// The notification types of the gallery. Each is the code of its states and makes their items.

import type { Type } from './send.ts'

const image = (name: string): string => `/img/${name}.svg`

export const TYPES = {
  approval: {
    id: 'approval',
    inapp: {
      title: '**Nour Haddad** asks you to approve the **winter fares**',
      body: 'Two prices change: island line and bicycles.',
      image: image('nour'),
      icon: 'ok',
      tone: 3,
      actions: [
        { id: 'approve', label: 'Approve', send: true },
        { id: 'decline', label: 'Decline', send: true }
      ]
    }
  },
  berth: {
    id: 'berth',
    inapp: {
      title: '**Boat 12** is back in service',
      body: 'Berth 4, first departure 14:30.',
      icon: 'ship',
      tone: 5
    }
  },
  cancelled: {
    id: 'cancelled',
    inapp: {
      title: '**Kite, 15:00** does not sail',
      body: 'Eleven passengers are booked.',
      icon: 'calendar',
      tone: 1,
      actions: [
        { id: 'rebook', label: 'Rebook all', style: 'danger', send: true },
        { id: 'open', label: 'Open the list', url: '/passengers' }
      ]
    }
  },
  fog: {
    id: 'fog',
    inapp: {
      title: '**Fog** on the island line until noon',
      body: 'Boats keep 6 knots. Allow 15 minutes more.',
      icon: 'alert',
      tone: 1
    }
  },
  invitation: {
    id: 'invitation',
    inapp: {
      title: '**Mei Tanaka** invited you to **Winter crew**',
      body: 'You can see shifts and trade them with 23 people.',
      image: image('mei')
    }
  },
  invoice: {
    id: 'invoice',
    inapp: {
      title: '**Invoice 2026-118** was paid',
      body: '€ 1,240.00 from Brücke & Sohn.',
      icon: 'receipt',
      tone: 3
    }
  },
  map: {
    id: 'map',
    inapp: {
      title: '**Harbour map** was published',
      body: 'Version 7 is on display at all eleven piers.',
      image: image('map'),
      imageShape: 'square',
      url: '/map'
    }
  },
  mention: {
    id: 'mention',
    inapp: {
      title: '**Amara Osei** mentioned you on **Harbour map**',
      body: '“Could the line move a little north?”',
      image: image('amara'),
      icon: 'at',
      tone: 5,
      reply: { label: 'Reply to Amara' }
    }
  },
  photos: {
    id: 'photos',
    inapp: {
      title: '**Kite Studio** delivered 12 photographs',
      body: 'The links stay open until Friday.'
    }
  },
  report: {
    id: 'report',
    inapp: {
      title: 'Making the **September report**',
      body: '124 of 200 pages, about 2 minutes left.',
      icon: 'file',
      tone: 2,
      progress: { value: 0.62, state: 'running' }
    }
  },
  shift: {
    id: 'shift',
    inapp: {
      title: '**Jonas Lindqvist** and **Nour Haddad** swapped a shift',
      body: 'Saturday, 06:00 to 14:00.',
      actors: [
        { name: 'Jonas Lindqvist', imageURL: image('jonas') },
        { name: 'Nour Haddad', imageURL: image('nour') }
      ]
    }
  },
  timetable: {
    id: 'timetable',
    inapp: {
      title: '**Jonas Lindqvist** and 4 others approved the **spring timetable**',
      body: 'It takes effect on 28 March.',
      actors: [
        { name: 'Jonas Lindqvist', imageURL: image('jonas') },
        { name: 'Priya Raman', imageURL: image('priya') },
        { name: 'Mei Tanaka', imageURL: image('mei') }
      ],
      actorCount: 5
    }
  }
} as const satisfies Readonly<Record<string, Type>>
