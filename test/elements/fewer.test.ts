// "Fewer like this" on a row: its type is turned off, or sent once a day, and the row leaves; or the settings of the type open.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore, type Notif } from '../../components/index.ts'
import { memoryInbox, type MemoryInbox } from '../../components/testing.ts'
import { harbour, world } from './support/harbour.ts'
import {
  allInside,
  button,
  focusOn,
  inside,
  open,
  rows,
  rowsShown,
  settled,
  show,
  titles,
  type NotifFeed,
  type NotifPopup,
  waitUntil
} from './support/page.ts'
import { harbourPreferences } from './support/preferences.ts'

const line = (popup: NotifPopup): string => inside(popup, '.undo-line b')?.textContent ?? ''
const items = (popup: NotifPopup): HTMLElement[] => allInside(popup, '.menu:popover-open [role=menuitem]')
/** Without the quiet words below. */
const nameOf = (name: Element): string =>
  [...name.childNodes].map(node => (node instanceof Text ? node.data : '')).join('')
const names = (popup: NotifPopup): string[] =>
  items(popup).map(item => nameOf(item.querySelector('.menu-name')!).trim())
/** In-app and mobile push are on, and email is hourly. */
const typed = (type: string): { readonly title: string; readonly type: string }[] =>
  harbour().map(item => Object.assign(item, { type }))
const worldOf = (type: string) => world({ items: typed(type), preferences: harbourPreferences() })

async function openWith(
  store: NotifPopup['store'],
  markup = '<notif-popup></notif-popup>'
): Promise<NotifPopup> {
  const popup = await show<NotifPopup>(markup, element => (element.store = store))
  await open(popup)
  await waitUntil(() => rows(popup).length > 0)
  return popup
}

async function openMenu(popup: NotifPopup, index = 0): Promise<void> {
  rows(popup)[index]!.focus()
  await sendKeys({ press: 'm' })
  await waitUntil(() => items(popup).length > 0, 'the menu')
}

const choices = async (inbox: MemoryInbox, type = 'comments'): Promise<string> =>
  (await inbox.transport().getPreferences()).preferences
    .filter(({ notificationId }) => notificationId === type)
    .map(({ channel, delivery }) => `${channel} ${delivery}`)
    .join(', ')
const BEFORE = 'EMAIL hourly, INAPP_WEB instant, PUSH instant, WEB_PUSH off'

async function untilChoices(inbox: MemoryInbox, wanted: string): Promise<void> {
  let now = ''
  for (let tries = 0; tries < 200 && now !== wanted; tries++) {
    now = await choices(inbox)
    await new Promise(requestAnimationFrame)
  }
  expect(now).to.equal(wanted)
}

describe('fewer like this', () => {
  it('opens its menu with M, headed by the title of the type, and Esc returns to the button', async () => {
    const popup = await openWith(worldOf('comments').store)
    await openMenu(popup)
    const opener = rows(popup)[0]!.querySelector<HTMLElement>('[data-act=fewer]')!
    expect([opener.title, opener.ariaHasPopup, opener.ariaExpanded]).to.deep.equal([
      'Fewer like this',
      'menu',
      'true'
    ])
    expect(inside(popup, '.menu-heading')!.textContent).to.equal('Comments and mentions')
    expect(names(popup)).to.deep.equal(['Turn off', 'Once a day', 'Settings of this type'])
    expect(items(popup)[0]!.textContent).to.contain('None of these any more')
    await expect(popup).to.be.accessible()
    await sendKeys({ press: 'Escape' })
    await focusOn(popup, () => opener)
  })

  it('turns the type off, tells the page, and Z brings back the row and all switches', async () => {
    const { inbox, store } = worldOf('comments')
    const popup = await openWith(store)
    const events: unknown[] = []
    popup.addEventListener('notif-action', ({ detail }) => events.push([detail.action, detail.item?.id]))
    const before = titles(popup)
    const id = rows(popup)[1]!.id
    await openMenu(popup, 1)
    items(popup)[0]!.click()
    await rowsShown(popup, 8)
    await waitUntil(() => line(popup) === 'Turned off: Comments and mentions', line(popup))
    await untilChoices(inbox, 'EMAIL off, INAPP_WEB off, PUSH off, WEB_PUSH off')
    expect(
      inbox
        .page(9)
        .items.filter(({ archived }) => archived)
        .map(one => one.id)
    ).to.deep.equal([id])
    expect(events).to.deep.equal([['mute', id]])
    await sendKeys({ press: 'z' })
    await rowsShown(popup, 9)
    expect(titles(popup)).to.deep.equal(before)
    await focusOn(popup, () => rows(popup)[1])
    await untilChoices(inbox, BEFORE)
    await waitUntil(() => inbox.page(9).items.every(({ archived }) => !archived))
  })

  it('sends the type once a day by email only', async () => {
    const { inbox, store } = worldOf('comments')
    const popup = await openWith(store)
    await openMenu(popup)
    items(popup)[1]!.click()
    await rowsShown(popup, 8)
    await waitUntil(() => line(popup) === 'Once a day from now on', line(popup))
    await untilChoices(inbox, 'EMAIL daily, INAPP_WEB off, PUSH off, WEB_PUSH off')
  })

  it('changes nothing if the page prevents it', async () => {
    const { inbox, store } = worldOf('comments')
    const popup = await openWith(store)
    popup.addEventListener('notif-action', event => event.preventDefault())
    await openMenu(popup)
    items(popup)[0]!.click()
    await settled(popup)
    expect(rows(popup).length).to.equal(9)
    expect(await choices(inbox)).to.equal(BEFORE)
  })

  it('offers only what the user may choose', async () => {
    const popup = await openWith(worldOf('season').store)
    await openMenu(popup)
    expect(names(popup)).to.deep.equal(['Turn off', 'Settings of this type'])
    await sendKeys({ press: 'Escape' })
    const { inbox, store } = world({ items: typed('new_invoice'), preferences: harbourPreferences() })
    const other = await openWith(store)
    await openMenu(other)
    expect(inside(other, '.menu-heading')!.textContent).to.equal('New invoice')
    expect(names(other)).to.deep.equal(['Settings of this type'])
    expect(inbox.page(1).counts.unarchived).to.equal(9)
  })

  it('opens the settings at the type, with the focus on its first switch', async () => {
    const popup = await openWith(worldOf('safety').store)
    await openMenu(popup)
    items(popup).at(-1)!.click()
    await waitUntil(() => inside(popup, 'notif-preferences-popup'))
    const dialog = inside(popup, 'notif-preferences-popup')!
    const focused = (): Element | null => dialog.shadowRoot!.activeElement
    await waitUntil(() => focused()?.matches('input'), 'the focus')
    expect(focused()!.closest<HTMLElement>('[data-type]')!.dataset['type']).to.equal('safety')
    expect(popup.open).to.equal(false)
  })

  it('brings the row back and says so if the server refuses, and tries again', async () => {
    const inbox = memoryInbox({ items: typed('comments'), preferences: harbourPreferences() })
    const transport = inbox.transport()
    let works = false
    const store = createNotifStore({
      transport: {
        ...transport,
        updateDeliveries: async (...given) => {
          if (!works) throw new TransportError(403, 'no')
          return transport.updateDeliveries(...given)
        }
      }
    })
    const popup = await openWith(store)
    await openMenu(popup)
    items(popup)[0]!.click()
    await waitUntil(() => line(popup) === 'Not saved.')
    await rowsShown(popup, 9)
    expect(inside(popup, '.undo-line')!.textContent).to.contain('is back.')
    works = true
    button(popup, 'Try again').click()
    await rowsShown(popup, 8)
    await untilChoices(inbox, 'EMAIL off, INAPP_WEB off, PUSH off, WEB_PUSH off')
  })

  it('offers everything if the preferences cannot be read, under the words of the id', async () => {
    const { inbox } = world({ items: typed('crew-invitations') })
    const away = async (): Promise<never> => {
      throw new TransportError(0, 'away')
    }
    const store = createNotifStore({ transport: { ...inbox.transport(), getPreferences: away } })
    const popup = await openWith(store)
    await openMenu(popup)
    expect(inside(popup, '.menu-heading')!.textContent).to.equal('Crew invitations')
    expect(names(popup).length).to.equal(3)
  })

  it('is neither on archived rows nor on items of the page, and the help lists its key only where it works', async () => {
    const { store } = worldOf('comments')
    const popup = await openWith(store)
    const helpOf = async (): Promise<string> => {
      await sendKeys({ press: '?' })
      await waitUntil(() => inside(popup, '.help:popover-open'))
      const text = inside(popup, '.help')!.textContent!
      await sendKeys({ press: 'Escape' })
      return text
    }
    rows(popup)[0]!.focus()
    expect(await helpOf()).to.contain('Fewer like this')
    await sendKeys({ press: 'e' })
    await rowsShown(popup, 8)
    button(popup, 'Archived').click()
    await rowsShown(popup, 1)
    expect(inside(popup, '[data-act=fewer]') === null).to.equal(true)
    rows(popup)[0]!.focus()
    const help = await helpOf()
    expect([help.includes('Fewer like this'), help.includes('Snooze')]).to.deep.equal([false, false])
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => {
      element.dataSource = [{ id: 'own', title: 'Own' }] satisfies Partial<Notif>[]
    })
    await rowsShown(feed, 1)
    expect(inside(feed, '[data-act=fewer]') === null).to.equal(true)
  })

  it('is in German, and in Arabic from right to left', async () => {
    const popup = await openWith(worldOf('comments').store, '<notif-popup lang="de"></notif-popup>')
    await waitUntil(() => allInside(popup, '[data-act=fewer]').some(({ title }) => title === 'Weniger davon'))
    await openMenu(popup)
    expect(names(popup)).to.deep.equal(['Ausschalten', 'Einmal am Tag', 'Einstellungen dieser Art'])
    popup.hide()
    const arabic = await openWith(
      worldOf('comments').store,
      '<notif-popup lang="ar" dir="rtl"></notif-popup>'
    )
    await waitUntil(() => allInside(arabic, '[data-act=fewer]').some(({ title }) => /النوع/.test(title)))
    await openMenu(arabic)
    const menu = inside(arabic, '.menu')!.getBoundingClientRect()
    expect([menu.left >= 0, menu.right <= innerWidth]).to.deep.equal([true, true])
  })
})
