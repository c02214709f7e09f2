// The popup as users use it: with mouse and keyboard, live and offline.

import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore } from '../../components/index.ts'
import type { Transport } from '../../components/store/transport.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { harbour, many, world, type World } from './support/harbour.ts'
import {
  button,
  chooseInMenu,
  focused,
  focusOn,
  inside,
  open,
  rows,
  rowsShown,
  sendControl,
  settled,
  show,
  titles,
  type NotifPopup,
  waitUntil
} from './support/page.ts'

/** Opening marks all notifications as opened. */
const OPENS = '<notif-popup mark-opened="open"></notif-popup>'

const bell = (popup: NotifPopup): HTMLButtonElement => inside<HTMLButtonElement>(popup, '.bell')!
const name = (popup: NotifPopup): string => bell(popup).ariaLabel ?? bell(popup).title
const isOpen = (popup: NotifPopup): boolean => Boolean(inside(popup, '.panel')?.matches(':popover-open'))

async function popupOf(given: World, markup = '<notif-popup></notif-popup>'): Promise<NotifPopup> {
  const popup = await show<NotifPopup>(markup, element => (element.store = given.store))
  await waitUntil(() => given.store.$loading.get().state === 'ready', 'loaded')
  await settled(popup)
  return popup
}

/** As a browser says that its network has gone or come. */
function setNetwork(on: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: on })
  dispatchEvent(new Event(on ? 'online' : 'offline'))
}

describe('popup', () => {
  afterEach(() => void Reflect.deleteProperty(navigator, 'onLine'))

  it('has the number in the accessible name of its button', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    expect(name(popup)).to.equal('Notifications, 4 new')
    expect(bell(popup).getAttribute('aria-expanded')).to.equal('false')
    given.inbox.add({ title: 'Heron is back' })
    await waitUntil(() => name(popup) === 'Notifications, 5 new')
  })

  it('has the text of its button in the accessible name', async () => {
    const popup = await popupOf(world({ items: harbour() }), '<notif-popup> Inbox </notif-popup>')
    await waitUntil(() => name(popup) === 'Inbox 4, Notifications, new', name(popup))
    popup.textContent = ''
    await waitUntil(() => name(popup) === 'Notifications, 4 new', name(popup))
  })

  it('marks all notifications as opened when it opens with mark-opened="open", and still shows which were new', async () => {
    const given = world({ items: [...harbour(), ...many(120, 120)] })
    const popup = await popupOf(given, OPENS)
    expect(name(popup)).to.equal('Notifications, 99+ new')
    await open(popup)
    await waitUntil(() => given.inbox.page(1).counts.unopened === 0, 'also what was not loaded')
    await waitUntil(() => name(popup) === 'Notifications')
    expect(rows(popup).filter(row => row.hasAttribute('data-unread')).length).to.be.greaterThan(40)
    popup.hide()
    await waitUntil(() => !isOpen(popup))
    await open(popup)
    expect(rows(popup).some(row => row.hasAttribute('data-unread'))).to.equal(false)
  })

  it('marks only what arrives while it is open with mark-opened="open"', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given, OPENS)
    await open(popup)
    await waitUntil(() => given.inbox.page(1).counts.unopened === 0)
    button(popup, 'Mark as read')
    const first = rows(popup)[0]!
    first.querySelector<HTMLElement>('[data-act=read]')!.click()
    await settled(popup)
    first.querySelector<HTMLElement>('[data-act=unread]')!.click()
    await waitUntil(() => given.inbox.page(1).counts.unopened === 1, 'set to unread by hand')
    given.inbox.add({ id: 'live', title: 'Heron is back' })
    await waitUntil(() => given.inbox.page(1).items[0]!.opened, 'the new one is opened')
    expect(given.inbox.page(1).counts.unopened).to.equal(1)
    expect(rows(popup)[0]!.hasAttribute('data-unread')).to.equal(true)
    expect(rows(popup)[0]!.hasAttribute('data-new')).to.equal(true)
  })

  it('archives one and moves the focus to the next', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    await open(popup)
    const [first, second] = rows(popup)
    first!.querySelector<HTMLElement>('[data-act=archive]')!.focus()
    await sendKeys({ press: 'Enter' })
    await rowsShown(popup, 8)
    await focusOn(popup, () => second)
    expect(given.inbox.page(9).items.filter(({ archived }) => archived).length).to.equal(1)
    button(popup, 'Archived').click()
    await rowsShown(popup, 1)
    rows(popup)[0]!.querySelector<HTMLElement>('[data-act=unarchive]')!.click()
    await rowsShown(popup, 0)
    expect(inside(popup, '.empty-state')!.textContent).to.contain('Nothing archived')
  })

  it('archives all notifications and marks all as read', async () => {
    const given = world({ items: many(130, 130) })
    const popup = await popupOf(given)
    await open(popup)
    expect(button(popup, 'Mark all as read').getAttribute('aria-disabled')).to.equal(null)
    button(popup, 'Mark all as read').click()
    await waitUntil(() => !rows(popup).some(row => row.hasAttribute('data-unread')))
    expect(button(popup, 'Mark all as read').getAttribute('aria-disabled')).to.equal('true')
    await chooseInMenu(popup, 'Archive all')
    await waitUntil(() => given.inbox.page(1).counts.unarchived === 0)
    await waitUntil(() => inside(popup, '.empty-state')?.textContent?.includes('All caught up'))
  })

  it('follows a link once, marks the notification as clicked, and can be prevented', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    await open(popup)
    popup.addEventListener('notif-select', event => event.preventDefault(), { once: true })
    const link = rows(popup)[0]!.querySelector('a')!
    link.click()
    await settled(popup)
    expect(location.hash).to.equal('')
    expect(given.inbox.page(1).items[0]!.clicked).to.equal(undefined)
    const chosen = oneEvent(popup, 'notif-select')
    rows(popup)[0]!.focus()
    await sendKeys({ press: 'Enter' })
    expect((await chosen).detail.item.id).to.equal('h8')
    await waitUntil(() => given.inbox.page(1).items[0]!.clicked)
    expect(location.hash).to.equal('#amara')
    await waitUntil(() => !isOpen(popup), 'closes when the page goes on')
    history.replaceState(null, '', location.pathname + location.search)
  })

  it('opens links in a new tab with new-tab', async () => {
    const popup = await popupOf(world({ items: harbour() }), '<notif-popup new-tab></notif-popup>')
    await open(popup)
    const link = rows(popup)[0]!.querySelector('a')!
    expect([link.target, link.rel]).to.deep.equal(['_blank', 'noopener'])
    expect(link.textContent).to.contain('(opens in a new tab)')
  })

  it('can be used by keyboard alone', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    bell(popup).focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => isOpen(popup) && focused(popup)?.matches('.heading'), 'the heading has the focus')
    expect(bell(popup).getAttribute('aria-expanded')).to.equal('true')
    for (let step = 0; step < 4; step++) await sendKeys({ press: 'Tab' })
    const [first, second] = rows(popup)
    await focusOn(popup, () => first)
    await sendKeys({ press: 'PageDown' })
    await focusOn(popup, () => second)
    await sendKeys({ press: 'ArrowRight' })
    await focusOn(popup, () => second!.querySelector('button'))
    await sendKeys({ press: 'PageUp' })
    await focusOn(popup, () => first)
    await sendKeys({ press: 'PageUp' })
    await focusOn(popup, () => first)
    await sendControl('Home')
    await focusOn(popup, () => button(popup, 'All'))
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => !isOpen(popup))
    await focusOn(popup, () => bell(popup))
  })

  it('closes by a click outside and by its own methods', async () => {
    const popup = await popupOf(world({ items: harbour() }))
    await popup.toggle()
    await waitUntil(() => isOpen(popup) && popup.matches(':state(open)'))
    await popup.toggle()
    await waitUntil(() => !isOpen(popup) && !popup.matches(':state(open)'))
    await open(popup)
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    popup.remove()
    await popup.show()
    expect(isOpen(popup)).to.equal(false)
  })

  it('stays closed if it was hidden while its code loaded', async () => {
    const { store } = world({ items: harbour() })
    const closed = async (act: (popup: NotifPopup) => Promise<unknown>): Promise<void> => {
      const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
      await act(popup)
      await settled(popup)
      expect(isOpen(popup)).to.equal(false)
    }
    await closed(async popup => {
      const shown = popup.show()
      popup.hide()
      await shown
    })
    const twice = (popup: NotifPopup): Promise<unknown> => Promise.all([popup.toggle(), popup.toggle()])
    await closed(twice)
    await closed(async popup => {
      await open(popup)
      await popup.toggle()
      await waitUntil(() => !isOpen(popup))
      await twice(popup)
    })
  })

  it('loads more when its end comes into view, until there is no more', async () => {
    const given = world({ items: many(130) }, 20)
    const popup = await popupOf(given)
    await open(popup)
    const list = inside(popup, '.list')!
    await waitUntil(() => {
      list.scrollTop = list.scrollHeight
      return rows(popup).length === 130
    }, 'all are loaded')
    await waitUntil(() => inside(popup, '.end'))
    expect(rows(popup)[0]!.getAttribute('aria-setsize')).to.equal('130')
    expect(rows(popup)[129]!.getAttribute('aria-posinset')).to.equal('130')
  })

  it('shows at its end that some notifications did not load, and loads them on a click', async () => {
    const transport = world({ items: many(60) }).inbox.transport()
    let works = false
    const store = createNotifStore({
      pageSize: 20,
      transport: {
        ...transport,
        async getPage(count, cursor) {
          if (cursor && !works) throw new TransportError(500, 'away')
          return transport.getPage(count, cursor)
        }
      }
    })
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
    await open(popup)
    const list = inside(popup, '.list')!
    await waitUntil(() => {
      list.scrollTop = list.scrollHeight
      return inside(popup, '[role=alert]')?.textContent?.includes('Some notifications did not load')
    })
    works = true
    button(popup, 'Try again').click()
    await waitUntil(() => rows(popup).length > 20)
  })

  it('shows a button to new notifications while the list is scrolled down', async () => {
    const given = world({ items: many(60) })
    const popup = await popupOf(given)
    await open(popup)
    const list = inside(popup, '.list')!
    list.scrollTop = 600
    await settled(popup)
    for (const title of ['One', 'Two', 'Three']) given.inbox.add({ title })
    await waitUntil(() => inside(popup, '.new-items-button'))
    expect(inside(popup, '.new-items-button')!.textContent!.trim()).to.equal('3 new notifications')
    inside(popup, '.new-items-button button')!.click()
    await waitUntil(() => list.scrollTop === 0 && !inside(popup, '.new-items-button'))
    await focusOn(popup, () => rows(popup)[0])
  })

  it('undoes a refused change and shows a message', async () => {
    const { inbox } = world({ items: harbour() })
    const refuse = async (): Promise<never> => {
      throw new TransportError(403, 'no')
    }
    const store = createNotifStore({ transport: { ...inbox.transport(), patch: refuse } })
    const popup = await show<NotifPopup>(OPENS, element => (element.store = store))
    await waitUntil(() => store.$loading.get().state === 'ready')
    const failed = oneEvent(popup, 'notif-error')
    await open(popup)
    expect((await failed).detail.error).to.be.instanceOf(TransportError)
    await waitUntil(() => inside(popup, '[role=alert]'))
    expect(store.$unopened.get()).to.equal(4)
  })

  it('shows whether the server or the network is unavailable, and stays usable', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    await open(popup)
    const says = (text: string): Promise<void> =>
      waitUntil(() => inside(popup, '.banner')?.textContent?.includes(text))
    given.inbox.setOnline(false)
    await says('Not connected.')
    setNetwork(false)
    await says('Offline.')
    expect(rows(popup).length).to.equal(9)
    setNetwork(true)
    await says('Not connected.')
    given.inbox.setOnline(true)
    await waitUntil(() => !inside(popup, '.banner'))
  })

  it('shows that nothing could be loaded, and retries on a click', async () => {
    const { inbox } = world({ items: harbour() })
    let works = false
    const getPage = async (count: number): Promise<ReturnType<typeof inbox.page>> => {
      if (!works) throw new TransportError(0, 'away')
      return inbox.page(count)
    }
    const store = createNotifStore({ transport: { ...inbox.transport(), getPage } })
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
    await open(popup)
    await waitUntil(() => inside(popup, '.empty-state')?.textContent?.includes('did not load'))
    works = true
    button(popup, 'Try again').click()
    await rowsShown(popup, 9)
  })

  it('shows its own text if the server refuses the user, and logs the reason', async () => {
    const { inbox } = world()
    const transport: Transport = {
      ...inbox.transport(),
      connect(listener) {
        listener({ detail: 'The user hash is wrong.', title: 'Unauthorized', type: 'refused' })
        return () => {}
      },
      getPage: async () => {
        throw new TransportError(401, 'The user hash is wrong.')
      }
    }
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    try {
      const store = createNotifStore({ transport })
      const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
      await open(popup)
      await waitUntil(
        () =>
          inside(popup, '.empty-state-title')?.textContent === 'Your notifications cannot be shown' &&
          warnings[0]
      )
      expect(inside(popup, '.panel')!.textContent).to.contain('Reload the page, or sign in again.')
      expect(inside(popup, '.panel')!.textContent).not.to.contain('hash')
      expect(warnings).to.deep.equal([
        'notif-kit: the server refused the connection: The user hash is wrong.'
      ])
    } finally {
      console.warn = warn
    }
  })

  it('says in the console why the server refused, also if only a bell is on the page', async () => {
    const transport: Transport = {
      ...world().inbox.transport(),
      connect(listener) {
        listener({ detail: 'The user hash of Kofi is wrong.', title: 'Unauthorized', type: 'refused' })
        return () => {}
      }
    }
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    try {
      const store = createNotifStore({ transport })
      await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
      await waitUntil(() => warnings.length > 0)
      expect(warnings).to.deep.equal([
        'notif-kit: the server refused the connection: The user hash of Kofi is wrong.'
      ])
    } finally {
      console.warn = warn
    }
  })

  it('removes a retracted notification and keeps the focus in the list', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    await open(popup)
    rows(popup)[1]!.focus()
    given.inbox.remove(rows(popup)[1]!.id)
    await rowsShown(popup, 8)
    await focusOn(popup, () => rows(popup)[1])
  })

  it('has one button for each row that opens a menu on touch screens', async () => {
    const { matchMedia } = window
    const coarse = (query: string): MediaQueryList =>
      query === '(pointer: coarse)' ? ({ matches: true } as MediaQueryList) : matchMedia.call(window, query)
    window.matchMedia = coarse
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    await open(popup)
    window.matchMedia = matchMedia
    const more = rows(popup)[0]!.querySelector<HTMLElement>('[data-act=more]')!
    more.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => inside(popup, '.menu'))
    const menu = inside(popup, '.menu')!
    await waitUntil(() => menu.matches(':popover-open') && menu.contains(focused(popup)))
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => !menu.matches(':popover-open'))
    expect(isOpen(popup)).to.equal(true)
    more.click()
    await waitUntil(() => menu.matches(':popover-open'))
    button(popup, 'Archive').click()
    await rowsShown(popup, 8)
  })

  it('filters by a function: actions for all apply to what is shown, and archiving all is not offered', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given)
    popup.filter = ({ type }) => type === 'invoice' || type === 'comment'
    await open(popup)
    expect(titles(popup)).to.deep.equal(['Amara Osei commented on Harbour map', 'Invoice 2026-118 was paid'])
    button(popup, 'Menu').click()
    await waitUntil(() => inside(popup, '.menu:popover-open'))
    expect(inside(popup, '.menu')!.textContent).not.to.contain('Archive all')
  })

  it('loads nothing more after it is closed', async () => {
    const inbox = memoryInbox({ items: many(300) })
    const transport = inbox.transport()
    let asked = 0
    let release = (): void => {}
    const gate = new Promise<void>(resolve => (release = resolve))
    const store = createNotifStore({
      environment: { ready: async () => {} },
      pageSize: 20,
      transport: {
        ...transport,
        async getPage(...given) {
          asked += 1
          await gate
          return transport.getPage(...given)
        }
      }
    })
    const popup = await show<NotifPopup>('<notif-popup pagination="PAGINATED"></notif-popup>', element =>
      Object.assign(element, { filter: () => false, store })
    )
    await open(popup)
    await waitUntil(() => asked === 1, 'the first page is under way')
    popup.hide()
    await settled(popup)
    release()
    await waitUntil(() => store.$loading.get().state === 'ready')
    await settled(popup)
    await settled(popup)
    expect(asked).to.equal(1)
  })
})
