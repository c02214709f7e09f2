// After the user of a page changes, no data of the previous user is shown or stored.

import { expect } from '@open-wc/testing'

import {
  configure,
  createNotifStore,
  getNotifContext,
  NotifProvider,
  TransportError,
  type NotifPreferences,
  type NotifStore
} from '../../components/index.ts'
import { memoryInbox } from '../../components/testing.ts'
import { world } from './support/harbour.ts'
import {
  allInside,
  button,
  inside,
  open,
  rows,
  rowsShown,
  settled,
  show,
  waitUntil,
  type NotifFeed,
  type NotifPopup
} from './support/page.ts'
import { harbourPreferences } from './support/preferences.ts'

const storeOf = (...titles: readonly string[]): NotifStore =>
  world({ items: titles.map(title => ({ title })) }).store

describe('the next user of a page', () => {
  it('finds no data of the user who signed out, also in a closed inbox', async () => {
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element =>
      Object.assign(element, {
        renderItem: ({ title }: { title: string }) => title,
        store: storeOf('Secret')
      })
    )
    await open(popup)
    await rowsShown(popup, 1)
    popup.hide()
    await settled(popup)
    popup.store = undefined
    await settled(popup)
    expect(rows(popup).length).to.equal(0)
    expect(popup.textContent).to.equal('')
  })

  it('finds no data of the previous user in a feed that is loading', async () => {
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element =>
      Object.assign(element, {
        renderItem: ({ title }: { title: string }) => title,
        store: storeOf('Secret')
      })
    )
    await rowsShown(feed, 1)
    feed.store = undefined
    await settled(feed)
    expect(rows(feed).length).to.equal(0)
    expect(feed.textContent).to.equal('')
    feed.store = storeOf('Open')
    await waitUntil(() => feed.textContent === 'Open')
  })

  it('starts at the first tab', async () => {
    const feed = await show<NotifFeed>(
      '<notif-feed></notif-feed>',
      element => (element.store = storeOf('One'))
    )
    await rowsShown(feed, 1)
    button(feed, 'Archived').click()
    await waitUntil(() => rows(feed).length === 0)
    feed.store = storeOf('Two')
    await rowsShown(feed, 1)
    expect(button(feed, 'All').ariaPressed).to.equal('true')
  })

  it('does not see that a change of the previous user was refused', async () => {
    const preferences = (): NotifStore =>
      createNotifStore({
        environment: { ready: async () => {} },
        transport: {
          ...memoryInbox({ preferences: harbourPreferences() }).transport(),
          updateDeliveries: () => Promise.reject(new TransportError(422, 'No.'))
        }
      })
    const element = await show<NotifPreferences>(
      '<notif-preferences></notif-preferences>',
      raw => (raw.store = preferences())
    )
    await waitUntil(() => allInside(element, 'input').length > 0)
    inside(element, 'input')!.click()
    await waitUntil(() => inside(element, '[role=alert]'))
    element.store = preferences()
    await settled(element)
    await waitUntil(() => allInside(element, 'input').length > 0)
    expect(allInside(element, '[role=alert]').length).to.equal(0)
  })

  it('sees the push prompt also if the inbox opened before it had a store', async () => {
    localStorage.removeItem('hideWebPushOptInMessage')
    // The second opening.
    localStorage.setItem('notif-push:', JSON.stringify({ looks: 1, refusals: 0, refusedAt: 0 }))
    const worker = Object.getOwnPropertyDescriptor(ServiceWorkerContainer.prototype, 'getRegistration')!
    const value = async (): Promise<object> => ({})
    Object.defineProperty(ServiceWorkerContainer.prototype, 'getRegistration', { configurable: true, value })
    const permission = Object.getOwnPropertyDescriptor(Notification, 'permission')!
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'default' })
    try {
      const feed = await show<NotifFeed>('<notif-feed mark-opened></notif-feed>')
      feed.store = storeOf('One')
      await waitUntil(() => inside(feed, '[part=push-prompt]'), 'the row')
    } finally {
      Object.defineProperty(ServiceWorkerContainer.prototype, 'getRegistration', worker)
      Object.defineProperty(Notification, 'permission', permission)
      localStorage.setItem('hideWebPushOptInMessage', 'true')
    }
  })
})

describe('an early action', () => {
  it('opens the preferences once, also after several clicks while they load', async () => {
    const feed = await show<NotifFeed>(
      '<notif-feed></notif-feed>',
      element => (element.store = storeOf('One'))
    )
    await rowsShown(feed, 1)
    button(feed, 'Menu').click()
    await waitUntil(() => inside(feed, '.menu:popover-open'))
    const item = button(feed, 'Preferences')
    item.click()
    item.click()
    await waitUntil(() => inside(feed, 'notif-preferences-popup'))
    await settled(feed)
    expect(allInside(feed, 'notif-preferences-popup').length).to.equal(1)
  })

  it('gets the store of a provider that is defined later, not the store of the document', async () => {
    const place = await show('<late-provider><p></p></late-provider>')
    const context = getNotifContext(place.firstElementChild!)
    customElements.define('late-provider', class extends NotifProvider {})
    const [outer, inner] = [storeOf('Outer'), storeOf('Inner')]
    await configure({ store: outer })
    ;(place as NotifProvider).store = inner
    expect((await context) === inner).to.equal(true)
  })
})
