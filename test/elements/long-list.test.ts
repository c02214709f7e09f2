// A list that is rendered in steps: rows far from the window have no buttons yet.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { many, world } from './support/harbour.ts'
import { allInside, rows, rowsShown, show, type NotifFeed, waitUntil } from './support/page.ts'

/** Noon is on the right day in every zone, also where clocks change at night. */
function noon(daysAgo: number): number {
  const date = new Date()
  date.setHours(12, 0, 0, 0)
  return date.setDate(date.getDate() - daysAgo)
}

/** 130 rows, the 90 newest on one day: the heading of a day is an entry of a block, so it always stands in the same place. */
const items = () =>
  many(130).map((item, index) =>
    Object.assign(item, { date: new Date(noon(index < 40 ? 3 : 2) + index * 60_000).toISOString() })
  )

async function longList(attributes = ''): Promise<NotifFeed> {
  // The scroll position of the last test would make the list load.
  scrollTo(0, 0)
  const { store } = world({ items: items() }, 50)
  const feed = await show<NotifFeed>(
    `<notif-feed pagination="INFINITE_SCROLL" ${attributes}></notif-feed>`,
    element => (element.store = store)
  )
  await rowsShown(feed, 50)
  // By then the browser has reported which groups it skips.
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await store.loadMore()
  await rowsShown(feed, 100)
  return feed
}

const buttonsOf = (row: Element): number => row.querySelectorAll('[data-act]').length

/** The rows of each block, from the top. */
const blocks = (feed: NotifFeed): HTMLElement[][] =>
  allInside(feed, '.block').map(block => Array.from(block.querySelectorAll('article')))

/** The number of the block that holds a row. */
const blockOf = (feed: NotifFeed, row: HTMLElement): number =>
  blocks(feed).findIndex(block => block.includes(row))

/** Where the focus is: a row by its number, and what of it. */
function stop(feed: NotifFeed): string {
  const place = feed.shadowRoot!.activeElement
  const row = place?.closest('article')
  return row ? `${rows(feed).indexOf(row) + 1} ${place!.getAttribute('data-act') ?? place!.className}` : ''
}

describe('a long list', () => {
  it('renders the buttons of a row when it comes near the window, and keeps them', async () => {
    const feed = await longList()
    const near = rows(feed)[49]!
    const far = rows(feed)[70]!
    const block = blocks(feed)[blockOf(feed, far)]!
    expect([near, far].map(buttonsOf)).to.deep.equal([4, 0])
    // Shift+Tab reaches a group from below.
    expect(block.map(buttonsOf)).to.deep.equal([...block.slice(1).map(() => 0), 4])
    far.scrollIntoView()
    await waitUntil(() => buttonsOf(far) === 4)
    scrollTo(0, 0)
    await waitUntil(() => !far.firstElementChild!.checkVisibility({ contentVisibilityAuto: true }))
    expect(buttonsOf(far)).to.equal(4)
  })

  // Screen readers go from button to button, also to rows far from the window.
  it('renders the buttons of both groups beside the visible one', async () => {
    const feed = await longList('infinite-scroll-height="300"')
    await feed.store!.loadMore()
    await rowsShown(feed, 130)
    // Its neighbour lies beside no group of the first 50 rows: those have buttons if they are rendered before the first report.
    const seen = rows(feed)[90]!
    const block = blockOf(feed, seen)
    const [beside, after] = [blocks(feed)[block - 1]![0]!, blocks(feed)[block + 1]![0]!]
    expect([beside, seen, after].map(buttonsOf)).to.deep.equal([0, 0, 0])
    seen.scrollIntoView({ block: 'center' })
    await waitUntil(() => buttonsOf(seen) === 4)
    expect([beside, after].map(buttonsOf)).to.deep.equal([4, 4])
  })

  it('renders all buttons if the browser skips no group', async () => {
    const feed = await longList()
    expect(buttonsOf(rows(feed)[70]!)).to.equal(0)
    feed.grid = { column: 1 }
    await waitUntil(() => rows(feed).every(row => buttonsOf(row) === 4))
    await feed.store!.loadMore()
    await rowsShown(feed, 130)
    expect(rows(feed).every(row => buttonsOf(row) === 4)).to.equal(true)
  })

  for (const attributes of ['', 'infinite-scroll-height="300"']) {
    for (const key of ['ArrowDown', 'ArrowUp']) {
      it(`skips no row and no button of a row with ${key} ${attributes}`, async () => {
        const feed = await longList(attributes)
        const down = Array.from({ length: 13 }, (_, index) => index + 55)
        const numbers = key === 'ArrowUp' ? down.toReversed() : down
        const expected = numbers.flatMap(number => [
          `${number} item`,
          `${number} unread`,
          `${number} snooze`,
          `${number} archive`
        ])
        expect(blockOf(feed, rows(feed)[54]!)).to.equal(blockOf(feed, rows(feed)[66]!) - 1)
        const start = rows(feed)[numbers[0]! - 1]!
        start.focus()
        await waitUntil(() => buttonsOf(start) === 4)
        const stops = [stop(feed)]
        while (stops.length < expected.length) {
          await sendKeys({ press: stops.length % 4 ? 'ArrowRight' : key })
          stops.push(stop(feed))
        }
        expect(stops).to.deep.equal(expected)
        // The list stays one stop of Tab: the row that was used last.
        const tabStops = rows(feed).flatMap((row, index) => (row.tabIndex === 0 ? [index + 1] : []))
        expect(tabStops).to.deep.equal(numbers.slice(-1))
        expect(allInside(feed, 'article :is(a[href], button)').every(part => part.tabIndex === -1)).to.equal(
          true
        )
      })
    }
  }
})
