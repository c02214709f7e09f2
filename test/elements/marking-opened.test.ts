// Only notifications that the user can see are marked as opened.

import { expect } from '@open-wc/testing'

import { createNotifStore, type Notif, type NotifStore } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import {
  allInside,
  button,
  inside,
  open,
  rowsShown,
  settled,
  show,
  waitUntil,
  type NotifFeed,
  type NotifPopup
} from './support/page.ts'

const unread = (element: Element): number => allInside(element, 'article[data-unread]').length

/** Ways to have a feed on a page that nobody sees yet, and to bring it into sight. */
const HIDDEN: Readonly<Record<string, readonly [html: string, see: (place: HTMLElement) => void]>> = {
  'a closed dialog': ['<dialog>FEED</dialog>', place => (place as HTMLDialogElement).showModal()],
  'a part that is folded': [
    '<details><summary>Inbox</summary>FEED</details>',
    place => ((place as HTMLDetailsElement).open = true)
  ],
  'what is below the window': [
    '<div><p style="block-size: 4000px"></p>FEED</div>',
    place => place.querySelector('notif-feed')!.scrollIntoView()
  ]
}

async function feedIn(html: string, store: NotifStore): Promise<NotifFeed> {
  const place = await show(html.replace('FEED', '<notif-feed mark-opened></notif-feed>'), raw => {
    raw.querySelector('notif-feed')!.store = store
  })
  const feed = place.querySelector('notif-feed')!
  await rowsShown(feed, 9)
  // Observers report once per frame.
  await settled(feed)
  await settled(feed)
  return feed
}

describe('a feed with mark-opened', () => {
  for (const [name, [html, see]] of Object.entries(HIDDEN)) {
    it(`marks nothing in ${name} until it is visible`, async () => {
      const { inbox, store } = world({ items: harbour() })
      const feed = await feedIn(html, store)
      expect(inbox.page(1).counts.unopened).to.equal(4)
      see(feed.parentElement!)
      await waitUntil(() => inbox.page(1).counts.unopened === 0)
      expect(unread(feed)).to.equal(4)
    })
  }

  it('marks nothing that arrives while it is out of sight, and keeps its marks', async () => {
    const { inbox, store } = world({ items: harbour() })
    const feed = await feedIn('<dialog open>FEED</dialog>', store)
    const dialog = feed.parentElement as HTMLDialogElement
    await waitUntil(() => inbox.page(1).counts.unopened === 0)
    for (const act of ['read', 'unread']) {
      allInside(feed, `[data-act=${act}]`)[0]!.click()
      await settled(feed)
    }
    const kept = inbox.page(9).items.find(({ opened }) => !opened)!
    dialog.close()
    await settled(feed)
    await settled(feed)
    inbox.add({ title: 'Heron is back' })
    await rowsShown(feed, 10)
    expect(inbox.page(1).counts.unopened).to.equal(2)
    dialog.show()
    await waitUntil(() => inbox.page(1).counts.unopened === 1)
    expect(inbox.page(9).items.find(({ opened }) => !opened)!.id).to.equal(kept.id)
    expect(unread(feed)).to.equal(5)
  })
})

describe('two popups with their own filters and counts', () => {
  it('do not open notifications that only the other one shows', async () => {
    const { inbox, store } = world({ items: many(12, 12) })
    const types = ['type0', 'type1'] as const
    const popups: NotifPopup[] = []
    for (const type of types) {
      const popup = await show<NotifPopup>('<notif-popup mark-opened="open"></notif-popup>', raw =>
        Object.assign(raw, {
          count: (item: Notif) => item.type === type && !item.opened,
          filter: (item: Notif) => item.type === type,
          store
        })
      )
      popups.push(popup)
    }
    const [one, other] = popups as [NotifPopup, NotifPopup]
    const badge = (popup: NotifPopup): string => inside(popup, '.badge')?.textContent ?? ''
    await waitUntil(() => badge(one) && badge(other), 'both count')
    const before = badge(other)
    await open(one)
    await waitUntil(() => badge(one) === '')
    await settled(other)
    expect(badge(other)).to.equal(before)
    expect(inbox.page(1).counts.unopened).to.be.greaterThan(0)
    one.hide()
    await open(other)
    expect(unread(other)).to.equal(Number(before))
    await waitUntil(() => badge(other) === '')
  })

  it('open all notifications if the bell shows the number of the server', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await show<NotifPopup>('<notif-popup mark-opened="open"></notif-popup>', raw =>
      Object.assign(raw, { filter: ({ type }: Notif) => type === 'comment', store })
    )
    await open(popup)
    await waitUntil(() => inbox.page(1).counts.unopened === 0)
  })
})

describe('an open popup', () => {
  it('shows the next user their inbox at its first tab', async () => {
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', raw => {
      raw.store = world({ items: harbour() }).store
    })
    await open(popup)
    await rowsShown(popup, 9)
    button(popup, 'Archived').click()
    await settled(popup)
    popup.store = world({ items: many(3) }).store
    await rowsShown(popup, 3)
  })

  it('stays open if the page moves it with moveBefore', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', raw => (raw.store = store))
    await open(popup)
    await rowsShown(popup, 9)
    const place = popup.parentElement as HTMLElement & { moveBefore?: (node: Node, child: null) => void }
    const next = document.createElement('p')
    place.append(next)
    // Safari does not support it yet.
    if (!place.moveBefore) return
    ;(next as unknown as typeof place).moveBefore!(popup, null)
    await settled(popup)
    inbox.add({ title: 'Heron is back' })
    await rowsShown(popup, 10)
    expect(popup.matches(':state(open)')).to.equal(true)
    expect(inside(popup, '.bell')!.getAttribute('aria-expanded')).to.equal('true')
  })
})

describe('a tab without rows among the newest notifications', () => {
  for (const [pagination, name] of [
    ['INFINITE_SCROLL', 'Archived'],
    ['PAGINATED', 'Page 200']
  ] as const) {
    it(`loads a growing number at once, ${pagination}`, async () => {
      const { inbox } = world({ items: many(2000) })
      const asked: number[] = []
      const transport = inbox.transport()
      const store = createNotifStore({
        environment: { ready: async () => {} },
        transport: {
          ...transport,
          getPage(count, cursor) {
            asked.push(count)
            return transport.getPage(count, cursor)
          }
        }
      })
      const feed = await show<NotifFeed>('<notif-feed infinite-scroll-height="300"></notif-feed>', raw =>
        Object.assign(raw, { pagination, store })
      )
      await waitUntil(() => inside(feed, 'article'))
      button(feed, name).click()
      await waitUntil(() => store.$notifications.get().length === 2000, 'all are loaded')
      expect(asked.length).to.be.lessThan(8)
    })
  }

  for (const tag of ['notif-popup', 'notif-launcher'])
    it(`follows a change of mark-opened while <${tag}> is open`, async () => {
      const { inbox, store } = world({ items: harbour() })
      const popup = await show<NotifPopup>(`<${tag} mark-opened="never"></${tag}>`, raw =>
        Object.assign(raw, { store })
      )
      await open(popup)
      await rowsShown(popup, 9)
      popup.markOpened = 'visible'
      const seen = (): number => inbox.page(9).items.filter(item => item.seen).length
      await waitUntil(() => seen() > 0, 'what is in sight is seen')
      expect(inbox.page(1).counts.unopened).to.equal(4)
      popup.markOpened = 'open'
      await waitUntil(() => inbox.page(1).counts.unopened === 0, 'all are opened')
      expect(unread(popup)).to.equal(4)
    })
})
