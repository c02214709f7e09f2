// What screen readers announce, and when: notifications, empty states and banners.

import { expect } from '@open-wc/testing'

import { announce, ANNOUNCE_DELAY_MS } from '../../components/announce/live-region.ts'
import { createNotifStore, type NotifProvider } from '../../components/index.ts'
import { world, type World } from './support/harbour.ts'
import {
  button,
  inside,
  open,
  settled,
  show,
  titles,
  waitUntil,
  type NotifFeed,
  type NotifPopup
} from './support/page.ts'
import { within } from './support/time.ts'

const spoken = (): string =>
  [...document.querySelectorAll('[role=status] > *')].map(({ textContent }) => textContent).join('. ')

async function says(text: RegExp | string): Promise<void> {
  const is = (): boolean => (typeof text === 'string' ? spoken() === text : text.test(spoken()))
  await waitUntil(is).catch(() => expect(spoken()).to.equal(String(text)))
}

async function feedOf({ store }: World): Promise<NotifFeed> {
  const provider = await show<NotifProvider>(
    '<notif-provider><notif-feed></notif-feed></notif-provider>',
    element => (element.store = store)
  )
  const feed = provider.querySelector('notif-feed')!
  await waitUntil(() => inside(feed, 'article'))
  return feed
}

async function hear(feed: NotifFeed, { inbox }: World, title: string): Promise<void> {
  inbox.add({ title })
  await waitUntil(() => titles(feed)[0] === title)
}

async function lose(feed: NotifFeed, { inbox }: World): Promise<void> {
  inbox.setOnline(false)
  await waitUntil(() => inside(feed, '.banner'))
}

const boat = { items: [{ title: 'Boat 9 is late' }] }

describe('announcements', () => {
  it('announce a notification although a state follows immediately', async () => {
    const given = world(boat)
    const feed = await feedOf(given)
    await within(ANNOUNCE_DELAY_MS, async () => {
      await hear(feed, given, 'Heron is back')
      button(feed, 'Archived').click()
      await waitUntil(() => inside(feed, '.empty-state'))
      await settled(feed)
    })
    await says('New notification: Heron is back. Nothing archived')
  })

  it('omit a state that is over before it is announced', async () => {
    const given = world(boat)
    const feed = await feedOf(given)
    await within(ANNOUNCE_DELAY_MS, async () => {
      await hear(feed, given, 'Heron left again')
      await lose(feed, given)
      await settled(feed)
      given.inbox.setOnline(true)
      await waitUntil(() => !inside(feed, '.banner'))
    })
    await says('New notification: Heron left again')
  })

  it('contain the empty state of a tab, also while the connection is lost', async () => {
    const given = world(boat)
    const feed = await feedOf(given)
    await lose(feed, given)
    await says(/^Not connected\. As of .+\.$/)
    button(feed, 'Archived').click()
    await says('Nothing archived')
  })

  it('do not mention older notifications in the banner if there are none', async () => {
    const given = world()
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = given.store))
    await waitUntil(() => inside(feed, '.empty-state'))
    await lose(feed, given)
    expect(inside(feed, '.banner')!.textContent!.trim()).to.equal('Not connected.')
  })

  it('say that an open popup is empty as soon as that is known', async () => {
    const { inbox } = world()
    const loading = Promise.withResolvers<void>()
    const store = createNotifStore({
      environment: { ready: async () => {} },
      transport: {
        ...inbox.transport(),
        async getPage(count) {
          await loading.promise
          return inbox.page(count)
        }
      }
    })
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
    await open(popup)
    await waitUntil(() => inside(popup, '.skeleton'))
    loading.resolve()
    await waitUntil(() => inside(popup, '.empty-state-title'))
    await says(inside(popup, '.empty-state-title')!.textContent!)
  })

  it('are removed, so that reading the page to its end does not find them', async () => {
    announce(() => ['Heron is back', 'en'])
    await says('Heron is back')
    await says('')
  })

  it('take no space in a modal dialog of the page', async () => {
    const dialog = await show<HTMLDialogElement>(
      '<dialog style="transform: scale(1); inline-size: 8em"><p>Berths</p></dialog>'
    )
    dialog.showModal()
    const before = dialog.scrollHeight
    const text = 'A sentence that is much longer than this dialog is wide. '.repeat(9)
    announce(() => [text, 'en'])
    await says(text)
    expect(dialog.scrollHeight).to.equal(before)
  })
})
