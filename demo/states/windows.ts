// What opens above the page, each in a window of its own: menus, the picker, the help, toasts, a sheet.

import { html, type TemplateResult } from 'lit'

import type { NotifFeed } from '../../components/index.ts'
import { given } from '../given.ts'
import { harbourSettings } from '../harbour-preferences.ts'
import { world, type World } from '../harbour.ts'
import { settingsWithCrew } from './crew.ts'
import { choose, find, press, pressFor, pressTool } from './play.ts'
import { ago, toItem, toTypeFile, type Type } from './send.ts'
import { feed, rows, storeWith, type Group } from './state.ts'
import { TYPES } from './types.ts'

const items = [
  toItem(TYPES.invoice, { date: ago(9 * 60), opened: ago(9) }),
  toItem(TYPES.approval, { date: ago(40) }),
  toItem(TYPES.map, { date: ago(22) }),
  toItem(TYPES.mention, { date: ago(4) })
]

const INVITATION = toItem(TYPES.invitation, { date: ago(2) })
const OPEN_MENU = '.menu:popover-open'

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

/** Asks, whatever this visitor answered elsewhere: it is the second opening with news. */
function forgetPush(): void {
  let stored = JSON.stringify({ looks: 1, refusals: 0, refusedAt: 0 })
  const storage = {
    getItem: (key: string) => (key.startsWith('notif-push') ? stored : null),
    removeItem() {},
    setItem(key: string, value: string) {
      if (key.startsWith('notif-push')) stored = value
    }
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage })
  answer('default')
}

const answer = (permission: NotificationPermission): void =>
  void Object.defineProperty(Notification, 'permission', { configurable: true, value: permission })

/** An inbox that asks, and what the browser answers. */
function asking(permission: NotificationPermission = 'default'): TemplateResult {
  forgetPush()
  const store = storeWith({ setWebPushOptIn: async () => answer(permission) }, { items })
  return feed(store, { infiniteScrollHeight: 400, markOpened: 'open' })
}

export const windowGroup: Group = {
  name: 'Menus and toasts',
  states: [
    {
      code: { Element: '<notif-feed></notif-feed>', Keys: 'S  snoozes the row' },
      look: () => rows(world({ items }).store),
      name: 'Snooze',
      play: async look => {
        await pressTool(look, 'mention', 'snooze')
        await find(look, OPEN_MENU)
      },
      windowHeight: 330
    },
    {
      code: { Page: "store.snooze([id], new Date('2026-11-26T09:30'))" },
      look: () => rows(world({ items }).store),
      name: 'Snooze until a time',
      play: async look => {
        await pressTool(look, 'mention', 'snooze')
        await choose(look, -1)
        await find(look, '.picker:popover-open')
      },
      windowHeight: 330
    },
    {
      code: {
        Page: "store.mute('invitation', [id])\nstore.digest('invitation', [id])",
        Type: 'id: invitation\ntitle: Crew invitations'
      },
      look: () => rows(world({ items: [INVITATION, ...items], preferences: settingsWithCrew() }).store),
      name: 'Fewer like this',
      play: async look => {
        await pressTool(look, 'invitation', 'fewer')
        await find(look, OPEN_MENU)
      },
      windowHeight: 330
    },
    {
      code: { Element: '<notif-popup></notif-popup>' },
      look: () => inbox(),
      name: 'Menu of the inbox',
      play: look => pressFor(look, '[data-act="menu"]', OPEN_MENU),
      size: 'half',
      windowHeight: 560
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
      look: () => asking(),
      name: 'Push, also when the page is closed',
      play: look => find(look, '.push-row'),
      size: 'half',
      windowHeight: 560
    },
    {
      code: { Page: 'store.setWebPushOptIn(true)' },
      look: () => asking('denied'),
      name: 'Push is blocked',
      play: look => pressFor(look, '.push-row .main', '.push-row .quiet'),
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
