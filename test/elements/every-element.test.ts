// What every element guarantees.

import { expect } from '@open-wc/testing'

import {
  NotifCounter,
  NotifFeed,
  NotifLauncher,
  NotifPopup,
  configure,
  getNotifContext
} from '../../components/index.ts'
import type { NotifStore } from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import { allInside, inside, rows, settled, show, waitUntil } from './support/page.ts'

const CLASSES = { counter: NotifCounter, feed: NotifFeed, launcher: NotifLauncher, popup: NotifPopup }

/** What an element shows of its store, whatever element it is. */
const shows = (element: Element): string =>
  (rows(element).length ? String(rows(element).length) : inside(element, '.badge')?.textContent) ?? ''

const listeners = ({ $notifications }: NotifStore): number => ($notifications as unknown as { lc: number }).lc

for (const [name, Class] of Object.entries(CLASSES)) {
  const tag = `notif-${name}` as 'notif-popup'
  const full = name === 'feed' ? '9' : '4'

  describe(`<${tag}>`, () => {
    it('logs nothing without a store', async () => {
      const element = await show(`<${tag}></${tag}>`)
      expect(shows(element)).to.equal('')
    })

    it('uses its own store before and after it is connected', async () => {
      const { store } = world({ items: harbour() })
      const early = await show<NotifPopup>(`<${tag}></${tag}>`, element => (element.store = store))
      const late = await show<NotifPopup>(`<${tag}></${tag}>`)
      late.store = store
      await waitUntil(() => shows(early) === full && shows(late) === full, 'both draw')
      late.store = undefined
      await waitUntil(() => shows(late) === '', 'the store is let go of')
    })

    it('uses a store that was set before the element was defined', async () => {
      const { store } = world({ items: harbour() })
      const later = `${tag}-later${Math.random().toString(36).slice(2)}`
      const element = await show<NotifPopup>(`<${later}></${later}>`, raw => Object.assign(raw, { store }))
      customElements.define(later, class extends (Class as typeof NotifPopup) {})
      await waitUntil(() => shows(element) === full, 'the property is applied at the upgrade')
    })

    it('can be created by createElement, cloneNode and importNode', async () => {
      const { store } = world({ items: harbour() })
      const made = document.createElement(tag)
      const copy = made.cloneNode(true) as typeof made
      const place = await show('<p></p>')
      place.append(made, copy)
      made.store = copy.store = store
      await waitUntil(() => shows(made) === full && shows(copy) === full, 'both draw')
    })

    it('uses the provider that it is moved to, and leaves no listener behind', async () => {
      const one = world({ items: harbour() })
      const two = world({ items: [{ title: 'Only this' }] })
      const provider = document.createElement('notif-provider')
      const other = document.createElement('notif-provider')
      provider.store = one.store
      other.store = two.store
      const place = await show('<div></div>')
      place.append(provider, other)
      const element = document.createElement(tag)
      provider.append(element)
      await waitUntil(() => shows(element) === full, 'the first store')
      other.append(element)
      await waitUntil(() => shows(element) === '1', 'the second store')
      expect(listeners(one.store)).to.equal(0)
      element.remove()
      expect(listeners(two.store)).to.equal(0)
      provider.append(element)
      await waitUntil(() => shows(element) === full, 'back again')
    })

    it('uses the store of the document, also if it is set later', async () => {
      const element = await show<NotifPopup>(`<${tag}></${tag}>`)
      const { store } = world({ items: harbour() })
      await configure({ store })
      await waitUntil(() => shows(element) === full, 'the default store')
      expect((await getNotifContext(element)) === store).to.equal(true)
      expect((await getNotifContext(document.documentElement)) === store).to.equal(true)
      await configure({ store: world().store })
      await waitUntil(() => shows(element) === '', 'the next default store')
    })

    it('does not change the DOM if nothing changed', async () => {
      const { store } = world({ items: harbour() })
      // Otherwise rows count as seen after a second, which is a change.
      const element = await show<NotifPopup>(
        `<${tag} mark-opened="never"></${tag}>`,
        raw => (raw.store = store)
      )
      if (element instanceof NotifPopup) await element.show()
      await waitUntil(() => shows(element) !== '', 'drawn')
      await settled(element)
      const seen: MutationRecord[] = []
      const observer = new MutationObserver(records => seen.push(...records))
      observer.observe(element.shadowRoot!, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true
      })
      element.requestUpdate()
      await settled(element)
      element.requestUpdate()
      await settled(element)
      expect(
        [...seen, ...observer.takeRecords()].map(({ target, type }) => `${type} ${target.nodeName}`)
      ).to.deep.equal([])
      observer.disconnect()
    })

    it('shows a title as text, also if it contains markup', async () => {
      const { inbox, store } = world()
      inbox.add({
        body: '<b>b</b>',
        redirectURL: 'java\tscript:alert(1)',
        title: '<img src=x onerror="window.hacked = 1">'
      })
      const element = await show<NotifPopup>(`<${tag}></${tag}>`, raw => (raw.store = store))
      if (element instanceof NotifPopup) await element.show()
      await waitUntil(() => shows(element) !== '', 'drawn')
      await settled(element)
      expect(allInside(element, 'img, b').length).to.equal(0)
      expect(allInside(element, 'article a[href]').length).to.equal(0)
      expect('hacked' in window).to.equal(false)
    })

    it('has no `style` attribute and no inline handler', async () => {
      const { store } = world({ items: harbour() })
      const element = await show<NotifPopup>(
        `<${tag} icon-color="red" max="9"></${tag}>`,
        raw => (raw.store = store)
      )
      if (element instanceof NotifPopup) await element.show()
      await settled(element)
      expect(element.shadowRoot!.querySelectorAll('style, script').length).to.equal(0)
    })
  })
}
