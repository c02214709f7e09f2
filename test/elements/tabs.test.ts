// Tabs for some types, the menu of those that do not fit, and the list of what is snoozed.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import type { NotifFeed } from '../../components/index.ts'
import { createNotifStore } from '../../components/index.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import {
  allInside,
  button,
  chooseInMenu,
  focused,
  focusOn,
  inside,
  open,
  rowsShown,
  settled,
  show,
  titles,
  waitUntil,
  type NotifPopup
} from './support/page.ts'

const HOUR = 3_600_000

const TABS = [
  { label: 'Mentions', types: ['mention'] },
  { label: 'Approvals', types: ['approval'] },
  { label: 'Boats', tags: ['boats'] }
]

interface Given {
  readonly inbox: ReturnType<typeof memoryInbox>
  readonly store: ReturnType<typeof createNotifStore>
}

/** 12 notifications: four mentions, one of them read, two approvals, six about boats, all of them read. */
function world(): Given {
  const inbox = memoryInbox({ tags: { boats: ['boat'] } })
  const add = (type: string, count: number, opened = false): void => {
    for (let i = 1; i <= count; i++) {
      const date = new Date(Date.now() - i * HOUR).toISOString()
      inbox.add({ date, title: `${type} ${i}`, type, ...(opened && { opened: date }) })
    }
  }
  add('mention', 3)
  add('mention', 1, true)
  add('approval', 2)
  add('boat', 6, true)
  return { inbox, store: createNotifStore({ transport: inbox.transport() }) }
}

const tabTexts = (element: Element): string[] =>
  allInside(element, '.tab')
    .filter(tab => tab.checkVisibility({ checkVisibilityCSS: true }))
    .map(tab => tab.textContent!.trim().replaceAll(/\s+/g, ' '))

async function shown(element: Element, expected: readonly string[]): Promise<void> {
  await waitUntil(
    () => String(tabTexts(element)) === String(expected),
    `${expected}; is ${tabTexts(element)}`
  )
}

const feedOf = (given: Given, tabs: unknown = TABS): Promise<NotifFeed> =>
  show<NotifFeed>('<notif-feed pagination="INFINITE_SCROLL"></notif-feed>', element => {
    element.store = given.store
    element.tabs = tabs as string
  })

const choose = (element: Element, name: string): void =>
  allInside<HTMLButtonElement>(element, '.tab')
    .find(tab => tab.textContent!.includes(name))!
    .click()

async function chooseInMore(element: Element, name: string): Promise<void> {
  inside(element, '.tab-more')!.click()
  const item = (): HTMLElement | undefined =>
    allInside(element, '.menu:popover-open button').find(({ textContent }) => textContent!.includes(name))
  await waitUntil(item, `“${name}” in the menu`)
  item()!.click()
}

describe('tabs', () => {
  it('show the unread of their types, also by JSON in the attribute, and follow changes', async () => {
    const given = world()
    const feed = await feedOf(given, JSON.stringify(TABS))
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    given.inbox.add({ title: 'New boat', type: 'boat' })
    await shown(feed, ['All', 'Unread 6', 'Mentions 3', 'Approvals 2', 'Boats 1', 'More'])
    await given.store.markAsOpened([given.store.$notifications.get()[0]!.id])
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
  })

  it('list their types only, and act on these only', async () => {
    const given = world()
    const feed = await feedOf(given)
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    choose(feed, 'Mentions')
    await rowsShown(feed, 4)
    expect(titles(feed).every(title => title.startsWith('mention'))).to.equal(true)
    button(feed, 'Mark all as read').click()
    await shown(feed, ['All', 'Unread 2', 'Mentions', 'Approvals 2', 'Boats', 'More'])
    await chooseInMenu(feed, 'Archive all')
    await rowsShown(feed, 0)
    choose(feed, 'All')
    await rowsShown(feed, 8)
    expect(given.inbox.page(50).counts.unarchived).to.equal(8)
  })

  it('say what is empty, and lead back to all', async () => {
    const given = world()
    const feed = await feedOf(given, [{ label: 'Invoices', types: ['invoice'] }])
    await shown(feed, ['All', 'Unread 5', 'Invoices', 'More'])
    choose(feed, 'Invoices')
    await waitUntil(() => inside(feed, '.empty-state')?.textContent?.includes('Nothing in “Invoices”'))
    expect(inside(feed, '.empty-state')!.textContent).to.include('5 others are unread.')
    button(feed, 'Show all').click()
    await rowsShown(feed, 12)
  })

  it('load more than the list has', async () => {
    const inbox = memoryInbox()
    for (let i = 0; i < 40; i++) inbox.add({ title: `old ${i}`, type: 'old' })
    for (let i = 0; i < 60; i++) inbox.add({ title: `new ${i}`, type: 'new' })
    const store = createNotifStore({ pageSize: 20, transport: inbox.transport() })
    const feed = await feedOf({ inbox, store }, [{ label: 'Old', types: ['old'] }])
    await shown(feed, ['All', 'Unread 100', 'Old 40', 'More'])
    choose(feed, 'Old')
    await waitUntil(() => titles(feed).length > 0 && titles(feed).every(title => title.startsWith('old')))
  })

  it('are in their row also where it is out of sight', async () => {
    const given = world()
    const feed = await feedOf(given)
    const all = ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More']
    await shown(feed, all)
    feed.style.marginBlockStart = '200vh'
    feed.style.inlineSize = '320px'
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'More'])
    feed.style.inlineSize = ''
    await shown(feed, all)
  })

  it('that do not fit are in the menu, whose button has the name of the chosen one', async () => {
    const given = world()
    const feed = await feedOf(given)
    feed.style.inlineSize = '320px'
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'More'])
    await chooseInMore(feed, 'Approvals')
    await rowsShown(feed, 2)
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals'])
    expect(inside(feed, '.tab-more')!.getAttribute('aria-pressed')).to.equal('true')
    feed.style.inlineSize = '700px'
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    const { clientWidth, scrollWidth } = inside(feed, '.tabs')!
    expect(scrollWidth).to.equal(clientWidth)
  })

  it('are one Tab stop, in which arrows, Home and End move, mirrored from right to left', async () => {
    const place = await show(
      '<div><button>Before</button><notif-feed></notif-feed><button>After</button></div>'
    )
    const feed = place.querySelector('notif-feed')!
    const { store } = world()
    feed.store = store
    feed.tabs = TABS
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    const named = (name: string) => (): HTMLElement | undefined =>
      allInside(feed, '.tab').find(tab => tab.textContent!.includes(name))
    const stops = (): string[] =>
      allInside(feed, '.tab').flatMap(tab => (tab.tabIndex === 0 ? [tab.textContent!.trim()] : []))
    expect(stops()).to.deep.equal(['All'])
    named('All')()!.focus()
    await import('../../components/inbox/header/tab-keys.ts')
    await settled(feed)
    await sendKeys({ press: 'ArrowRight' })
    await focusOn(feed, named('Unread'))
    expect(inside(feed, '.tab[aria-pressed=true]')!.textContent!.trim(), 'not chosen yet').to.equal('All')
    await sendKeys({ press: 'End' })
    await focusOn(feed, named('More'))
    await sendKeys({ press: 'ArrowRight' })
    await focusOn(feed, named('All'))
    await sendKeys({ press: 'ArrowLeft' })
    await focusOn(feed, named('More'))
    await sendKeys({ press: 'Home' })
    await focusOn(feed, named('All'))
    feed.dir = 'rtl'
    await sendKeys({ press: 'ArrowLeft' })
    await sendKeys({ press: 'ArrowLeft' })
    await focusOn(feed, named('Mentions'))
    await sendKeys({ press: 'Enter' })
    await rowsShown(feed, 4)
    await sendKeys({ press: 'Home' })
    expect(stops(), 'the focused one').to.deep.equal(['All'])
    await sendKeys({ down: 'Shift' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ up: 'Shift' })
    expect(stops()[0], 'the chosen one').to.include('Mentions')
    expect(inside(feed, '[role=toolbar]')!.ariaLabel).to.equal('Show')
    await expect(feed).to.be.accessible()
  })

  it('are there in a feed that marks nothing', async () => {
    const given = world()
    const feed = await show<NotifFeed>('<notif-feed mark-opened="never"></notif-feed>', element => {
      element.store = given.store
      element.tabs = TABS
    })
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    choose(feed, 'Mentions')
    await rowsShown(feed, 4)
    expect(given.store.$unseen.get()).to.equal(5)
  })

  it('may have a tag of more types than a request names', async () => {
    const types = Array.from({ length: 70 }, (_, i) => `boat-${i}`)
    const inbox = memoryInbox({ tags: { boats: types } })
    for (const type of types) inbox.add({ title: type, type })
    inbox.add({ title: 'other', type: 'other' })
    const store = createNotifStore({ pageSize: 20, transport: inbox.transport() })
    const feed = await feedOf({ inbox, store }, [{ label: 'Boats', tags: ['boats'] }])
    await shown(feed, ['All', 'Unread 71', 'Boats 70', 'More'])
    choose(feed, 'Boats')
    await waitUntil(() => titles(feed).length > 0 && titles(feed).every(title => title.startsWith('boat')))
    button(feed, 'Mark all as read').click()
    await shown(feed, ['All', 'Unread 1', 'Boats', 'More'])
    await waitUntil(() => inbox.page(1).counts.unopened === 1)
  })

  it('are used by the keyboard, and the focus returns from the menu', async () => {
    const feed = await feedOf(world())
    await shown(feed, ['All', 'Unread 5', 'Mentions 3', 'Approvals 2', 'Boats', 'More'])
    inside(feed, '.tab-more')!.focus()
    await sendKeys({ press: 'Enter' })
    await focusOn(feed, () => inside(feed, '.menu:popover-open [role=menuitem]'))
    await sendKeys({ press: 'Escape' })
    await focusOn(feed, () => inside(feed, '.tab-more'))
    await sendKeys({ press: 'Enter' })
    await focusOn(feed, () => inside(feed, '.menu:popover-open [role=menuitem]'))
    await sendKeys({ press: 'End' })
    expect(focused(feed)?.textContent).to.include('Archived')
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => inside(feed, '.tab-more')!.textContent!.includes('Archived'))
  })

  it('a snoozed notification is in its own list alone, soonest first', async () => {
    const given = world()
    const feed = await feedOf(given, '')
    await rowsShown(feed, 12)
    expect(Boolean(inside(feed, '.tab-more'))).to.equal(false)
    const [first, second] = given.store.$notifications.get()
    await given.store.snooze([first!.id], new Date(Date.now() + 20 * HOUR))
    await given.store.snooze([second!.id], new Date(Date.now() + 2 * HOUR))
    await rowsShown(feed, 10)
    await shown(feed, ['All', 'Unread 4', 'Archived', 'More'])
    await chooseInMore(feed, 'Snoozed')
    await rowsShown(feed, 2)
    expect(titles(feed)).to.deep.equal([second!.title, first!.title])
    const wakesAt = given.store.$notifications.get().find(({ id }) => id === second!.id)!.snoozedUntil!
    const time = (): HTMLTimeElement => inside(feed, 'time') as HTMLTimeElement
    const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(new Date(wakesAt))
    await waitUntil(() => time().textContent!.trim().endsWith(clock), 'the time is when it comes back')
    expect(time().dateTime).to.equal(wakesAt)
    await given.store.unsnooze([first!.id, second!.id])
    await waitUntil(() => inside(feed, '.empty-state')?.textContent?.includes('Nothing snoozed'))
  })

  it('are those of the popup too, and begin with All at each opening', async () => {
    const given = world()
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => {
      element.store = given.store
      element.tabs = TABS
    })
    await open(popup)
    await waitUntil(() => tabTexts(popup).includes('Mentions 3'))
    choose(popup, 'Mentions')
    await rowsShown(popup, 4)
    popup.hide()
    await settled(popup)
    await open(popup)
    await rowsShown(popup, 12)
  })

  it('wrong ones are logged once, and none is shown', async () => {
    const warnings: unknown[][] = []
    const { warn } = console
    console.warn = (...args) => void warnings.push(args)
    try {
      for (const wrong of [
        '[',
        '[{"label":""}]',
        [{ label: 'No types' }],
        7,
        JSON.stringify([{ label: 'Many', types: Array.from({ length: 51 }, (_, i) => `${i}`) }])
      ]) {
        const feed = await feedOf(world(), wrong)
        await waitUntil(() => warnings.length > 0, JSON.stringify(wrong))
        expect(tabTexts(feed)).to.deep.equal(['All', 'Unread 5', 'Archived'])
        expect(warnings.length).to.equal(1)
        expect(String(warnings[0])).to.include('tabs')
        feed.remove()
        warnings.length = 0
      }
    } finally {
      console.warn = warn
    }
  })
})
