// What opens above the page, each in a window of its own: menus, the picker, the help, toasts, a sheet.

import { html, type TemplateResult } from 'lit'

import type { NotifFeed } from '../../components/index.ts'
import { given } from '../given.ts'
import { harbourSettings } from '../harbour-preferences.ts'
import { world, type World } from '../harbour.ts'
import { choose, find, press } from './play.ts'
import { ago, toItem, toTypeFile, type Type } from './send.ts'
import { feed, rows, type Group } from './state.ts'
import { TYPES } from './types.ts'

const items = [
  toItem(TYPES.invoice, { date: ago(9 * 60), opened: ago(9) }),
  toItem(TYPES.approval, { date: ago(40) }),
  toItem(TYPES.map, { date: ago(22) }),
  toItem(TYPES.mention, { date: ago(4) })
]

const inbox = (options: Partial<NotifFeed> = {}): TemplateResult =>
  feed(world({ items, preferences: harbourSettings() }).store, {
    infiniteScrollHeight: 400,
    markOpened: 'never',
    ...options
  })

/** Toasts need what arrives live. */
let toasts: World

const toast = (): TemplateResult => {
  const { quiet: _holdsToasts, ...preferences } = harbourSettings()
  toasts = world({ preferences })
  return html`<notif-toast ${given({ store: toasts.store })}></notif-toast>`
}

/** They stay: the clock of a page that is out of sight stands still. */
async function arrive(look: HTMLElement, ...types: readonly Type[]): Promise<void> {
  await new Promise<void>(resolve => {
    toasts.store.$connection.subscribe(({ state }) => state === 'online' && resolve())
  })
  for (const type of types) toasts.inbox.add(toItem(type, { date: ago(0), id: `${type.id}-${Date.now()}` }))
  await find(look, 'article.toast')
  Object.defineProperty(document, 'hidden', { value: true })
}

/** Asks, whatever this visitor answered elsewhere. */
function forgetPush(): void {
  const storage = { getItem: () => null, removeItem() {}, setItem() {} }
  Object.defineProperty(globalThis, 'localStorage', { value: storage })
  Object.defineProperty(Notification, 'permission', { value: 'default' })
}

export const windowGroup: Group = {
  name: 'Menus and toasts',
  states: [
    {
      code: { Element: '<notif-feed></notif-feed>', Keys: 'S  snoozes the row' },
      look: () => rows(world({ items }).store),
      name: 'Snooze',
      play: look => press(look, '#mention [data-act="snooze"]'),
      windowHeight: 330
    },
    {
      code: { Page: "store.snooze([id], new Date('2026-11-26T09:30'))" },
      look: () => rows(world({ items }).store),
      name: 'Snooze until a time',
      play: async look => {
        await press(look, '#mention [data-act="snooze"]')
        await choose(look, -1)
        await find(look, '.picker')
      },
      windowHeight: 330
    },
    {
      code: { Element: '<notif-popup></notif-popup>' },
      look: () => inbox(),
      name: 'Menu of the inbox',
      play: look => press(look, '[data-act="menu"]'),
      windowHeight: 330
    },
    {
      code: { Element: '<notif-feed keyboard="off"></notif-feed>', Keys: '?  opens it' },
      look: () => inbox(),
      name: 'Keys',
      play: async look => {
        await press(look, '[data-act="menu"]')
        await choose(look, -1)
        await find(look, '.help:popover-open')
      },
      size: 'half',
      windowHeight: 560
    },
    {
      code: { Element: '<notif-popup web-push-opt-in-message="auto"></notif-popup>' },
      look: () => {
        forgetPush()
        return inbox({ markOpened: 'visible' })
      },
      name: 'Push, also when the page is closed',
      size: 'half',
      windowHeight: 560
    },
    {
      code: { Element: '<notif-toast></notif-toast>', Type: toTypeFile(TYPES.approval) },
      look: toast,
      name: 'Toast',
      play: look => arrive(look, TYPES.approval),
      size: 'half',
      windowHeight: 220
    },
    {
      code: { Type: `urgent: true\n${toTypeFile(TYPES.fog)}` },
      look: toast,
      name: 'Urgent',
      play: look => arrive(look, { ...TYPES.fog, id: 'safety' }),
      size: 'half',
      windowHeight: 220
    },
    {
      code: { Element: '<notif-toast position="BOTTOM_RIGHT"></notif-toast>' },
      look: toast,
      name: 'Three, and two more in the inbox',
      play: look => arrive(look, TYPES.map, TYPES.berth, TYPES.invoice, TYPES.photos, TYPES.invitation),
      size: 'whole',
      windowHeight: 400
    }
  ]
}
