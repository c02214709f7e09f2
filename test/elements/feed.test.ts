// The feed: pages, custom content, languages, parameters.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore, type Notif } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import {
  allInside,
  button,
  focusOn,
  inside,
  rows,
  rowsShown,
  sendControl,
  settled,
  show,
  titles,
  type NotifFeed,
  waitUntil
} from './support/page.ts'

const pageText = (feed: NotifFeed): string => inside(feed, '.pager-text')!.textContent!

describe('feed', () => {
  it('turns pages and loads what a page needs', async () => {
    const { store } = world({ items: many(95) }, 20)
    const feed = await show<NotifFeed>(
      '<notif-feed page-size="10"></notif-feed>',
      element => (element.store = store)
    )
    await rowsShown(feed, 10)
    expect(pageText(feed)).to.equal('1–10 of 95')
    button(feed, 'Page 10').click()
    await rowsShown(feed, 5)
    expect(pageText(feed)).to.equal('91–95 of 95')
    expect(rows(feed)[0]!.getAttribute('aria-posinset')).to.equal('91')
    expect(button(feed, 'Next page').getAttribute('aria-disabled')).to.equal('true')
    button(feed, 'Previous page').click()
    await rowsShown(feed, 10)
    expect(button(feed, 'Page 9').getAttribute('aria-current')).to.equal('page')
  })

  it('starts again with the inbox of another user', async () => {
    const feed = await show<NotifFeed>(
      '<notif-feed page-size="10" infinite-scroll-height="300"></notif-feed>',
      element => (element.store = world({ items: many(95) }).store)
    )
    await rowsShown(feed, 10)
    button(feed, 'Page 3').click()
    await waitUntil(() => pageText(feed) === '21–30 of 95')
    feed.store = world({ items: many(55) }).store
    await waitUntil(() => pageText(feed).endsWith('of 55'))
    expect(pageText(feed)).to.equal('1–10 of 55')
  })

  for (const dir of ['ltr', 'rtl']) {
    it(`extends into the margin of the page without horizontal scrolling, ${dir}`, async () => {
      document.dir = dir
      const { store } = world({ items: harbour() })
      for (const grid of ['', 'grid']) {
        for (const margin of [0, 5, 12, 15, 16, 40]) {
          for (const around of [
            'position: absolute; inset: 0',
            'width: 400px; height: 300px; overflow: auto'
          ]) {
            const outer = await show(
              `<div style="${around}"><div style="padding-inline: ${margin}px"><notif-feed ${grid}></notif-feed></div></div>`,
              raw => {
                raw.querySelector('notif-feed')!.store = store
              }
            )
            const feed = outer.querySelector('notif-feed')!
            await rowsShown(feed, 9)
            const scrolled = around.includes('auto') ? outer : document.scrollingElement!
            expect(scrolled.scrollWidth, `${margin} px, ${around} ${grid}`).to.equal(scrolled.clientWidth)
            const edge = (part: Element): number => part.getBoundingClientRect().left
            const reach = edge(feed) - edge(inside(feed, 'article')!)
            if (!grid && scrolled !== outer) expect(reach).to.equal(Math.min(margin, 16))
            outer.parentElement!.remove()
          }
        }
      }
      document.dir = ''
    })
  }

  it('does not mark notifications as opened while it is only visible', async () => {
    const { inbox, store } = world({ items: harbour() })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await rowsShown(feed, 9)
    expect(inbox.page(1).counts.unopened).to.equal(4)
    feed.markOpened = true
    await waitUntil(() => inbox.page(1).counts.unopened === 0)
    expect(rows(feed).filter(row => row.hasAttribute('data-unread')).length).to.equal(4)
  })

  it('shows unread and archived notifications in tabs', async () => {
    const { store } = world({ items: harbour() })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await rowsShown(feed, 9)
    button(feed, 'Unread 4').click()
    await rowsShown(feed, 4)
    rows(feed)[0]!.querySelector<HTMLElement>('[data-act=read]')!.click()
    await rowsShown(feed, 3)
    feed.filter = 'UNARCHIVED'
    await settled(feed)
    expect(allInside(feed, '.tab').map(tab => tab.textContent!.trim())).to.deep.equal(['All', 'Unread 3'])
  })

  it('loads until a tab has rows', async () => {
    const archived = new Date().toISOString()
    const items = many(80, 0)
    for (const old of items.slice(0, 10)) Object.assign(old, { archived })
    const { store } = world({ items }, 50)
    const feed = await show<NotifFeed>(
      '<notif-feed pagination="INFINITE_SCROLL" infinite-scroll-height="300"></notif-feed>',
      element => (element.store = store)
    )
    await rowsShown(feed, 50)
    button(feed, 'Archived').click()
    await rowsShown(feed, 10)
  })

  it('renders custom content in light DOM, once for each state, and cleans up', async () => {
    const { inbox, store } = world({ items: harbour() })
    const drawn: string[] = []
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => {
      element.store = store
      element.renderItem = ({ title }) => {
        drawn.push(title)
        return `<b>${title}</b>`
      }
    })
    await rowsShown(feed, 9)
    expect(feed.querySelectorAll('[slot^=item-]').length).to.equal(9)
    expect(feed.querySelectorAll('b').length).to.equal(0)
    inbox.add({ title: 'Heron is back' })
    await rowsShown(feed, 10)
    expect(drawn.length).to.equal(10)
    let unmounted = 0
    feed.renderItem = (_, element) => {
      element.append('mine')
      return () => void unmounted++
    }
    await settled(feed)
    expect(feed.querySelectorAll('[slot^=item-]').length).to.equal(10)
    feed.renderItem = undefined
    await settled(feed)
    expect(unmounted).to.equal(10)
    expect(feed.children.length).to.equal(0)
  })

  it('lets a framework fill rows by slots', async () => {
    const { store } = world({ items: harbour() })
    const feed = await show<NotifFeed>(
      '<notif-feed><p slot="item-h8">Own</p><p slot="empty">Nothing here</p></notif-feed>',
      element => (element.store = store)
    )
    await rowsShown(feed, 9)
    expect(feed.querySelector('p')!.assignedSlot?.name).to.equal('item-h8')
    expect(rows(feed)[0]!.getAttribute('aria-posinset')).to.equal('1')
    // Frameworks may render after the rows.
    const below = document.createElement('p')
    below.slot = 'extra-h8'
    feed.append(below)
    await waitUntil(() => below.assignedSlot)
  })

  it('renders a long list in steps to its end, and removes no row when a notification arrives', async () => {
    const { inbox, store } = world({ items: many(700) }, 1000)
    const drawn: string[][] = []
    const feed = await show<NotifFeed>('<notif-feed pagination="INFINITE_SCROLL"></notif-feed>', element => {
      element.store = store
      const { updated } = element as unknown as { updated(changed: unknown): void }
      Object.assign(element, {
        updated(changed: unknown) {
          updated.call(element, changed)
          drawn.push(rows(element).map(({ id }) => id))
          // While the rest is not rendered yet.
          if (drawn.at(-1)!.length === 30) queueMicrotask(() => inbox.add({ title: 'Heron is back' }))
        }
      })
    })
    await waitUntil(() => rows(feed).length >= 700)
    await rowsShown(feed, store.$notifications.get().length)
    const counts = drawn.map(({ length }) => length)
    expect(counts.find(count => count > 0)).to.equal(30)
    for (const [index, before] of drawn.slice(0, -1).entries()) {
      const now = new Set(drawn[index + 1])
      expect(before.filter(id => !now.has(id))).to.deep.equal([])
      expect(now.size - before.length).to.be.lessThan(450)
    }
    expect(rows(feed).map(({ id }) => id)).to.deep.equal(store.$notifications.get().map(({ id }) => id))
    expect(allInside(feed, '.end').length).to.equal(1)
    await waitUntil(() => rows(feed).at(-1)!.ariaPosInSet === String(rows(feed).length))
  })

  it('marks an arrived notification as new from its first render on', async () => {
    const { inbox, store } = world({ items: many(3) })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await rowsShown(feed, 3)
    const drawn: boolean[] = []
    feed.addController({
      hostUpdated: () => {
        if (rows(feed).length === 4) drawn.push(rows(feed)[0]!.hasAttribute('data-new'))
      }
    })
    inbox.add({ title: 'Heron is back' })
    await rowsShown(feed, 4)
    expect(drawn[0]).to.equal(true)
  })

  it('leaves the list by Ctrl+Home and Ctrl+End', async () => {
    const { store } = world({ items: harbour() })
    const place = await show(
      '<div><button id="before">b</button><notif-feed header="none"></notif-feed><button id="after">a</button></div>'
    )
    const feed = place.querySelector('notif-feed')!
    feed.store = store
    await rowsShown(feed, 9)
    rows(feed)[2]!.focus()
    await sendControl('End')
    expect(document.activeElement!.id).to.equal('after')
    rows(feed)[2]!.focus()
    await sendControl('Home')
    expect(document.activeElement!.id).to.equal('before')
    rows(feed)[2]!.focus()
    await sendKeys({ press: 'PageDown' })
    await focusOn(feed, () => rows(feed)[3])
  })

  it('uses the language of the page and texts of the page', async () => {
    const { store } = world({ items: harbour() })
    const place = await show(
      '<div lang="de"><notif-provider><notif-feed></notif-feed></notif-provider></div>'
    )
    const provider = place.querySelector('notif-provider')!
    const feed = place.querySelector('notif-feed')!
    provider.store = store
    await rowsShown(feed, 9)
    await waitUntil(() => inside(feed, '.heading')!.textContent === 'Benachrichtigungen')
    expect(titles(feed)[0]).to.contain('Amara')
    expect(inside(feed, 'time')!.textContent).to.contain('Min.')
    provider.messages = { title: 'Post' }
    await waitUntil(() => inside(feed, '.heading')!.textContent === 'Post')
    provider.lang = 'ar'
    await waitUntil(() => allInside(feed, '.tab')[0]!.textContent!.trim() === 'الكل')
  })

  it('logs a wrong value once and uses the default', async () => {
    const { store } = world({ items: harbour() })
    const warnings: string[] = []
    const { warn } = console
    console.warn = (text: string) => void warnings.push(text)
    const feed = await show<NotifFeed>(
      '<notif-feed filter="SOME" page-size="-3"></notif-feed>',
      element => (element.store = store)
    )
    await rowsShown(feed, 9)
    // The first warning loads the code of warnings.
    await waitUntil(() => warnings.length > 1, 'both are named')
    feed.requestUpdate()
    await settled(feed)
    console.warn = warn
    expect(warnings.length).to.equal(2)
    expect(warnings.join()).to.contain('filter').and.to.contain('SOME')
  })

  it('has a CSS state while loading, empty or failed', async () => {
    const transport = {
      ...world().inbox.transport(),
      getPage: async () => Promise.reject(new TransportError(0, 'away'))
    }
    const store = createNotifStore({ transport })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await waitUntil(() => feed.matches(':state(error)'))
    feed.store = world().store
    await waitUntil(() => feed.matches(':state(empty)'))
    expect(feed.matches(':state(error)')).to.equal(false)
  })

  it('shows an initial if a picture does not load', async () => {
    const { store } = world({ items: [{ imageURL: '/test/elements/nowhere.png', title: 'Heron is back' }] })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await waitUntil(() => inside(feed, 'div.avatar')?.textContent === 'H')
  })

  it('does not render unchanged items of the next list again', async () => {
    const items = (title: string): object[] => [
      { id: 'a', title: 'Heron' },
      { id: 'b', title }
    ]
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element =>
      Object.assign(element, {
        dataSource: items('Kite'),
        renderItem({ title }: Notif, place: HTMLElement) {
          const input = document.createElement('input')
          input.name = title
          place.append(input)
          return () => {}
        }
      })
    )
    await rowsShown(feed, 2)
    const names = (): string[] => [...feed.querySelectorAll('input')].map(({ name }) => name)
    await waitUntil(() => names().length === 2)
    const input = feed.querySelector('input')!
    input.focus()
    input.value = 'half a sentence'
    feed.dataSource = items('Tern')
    await waitUntil(() => names().includes('Tern'))
    expect(names().toSorted()).to.deep.equal(['Heron', 'Tern'])
    expect(document.activeElement === input).to.equal(true)
    expect(input.value).to.equal('half a sentence')
  })
})
