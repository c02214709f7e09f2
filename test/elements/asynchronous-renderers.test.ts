// Renderers that return a promise.

import { expect } from '@open-wc/testing'

import type { Notif } from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import {
  allInside,
  hearing,
  inside,
  rowsShown,
  settled,
  show,
  waitUntil,
  type NotifFeed
} from './support/page.ts'

const feedOf = async (options: Partial<NotifFeed>): Promise<NotifFeed> => {
  const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => Object.assign(element, options))
  await rowsShown(feed, 9)
  await settled(feed)
  return feed
}

/** Answers by the state that they are about, given when the test says so. */
function answers<T>(): { of: (item: Notif) => Promise<T>; give: (state: string, answer: T) => void } {
  const asked = new Map<string, PromiseWithResolvers<T>>()
  const at = (state: string): PromiseWithResolvers<T> => {
    const one = asked.get(state) ?? Promise.withResolvers<T>()
    asked.set(state, one)
    return one
  }
  return {
    give: (state, answer) => at(state).resolve(answer),
    of: ({ id, opened }) => at(`${id} ${opened ? 'read' : 'new'}`).promise
  }
}

const own = (feed: NotifFeed): Element[] => [...feed.querySelectorAll('[slot=item-h8]')]
const read = { opened: new Date().toISOString(), trackingIds: ['h8'] }

describe('the content of an asynchronous renderer', () => {
  it('is shown when it resolves, and the default content until then', async () => {
    const { give, of } = answers<string | false | undefined>()
    const { inbox, store } = world({ items: harbour() })
    const feed = await feedOf({ renderItem: of, store })
    expect(feed.children.length).to.equal(0)
    expect(inside(feed, '#h8 .title')!.checkVisibility()).to.equal(true)
    give('h8 new', 'New')
    await waitUntil(() => own(feed)[0]?.textContent === 'New')
    inbox.patch(read)
    await settled(feed)
    expect(own(feed)[0]!.textContent, 'what was said before stays').to.equal('New')
    give('h8 read', false)
    await waitUntil(() => own(feed).length === 0)
    expect(inside(feed, '#h8 .title')!.checkVisibility()).to.equal(true)
  })

  it('is that of the newest state, whichever resolves first', async () => {
    const { give, of } = answers<() => void>()
    const { inbox, store } = world({ items: harbour() })
    const mounted = new Set<string>()
    const feed = await feedOf({
      async renderItem(item, element) {
        const gone = await of(item)
        const state = item.opened ? 'read' : 'new'
        mounted.add(state)
        element.append(state)
        return () => {
          mounted.delete(state)
          gone()
        }
      },
      store
    })
    inbox.patch(read)
    await settled(feed)
    give('h8 read', () => {})
    await waitUntil(() => own(feed)[0]?.textContent === 'read')
    const gone = new Promise<void>(resolve => give('h8 new', resolve))
    await gone
    expect(own(feed).map(({ textContent }) => textContent)).to.deep.equal(['read'])
    expect([...mounted], 'the old one is taken away').to.deep.equal(['read'])
  })

  it('stays while the states of an action follow each other', async () => {
    const { store } = world({ items: harbour() })
    const given: ((said: string) => void)[] = []
    const renderItem = ({ id }: Notif): Promise<string> | false =>
      id === 'h8' && new Promise(resolve => given.push(resolve))
    const feed = await feedOf({ renderItem, store })
    given[0]!('First')
    await waitUntil(() => own(feed)[0]?.textContent === 'First')
    // Once for the optimistic update, once for the answer of the server.
    await store.markAsOpened(['h8'])
    await waitUntil(() => given.length > 2)
    await settled(feed)
    expect(own(feed)[0]?.textContent).to.equal('First')
    given.at(-1)!('Last')
    await waitUntil(() => own(feed)[0]?.textContent === 'Last')
    for (const give of given) give('Overtaken')
    await settled(feed)
    expect(own(feed).map(({ textContent }) => textContent)).to.deep.equal(['Last'])
  })

  it('is not rendered if the list was removed', async () => {
    const { give, of } = answers<() => void>()
    const { store } = world({ items: harbour() })
    const feed = await feedOf({ renderItem: of, store })
    feed.remove()
    await new Promise<void>(resolve => give('h8 new', resolve))
    expect(feed.children.length).to.equal(0)
  })

  it('is the default content if it rejects, and the error is reported once', async () => {
    const { store } = world({ items: harbour() })
    await hearing(async heard => {
      const feed = await feedOf({
        async renderItem({ title, type }) {
          await Promise.resolve()
          if (type !== 'invoice') throw new TypeError('invoices only')
          return title
        },
        store
      })
      await waitUntil(() => heard.length > 0)
      await settled(feed)
      expect(heard).to.deep.equal(['TypeError: invoices only'])
      expect(feed.querySelectorAll('[slot^=item-]').length).to.equal(1)
      expect(allInside(feed, '.title').filter(title => title.checkVisibility()).length).to.equal(8)
    })
  })
})
