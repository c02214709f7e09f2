// Parameters under dashed names: Vue and React set a property of that name if there is one, because an attribute cannot be a function
// or false.

import { expect } from '@open-wc/testing'

import type { NotifProvider } from '../../components/index.ts'
import { world } from './support/harbour.ts'
import { inside, rowsShown, show, waitUntil, type NotifFeed, type NotifPopup } from './support/page.ts'

const { store } = world({ items: [{ id: 'a', title: 'Boat' }] })

it('functions, lists and booleans are properties under their dashed names', async () => {
  const dataSource = [{ key: 'a', title: 'Boat', redirectURL: '/boat' }]
  const given = {
    'data-source': dataSource,
    'new-tab': false,
    'render-item': ({ title }: { title: string }) => `» ${title}`,
    'row-key': ({ key }: { key: string }) => key
  }
  const feed = await show<NotifFeed>('<notif-feed></notif-feed>', raw => {
    for (const [name, value] of Object.entries(given)) {
      expect(name in raw, name).to.equal(true)
      Object.assign(raw, { [name]: value })
    }
  })
  await rowsShown(feed, 1)
  await waitUntil(() => feed.querySelector('[slot=item-a]')?.textContent === '» Boat')
  expect(feed.dataSource).to.equal(dataSource)
  expect(feed.newTab).to.equal(false)
  expect(Reflect.get(feed, 'new-tab')).to.equal(false)
})

it('a value that is set under a dashed name is shown', async () => {
  const popup = await show<NotifPopup>('<notif-popup></notif-popup>', raw => {
    raw.store = store
  })
  await waitUntil(() => inside(popup, '.badge')?.textContent === '1')
  Object.assign(popup, { 'unread-badge-props': { dot: true } })
  await waitUntil(() => inside(popup, '.badge')?.matches('.dot'))
})

it('a boolean that is set to an empty text is true, as an attribute is in HTML', async () => {
  const switches = {
    'notif-counter': ['dot', 'show-zero'],
    'notif-feed': ['bordered', 'loading', 'new-tab', 'split'],
    'notif-popup': ['new-tab'],
    'notif-preferences-popup': ['open'],
    'notif-provider': ['play-sound-on-new-notification']
  }
  for (const [tag, names] of Object.entries(switches)) {
    const element = await show(`<${tag}></${tag}>`)
    for (const name of names) {
      const camel = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      for (const [value, on] of [
        ['', true],
        [false, false],
        [true, true]
      ]) {
        Object.assign(element, { [name]: value })
        expect(Reflect.get(element, camel), `${name} of ${tag}`).to.equal(on)
        expect(Reflect.get(element, name), `${name} of ${tag}`).to.equal(on)
      }
    }
  }
})

it('texts and numbers stay attributes under their dashed names, so that CSS of the page finds them', async () => {
  const attributes = {
    'notif-counter': ['bubble-color', 'font-color'],
    'notif-feed': ['image-shape', 'infinite-scroll-height', 'item-layout', 'page-position', 'page-size'],
    'notif-launcher': ['offset-x', 'popup-width'],
    'notif-provider': ['api-url', 'client-id', 'custom-service-worker-path', 'user-hash', 'user-id']
  }
  for (const [tag, names] of Object.entries(attributes)) {
    const element = await show(`<${tag}></${tag}>`)
    for (const name of names) expect(name in element, `${name} of ${tag}`).to.equal(false)
  }
})

it('a parameter that may be a text or another value is a property under its dashed name', async () => {
  const popup = await show<NotifPopup>('<notif-popup></notif-popup>')
  const corner = { anchorOrigin: { horizontal: 'left', vertical: 'top' } }
  Object.assign(popup, { 'popover-position': corner })
  expect(popup.popoverPosition).to.equal(corner)
  for (const value of ['', false, 'open'] as const) {
    Object.assign(popup, { 'mark-opened': value })
    expect(popup.markOpened).to.equal(value)
  }
  const provider = await show<NotifProvider>('<notif-provider></notif-provider>')
  Object.assign(provider, { 'web-push-opt-in-message': false })
  expect(provider.webPushOptInMessage).to.equal(false)
})
