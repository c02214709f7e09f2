// axe finds no violation in any element and state, in light, in dark and from right to left.

import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import 'axe-core/axe.min.js'
import type { run } from 'axe-core'

import { TransportError, createNotifStore } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import {
  allInside,
  inside,
  open,
  rowsShown,
  settled,
  show,
  type NotifFeed,
  type NotifPopup,
  waitUntil
} from './support/page.ts'
import { harbourPreferences } from './support/preferences.ts'

const URGENT = {
  notifications: [{ channels: [], notificationId: 'urgent', options: {}, title: 'Urgent', urgent: true }],
  preferences: [],
  subNotifications: []
}

declare const axe: { readonly run: typeof run }

const LOOKS = [
  { dir: 'ltr', lang: 'en', scheme: 'light' },
  { dir: 'ltr', lang: 'en', scheme: 'dark' },
  { dir: 'rtl', lang: 'ar', scheme: 'light' }
] as const

async function clean(element: Element): Promise<void> {
  // axe measures the current colors, so animations have to be over. That of a skeleton does not end.
  for (const movement of element.shadowRoot!.getAnimations()) {
    if (movement.effect!.getComputedTiming().endTime !== Infinity) movement.finish()
  }
  const { violations } = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  })
  const said = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join('; ')}`
  )
  expect(said).to.deep.equal([])
}

for (const { dir, lang, scheme } of LOOKS) {
  describe(`axe, ${scheme}, ${dir}`, () => {
    beforeEach(async () => {
      await emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      Object.assign(document.documentElement, { dir, lang })
      document.documentElement.style.colorScheme = scheme
      document.body.style.background = scheme === 'dark' ? '#0d0e10' : '#f8f7f4'
    })
    afterEach(() => {
      Object.assign(document.documentElement, { dir: 'ltr', lang: 'en' })
    })

    it('toasts, of every kind', async () => {
      const given = world({ preferences: URGENT })
      const toast = await show('<notif-toast></notif-toast>', raw =>
        Object.assign(raw, { store: given.store })
      )
      await waitUntil(() => given.store.$connection.get().state === 'online')
      given.inbox.add({ redirectURL: '#fog', title: 'Fog until noon', type: 'urgent' })
      for (const title of ['One', 'Two', 'Three']) given.inbox.add({ body: 'A body.', title })
      await waitUntil(() => inside(toast, '.rest'))
      await settled(toast)
      await clean(toast)
    })

    it('popup, closed, open and empty', async () => {
      const { store } = world({ items: harbour() })
      const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
      await waitUntil(() => store.$loading.get().state === 'ready')
      await clean(popup)
      await open(popup)
      await rowsShown(popup, 9)
      await clean(popup)
      popup.store = world().store
      await rowsShown(popup, 0)
      await settled(popup)
      await clean(popup)
    })

    it('launcher, open and failed', async () => {
      const transport = {
        ...world().inbox.transport(),
        getPage: async () => Promise.reject(new TransportError(0, 'away'))
      }
      const store = createNotifStore({ transport })
      const launcher = await show<NotifPopup>(
        '<notif-launcher></notif-launcher>',
        element => (element.store = store)
      )
      await open(launcher)
      await waitUntil(() => store.$loading.get().state === 'failed')
      await settled(launcher)
      await clean(launcher)
    })

    it('feed with pages, counter', async () => {
      const { store } = world({ items: [...many(60), ...harbour()] })
      const feed = await show<NotifFeed>(
        '<notif-feed bordered></notif-feed>',
        element => (element.store = store)
      )
      await rowsShown(feed, 10)
      await clean(feed)
      const counter = await show<NotifFeed>(
        '<notif-counter><button>Inbox</button></notif-counter>',
        element => (element.store = store)
      )
      await clean(counter)
    })

    it('preferences, as a matrix, folded, refused and as a dialog', async () => {
      const { store } = world({ preferences: harbourPreferences() })
      for (const width of [1000, 320]) {
        const element = await show<HTMLElementTagNameMap['notif-preferences']>(
          '<notif-preferences></notif-preferences>',
          raw => {
            raw.store = store
            raw.style.inlineSize = `${width}px`
          }
        )
        await waitUntil(() => inside(element, width === 320 ? 'details' : '.wide'))
        for (const fold of allInside<HTMLDetailsElement>(element, 'details')) fold.open = true
        await settled(element)
        await clean(element)
        expect(element.scrollWidth, 'no sideways scroll').to.be.at.most(width)
      }
      const dialog = await show<HTMLElementTagNameMap['notif-preferences-popup']>(
        '<notif-preferences-popup open></notif-preferences-popup>',
        raw => (raw.store = store)
      )
      await waitUntil(() => inside(dialog, 'details'))
      await clean(dialog)
    })

    it('loading', async () => {
      const transport = { ...world().inbox.transport(), getPage: () => new Promise<never>(() => {}) }
      const feed = await show<NotifFeed>(
        '<notif-feed></notif-feed>',
        element => (element.store = createNotifStore({ transport }))
      )
      await clean(feed)
    })
  })
}
