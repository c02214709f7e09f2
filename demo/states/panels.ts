// The inbox as a whole: what is new, its tabs, and the moments in which it has no rows.

import { html, type TemplateResult } from 'lit'

import { TransportError } from '../../components/headless/index.ts'
import type { NotifFeed, NotifStore } from '../../components/index.ts'
import { harbourSettings } from '../harbour-preferences.ts'
import { many, world } from '../harbour.ts'
import { chooseTab, find, pressFor } from './play.ts'
import { ago, ahead, toItem } from './send.ts'
import { feed, storeWith, type Group } from './state.ts'
import { TYPES } from './types.ts'

const DAY = 24 * 60

const items = [
  toItem(TYPES.photos, { date: ago(3 * DAY), opened: ago(9), seen: ago(9) }),
  toItem(TYPES.invoice, { date: ago(DAY), opened: ago(9), seen: ago(9) }),
  toItem(TYPES.invitation, { date: ago(180), opened: ago(9), seen: ago(9) }),
  toItem(TYPES.approval, { date: ago(40), seen: ago(9) }),
  toItem(TYPES.map, { date: ago(22) }),
  toItem(TYPES.mention, { date: ago(4) })
]

const TABS = [
  { label: 'Mentions', types: ['mention'] },
  { label: 'Approvals', types: ['approval'] }
]
const TABS_CODE = `<notif-feed tabs='[
  { "label": "Mentions", "types": ["mention"] },
  { "label": "Approvals", "types": ["approval"] }
]'></notif-feed>`

const panel = (store: NotifStore, options: Partial<NotifFeed> = {}): TemplateResult =>
  html`<div class="panel">
    ${feed(store, { infiniteScrollHeight: 300, pagination: 'INFINITE_SCROLL', ...options })}
  </div>`

const store = (): NotifStore => world({ items }).store
const pausedFor = (minutes: number): NotifStore =>
  world({ items, preferences: harbourSettings({ pause: { isOn: true, until: ahead(minutes) } }) }).store
const never = (): Promise<never> => new Promise<never>(() => {})
const away = async (): Promise<never> => Promise.reject(new TransportError(0, 'away'))

function offline(): NotifStore {
  // Simulates the lost network: the page itself has one.
  Object.defineProperty(navigator, 'onLine', { value: false })
  const { inbox, store } = world({ items })
  const stop = store.$connection.subscribe(({ state }) => {
    if (state !== 'online') return
    inbox.setOnline(false)
    queueMicrotask(() => stop())
  })
  return store
}

/** The server refuses the credentials. */
function refused(): NotifStore {
  return storeWith({
    connect(listener) {
      queueMicrotask(() =>
        listener({ detail: 'The user hash is wrong.', title: 'Wrong credentials', type: 'refused' })
      )
      return () => {}
    },
    getPage: async () => Promise.reject(new TransportError(401, 'refused'))
  })
}

/** Older pages than the first do not load. */
function broken(): NotifStore {
  const { inbox } = world({ items: many(80, 0) })
  return storeWith({
    ...inbox.transport(),
    getPage: async (count, cursor) => (cursor ? away() : inbox.page(count, cursor))
  })
}

const bottom = async (look: HTMLElement): Promise<void> => {
  await find(look, 'article')
  const list = await find(look, '.list')
  list.scrollTop = list.scrollHeight
  await find(look, '.list > .banner, .list > .sentinel')
  list.scrollTop = list.scrollHeight
}

export const panelGroup: Group = {
  name: 'Inbox',
  states: [
    {
      code: {
        Element: '<notif-popup></notif-popup>',
        Page: '// the line moves only when the inbox opens\nstore.$unseen.get() // 2'
      },
      look: () => panel(store(), { markOpened: 'visible' }),
      name: 'New since you looked',
      size: 'half'
    },
    {
      code: { Element: TABS_CODE },
      look: () => panel(store(), { tabs: TABS }),
      name: 'Tabs by type',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed></notif-feed>', Page: '// rows below that were not in sight' },
      look: () => panel(world({ items: many(12, 12) }).store, { markOpened: 'visible' }),
      name: 'More new ones below'
    },
    {
      code: { Element: '<notif-feed>\n  <p slot="empty">Nothing yet</p>\n</notif-feed>' },
      look: () => panel(world().store),
      name: 'Empty'
    },
    {
      code: { Element: TABS_CODE },
      look: () => panel(world({ items: items.slice(0, 5) }).store, { tabs: TABS }),
      name: 'Nothing in this tab',
      play: look => pressFor(look, '[data-tab="0"]', '.empty-state')
    },
    {
      code: { Page: "const view = store.openView({ view: 'snoozed' })\nview.$items.get() // []" },
      look: () => panel(store(), { tabs: TABS }),
      name: 'Nothing snoozed',
      // Before Archived, which is the last.
      play: look => chooseTab(look, -2, '.empty-state')
    },
    {
      code: { Element: '<notif-feed></notif-feed>' },
      look: () => panel(world({ items: items.slice(0, 3) }).store),
      name: 'Nothing unread',
      play: look => pressFor(look, '[data-tab="unread"]', '.empty-state')
    },
    {
      code: { Element: '<notif-feed></notif-feed>' },
      look: () => panel(store()),
      name: 'Nothing archived',
      play: look => pressFor(look, '[data-tab="archived"]', '.empty-state')
    },
    {
      code: {
        Element: '<notif-feed>\n  <p slot="loading">One moment</p>\n</notif-feed>',
        Page: "store.$loading.get()\n// { state: 'busy' }"
      },
      look: () => panel(storeWith({ getPage: never })),
      name: 'Loading'
    },
    {
      code: {
        Element: '<notif-feed>\n  <p slot="error">Call us: 04 55</p>\n</notif-feed>',
        Page: "store.$loading.get()\n// { state: 'failed', error }"
      },
      look: () => panel(storeWith({ getPage: away })),
      name: 'Failed'
    },
    {
      code: { Page: "store.$connection.get()\n// { state: 'refused', title, detail }" },
      look: () => panel(refused()),
      name: 'Signed out'
    },
    {
      code: {
        Page: "store.$connection.get()\n// { state: 'offline' }\n\n// waits in the browser, is sent later\nstore.markAsArchived([id])"
      },
      look: () => panel(offline()),
      name: 'Offline'
    },
    {
      code: {
        Page: 'store.updateSettings({\n  pause: { isOn: true, until: "2026-11-23T11:20:00Z" }\n})\nstore.$pause.get()\n// { isOn: true, until }'
      },
      look: () => panel(pausedFor(60)),
      name: 'Paused for an hour'
    },
    {
      code: { Element: '<notif-feed pagination="INFINITE_SCROLL" loading></notif-feed>' },
      look: () =>
        panel(world({ items: items.slice(-2) }).store, { loading: true, pagination: 'INFINITE_SCROLL' }),
      name: 'Loading more'
    },
    {
      code: { Page: 'store.loadMore()\n// resolves, and $loading says that it failed' },
      look: () => panel(broken()),
      name: 'Older ones did not load',
      play: bottom
    }
  ]
}
