// A pause as users see it: in the header's menu, on the bell, above the list, and in what does not interrupt any more.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { createNotifStore } from '../../components/headless/index.ts'
import type { NotifCounter, NotifLauncher, NotifToast } from '../../components/index.ts'
import type { Preferences } from '../../components/protocol/index.ts'
import { TransportError } from '../../components/store/transport.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { harbour, world, type World } from './support/harbour.ts'
import {
  allInside,
  button,
  chooseInMenu,
  focused,
  focusOn,
  inside,
  nameOf,
  open,
  rows,
  settled,
  show,
  waitUntil,
  type NotifPopup
} from './support/page.ts'

const HOUR_MS = 3_600_000

const PREFERENCES: Preferences = {
  notifications: [{ channels: [], notificationId: 'urgent', options: {}, title: 'Urgent', urgent: true }],
  pause: { isOn: false, until: null },
  preferences: [],
  quiet: { days: [1], from: '22:00', on: false, to: '07:00', urgentPasses: true, zone: 'UTC' },
  subNotifications: []
}

const pausedWorld = (until: string | null = null): World =>
  world({ items: harbour(), preferences: { ...PREFERENCES, pause: { isOn: true, until } } })

const popupOf = async (given: World): Promise<NotifPopup> => {
  const popup = await show<NotifPopup>(
    '<notif-popup></notif-popup>',
    element => (element.store = given.store)
  )
  await waitUntil(() => given.store.$pause.get(), 'the pause is known')
  await settled(popup)
  return popup
}

const bellOf = (popup: Element): HTMLElement => inside(popup, '.bell')!
/** Two bars are two more parts of the path. */
const hasBars = (popup: Element): boolean =>
  inside(popup, '.bell path')!.getAttribute('d')!.includes('v3.75M')
const noteOf = (popup: Element): string | undefined =>
  inside(popup, '.paused span')?.textContent!.replaceAll(/\s+/g, ' ').trim()

describe('a pause', () => {
  it('shows two bars instead of a badge, on the bell, the launcher and the counter', async () => {
    const given = pausedWorld()
    const popup = await popupOf(given)
    const place = (element: NotifCounter | NotifLauncher): void => void (element.store = given.store)
    const launcher = await show<NotifLauncher>('<notif-launcher></notif-launcher>', place)
    const counter = await show<NotifCounter>('<notif-counter show-zero></notif-counter>', place)
    for (const bell of [popup, launcher]) {
      expect(hasBars(bell)).to.equal(true)
      expect(inside(bell, '.badge') === null).to.equal(true)
      expect(nameOf(bellOf(bell))).to.equal('Notifications, paused')
    }
    expect(inside(counter, '.badge') === null).to.equal(true)
    given.inbox.prefer(PREFERENCES)
    await waitUntil(() => inside(popup, '.badge')?.textContent === '4', 'the badge is back')
    expect(hasBars(popup)).to.equal(false)
    expect(nameOf(bellOf(popup))).to.equal('Notifications, 4 new')
    await waitUntil(() => inside(counter, '.badge')?.textContent === '4', 'the counter is back')
  })

  it('begins in the menu for one hour, is undone by its line, and ends by the line above the list', async () => {
    const given = world({ items: harbour(), preferences: PREFERENCES })
    const popup = await popupOf(given)
    await open(popup)
    await chooseInMenu(popup, 'Pause')
    await waitUntil(() => noteOf(popup)?.startsWith('Paused until '), 'the line')
    expect(noteOf(popup)).to.match(/^Paused until .*\d.*\. Urgent ones still come\.$/)
    const { until } = given.store.$pause.get()!
    expect(Date.parse(until!) - Date.now()).to.be.within(HOUR_MS - 60_000, HOUR_MS)
    expect(hasBars(popup)).to.equal(true)
    await waitUntil(
      () => inside(popup, '.undo-line b')?.textContent!.startsWith('Paused until '),
      'undo line'
    )
    expect(given.store.$undoable.get()?.action).to.equal('pause')
    // Undo does not answer a double click.
    await waitUntil(() => {
      inside(popup, '.undo-line button')?.click()
      return given.store.$pause.get()?.isOn === false
    }, 'undone')
    await waitUntil(() => noteOf(popup) === undefined, 'no line')
    expect(hasBars(popup)).to.equal(false)

    await chooseInMenu(popup, 'Pause')
    await waitUntil(() => noteOf(popup), 'the line')
    button(popup, 'Menu').click()
    await waitUntil(() => inside(popup, '.menu:popover-open'), 'the menu')
    const names = allInside(popup, '.menu button .menu-name').map(({ textContent }) => textContent)
    expect(names).not.to.include('Pause')
    inside(popup, '.menu')!.hidePopover()
    await focusOn(popup, () => inside(popup, '[data-act=menu]'))
    button(popup, 'Turn on').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => noteOf(popup) === undefined, 'no line')
    await focusOn(popup, () => inside(popup, '.heading'))
    expect(given.store.$pause.get()).to.deep.equal({ isOn: false, until: null })
  })

  it('ends by itself when its time is over', async () => {
    const given = pausedWorld(new Date(Date.now() + 1500).toISOString())
    const popup = await popupOf(given)
    expect(hasBars(popup)).to.equal(true)
    await waitUntil(() => inside(popup, '.badge')?.textContent === '4', 'the badge is back')
    expect(hasBars(popup)).to.equal(false)
  })

  it('is taken back if the server refuses it, and is a line in the inbox then', async () => {
    const inbox = memoryInbox({ items: harbour(), preferences: PREFERENCES })
    const transport = {
      ...inbox.transport(),
      updateSettings: async () => {
        throw new TransportError(422, 'Refused.')
      }
    }
    const store = createNotifStore({ environment: { ready: async () => {} }, transport })
    const given = { inbox, store }
    const popup = await popupOf(given)
    await open(popup)
    await chooseInMenu(popup, 'Pause')
    await waitUntil(() => inside(popup, '.undo-line[data-danger]'), 'the line says that it failed')
    expect(given.store.$pause.get()?.isOn).to.equal(false)
    expect(focused(popup) === null).to.equal(false)
  })

  it('holds toasts and announcements back, but not urgent ones; rows arrive', async () => {
    const given = pausedWorld()
    const popup = await popupOf(given)
    const toast = await show<NotifToast>(
      '<notif-toast></notif-toast>',
      element => (element.store = given.store)
    )
    given.inbox.add({ title: 'Heron is back' })
    given.inbox.add({ title: 'Man overboard', type: 'urgent' })
    await waitUntil(() => rows(toast).length > 0, 'the urgent one')
    await settled(toast)
    expect(allInside(toast, '.title').map(({ textContent }) => textContent!.trim())).to.deep.equal([
      'Man overboard'
    ])
    const said = (): string => document.querySelector('[role=status]')?.textContent ?? ''
    await waitUntil(() => said().includes('Man overboard'), 'the urgent one is announced')
    expect(said()).not.to.include('Heron')
    await open(popup)
    await waitUntil(() => rows(popup).length > 0)
    expect(allInside(popup, 'article .title').map(({ textContent }) => textContent!.trim())).to.include(
      'Heron is back'
    )
  })

  it('is not offered where it is not known, such as for a list of the page', async () => {
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => {
      element.store = world({ items: harbour() }).store
      Object.defineProperty(element.store, '$pause', { value: undefined })
    })
    await open(popup)
    button(popup, 'Menu').click()
    await waitUntil(() => inside(popup, '.menu:popover-open'), 'the menu')
    const names = allInside(popup, '.menu button .menu-name').map(({ textContent }) => textContent)
    expect(names).not.to.include('Pause')
  })
})
