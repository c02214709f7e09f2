// The number of new notifications outside of the page: in its title, and on the icon of an installed app.

import { expect } from '@open-wc/testing'

import { configure, type NotifProvider } from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import { show, waitUntil } from './support/page.ts'

const providerOf = (given: ReturnType<typeof world>, markup: string): Promise<NotifProvider> =>
  show<NotifProvider>(markup, element => (element.store = given.store))

const becomes = (title: string): Promise<void> =>
  waitUntil(() => document.title === title, `${title}, not ${document.title}`)

describe('the title of the page', () => {
  beforeEach(() => void (document.title = 'Spring timetable'))

  it('has the number of new notifications, and is restored when there are none or the provider leaves', async () => {
    const given = world({ items: harbour() })
    const provider = await providerOf(given, '<notif-provider title-count></notif-provider>')
    await becomes('(4) Spring timetable')
    given.inbox.add({ title: 'Heron is back' })
    await becomes('(5) Spring timetable')
    // A page that shows another of its views.
    document.title = 'Boats'
    await becomes('(5) Boats')
    await given.store.markAsOpened()
    await becomes('Boats')
    given.inbox.add({ title: 'Heron is back' })
    await becomes('(1) Boats')
    provider.titleCount = false
    await becomes('Boats')
    provider.titleCount = true
    await becomes('(1) Boats')
    provider.remove()
    await becomes('Boats')
  })

  it('has no number without the attribute', async () => {
    const given = world({ items: harbour() })
    await providerOf(given, '<notif-provider></notif-provider>')
    const second = await providerOf(
      world({ items: harbour() }),
      '<notif-provider title-count></notif-provider>'
    )
    await becomes('(4) Spring timetable')
    second.remove()
    await becomes('Spring timetable')
  })

  it('has the number of `configure` and of a script tag too, until the next call; none while notifications are paused', async () => {
    const { pause, ...rest } = {
      notifications: [],
      pause: { isOn: false, until: null },
      preferences: [],
      subNotifications: []
    }
    const given = world({ items: harbour(), preferences: { ...rest, pause } })
    await configure({ store: given.store, titleCount: true })
    await becomes('(4) Spring timetable')
    given.inbox.prefer({ ...rest, pause: { isOn: true, until: null } })
    await becomes('Spring timetable')
    given.inbox.prefer({ ...rest, pause })
    await becomes('(4) Spring timetable')
    await configure({ store: given.store })
    await becomes('Spring timetable')
    // An attribute without a value is an empty text.
    await configure({ store: given.store, titleCount: '' as unknown as boolean })
    await becomes('(4) Spring timetable')
    await configure({ store: given.store, titleCount: 'false' as unknown as boolean })
    await becomes('Spring timetable')
  })
})

describe('the icon of an installed app', () => {
  const { matchMedia } = window
  const { setAppBadge } = navigator
  afterEach(() => {
    Object.assign(window, { matchMedia })
    Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value: setAppBadge })
  })

  it('has the number, until there are none or the provider leaves; off by app-badge', async () => {
    const badges: number[] = []
    const value = async (count: number): Promise<void> => void badges.push(count)
    Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value })
    // As in a window of an installed app.
    window.matchMedia = query => matchMedia(query.replace('standalone', 'browser'))
    const given = world({ items: harbour() })
    const off = await providerOf(given, '<notif-provider app-badge="off"></notif-provider>')
    const provider = await providerOf(given, '<notif-provider></notif-provider>')
    await waitUntil(() => badges.at(-1) === 4)
    off.remove()
    expect(badges.filter(count => count > 0)).to.deep.equal([4])
    provider.remove()
    await waitUntil(() => badges.at(-1) === 0)
  })
})
