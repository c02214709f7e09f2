// Bells, counters and launchers.

import { html, type TemplateResult } from 'lit'

import type { BadgeOptions, NotifPopup, NotifStore } from '../../components/index.ts'
import { given } from '../given.ts'
import { harbourSettings } from '../harbour-preferences.ts'
import { harbour, many, world } from '../harbour.ts'
import { bell, strip, type Group } from './state.ts'

const some = (count: number): NotifStore => world({ items: harbour().slice(-count) }).store
const unread = (count: number): NotifStore => world({ items: many(count, count) }).store
const badge = (unreadBadgeProps: BadgeOptions): Partial<NotifPopup> => ({ unreadBadgeProps })

const paused = (): NotifStore =>
  world({ items: many(3, 3), preferences: harbourSettings({ pause: { isOn: true, until: null } }) }).store

const bells = (): TemplateResult[] => [
  bell(some(1)),
  bell(unread(3)),
  bell(unread(12)),
  bell(unread(150)),
  bell(unread(1), badge({ dot: true })),
  bell(world().store),
  bell(world().store, badge({ showZero: true })),
  bell(unread(5), { buttonHeight: 56, buttonIconSize: 32, buttonWidth: 56, iconColor: 'tomato' }),
  bell(unread(2), {}, 'Inbox')
]

const counters = (): TemplateResult =>
  html`<notif-counter ${given({ store: unread(7) })}></notif-counter>
    <notif-counter ${given({ showZero: true, store: world().store })}></notif-counter>
    <notif-counter ${given({ max: 9, store: unread(12) })}><button>Orders</button></notif-counter>
    <notif-counter ${given({ dot: true, store: unread(1) })}><button>Dot</button></notif-counter>`

const CORNERS = ['TOP_LEFT', 'TOP_RIGHT', 'BOTTOM_LEFT', 'BOTTOM_RIGHT'] as const

const launchers = (): TemplateResult[] =>
  CORNERS.map(
    (position, index) =>
      html`<notif-launcher
        ${given({ offsetX: 12, offsetY: 12, position, store: some(index) })}
      ></notif-launcher>`
  )

const POPUP = '<notif-popup></notif-popup>'

export const bellGroup: Group = {
  name: 'Bells',
  states: [
    {
      code: { Element: POPUP, Page: 'store.$unseen.get() // 3' },
      look: () => strip('bar', bell(unread(3))),
      name: 'New ones'
    },
    {
      code: { Page: 'popup.unreadBadgeProps = { dot: true }' },
      look: () => strip('bar', bell(unread(1), badge({ dot: true }))),
      name: 'Only a dot'
    },
    {
      code: { Page: 'store.updateSettings({\n  pause: { isOn: true }\n})' },
      look: () => strip('bar', bell(paused())),
      name: 'Notifications are paused'
    },
    {
      code: { Element: `${POPUP}\n<notif-popup show-zero></notif-popup>\n<notif-popup>Inbox</notif-popup>` },
      look: () => strip('paper', bells()),
      name: 'Bells on paper',
      size: 'whole'
    },
    {
      code: { Style: 'header {\n  color: #fff;\n  background: #17203a;\n}' },
      look: () => strip('ink', bells()),
      name: 'Bells on ink',
      size: 'half'
    },
    {
      code: { Style: 'header {\n  color: #3a1d00;\n  background: #ffcf9f;\n}' },
      look: () => strip('sand', bells()),
      name: 'Bells on sand',
      size: 'half'
    },
    {
      code: {
        Element:
          '<notif-counter></notif-counter>\n<notif-counter show-zero></notif-counter>\n<notif-counter max="9"><button>Orders</button></notif-counter>\n<notif-counter dot><button>Dot</button></notif-counter>'
      },
      look: () => strip('paper', counters()),
      name: 'Counters',
      size: 'half'
    },
    {
      code: { Element: '<notif-launcher position="TOP_LEFT" offset-x="12" offset-y="12"></notif-launcher>' },
      look: () => html`<div class="corners paper">${launchers()}</div>`,
      name: 'Launchers in their corners',
      size: 'half'
    }
  ]
}
