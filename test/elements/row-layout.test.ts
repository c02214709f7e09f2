// The layout of rows: height, corners, marks and space for custom content.

import { expect } from '@open-wc/testing'

import { harbour, world } from './support/harbour.ts'
import { inside, rows, rowsShown, settled, show, type NotifFeed, waitUntil } from './support/page.ts'

const feedOf = (options: Partial<NotifFeed>): Promise<NotifFeed> =>
  show<NotifFeed>('<notif-feed></notif-feed>', element => Object.assign(element, options))

describe('rows', () => {
  it('give a short list its height, in every layout of the page', async () => {
    const { store } = world({ items: harbour() })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => {
      element.store = store
      element.style.marginBlockStart = '9000px'
    })
    await rowsShown(feed, 9)
    const sum = rows(feed).reduce((height, row) => height + row.getBoundingClientRect().height, 0)
    expect(feed.getBoundingClientRect().height).to.be.within(sum, sum + 300)
  })

  it('are the same inside a bar of the page with other text styles', async () => {
    const { store } = world({
      items: [{ body: 'Lines that go on and on. '.repeat(9), title: 'A title of several lines. '.repeat(9) }]
    })
    const bar = `cursor: pointer; font: italic bold 9px/0 serif; letter-spacing: 3px; text-align: center; text-indent: 30px;
      text-shadow: 1px 1px red; text-transform: uppercase; white-space: nowrap; word-break: break-all; word-spacing: 9px`
    const measures: unknown[] = []
    for (const style of ['font-family: serif', bar]) {
      const place = await show(
        `<div style="inline-size: 400px"><nav style="${style}"><notif-feed></notif-feed></nav></div>`,
        raw => {
          raw.querySelector('notif-feed')!.store = store
        }
      )
      const feed = place.querySelector('notif-feed')!
      await rowsShown(feed, 1)
      const { cursor, textShadow } = getComputedStyle(inside(feed, '.body')!)
      const sizes = ['.title', '.body'].map(part => {
        const { height, width } = inside(feed, part)!.getBoundingClientRect()
        return [height, width]
      })
      measures.push({ cursor, height: rows(feed)[0]!.offsetHeight, sizes, textShadow })
      place.parentElement!.remove()
    }
    expect(measures[1]).to.deep.equal(measures[0])
  })

  it('have the same corners as the focus rings of their links', async () => {
    const { store } = world({ items: harbour() })
    for (const options of [{}, { grid: {} }]) {
      const feed = await feedOf({ store, ...options })
      await rowsShown(feed, 9)
      const corner = (element: Element, part?: string): string =>
        getComputedStyle(element, part).borderStartStartRadius
      const [row] = rows(feed)
      expect(corner(row!.querySelector('.title')!, '::after')).to.equal(corner(row!))
    }
  })

  it('clip a text after its last line, also in a card beside a taller one, and cards have no line between them', async () => {
    const long = 'All boats are late. '.repeat(30)
    const dataSource = [
      { body: long, id: 'tall', title: long },
      { body: long, id: 'low', title: 'Boats' }
    ]
    const feed = await feedOf({ dataSource, grid: { column: 2 }, split: true })
    await rowsShown(feed, 2)
    const [tall, low] = rows(feed)
    expect(low!.offsetHeight).to.equal(tall!.offsetHeight)
    for (const place of ['.body', '.title']) {
      const { clientHeight, scrollHeight } = inside(feed, `#tall ${place}`)!
      expect(clientHeight, 'cut').to.be.lessThan(scrollHeight)
    }
    expect(inside(feed, '#low .body')!.clientHeight).to.equal(inside(feed, '#tall .body')!.clientHeight)
    expect(getComputedStyle(tall!, '::before').display).to.equal('none')
  })

  it('have their mark at the middle of their picture in every size and layout', async () => {
    const middle = (row: Element, place: string): number => {
      const { height, top } = row.querySelector(place)!.getBoundingClientRect()
      return top + height / 2
    }
    const { store } = world({ items: harbour() })
    for (const grid of [undefined, {}]) {
      for (const itemLayout of ['horizontal', 'vertical'] as const) {
        for (const size of ['small', 'default', 'large'] as const) {
          const feed = await feedOf({ grid, itemLayout, size, store })
          await rowsShown(feed, 9)
          await waitUntil(
            () =>
              Boolean(grid ?? itemLayout === 'vertical') ===
              inside(feed, '.list')!.matches('.grid, .vertical')
          )
          const row = inside(feed, '[data-unread]')!
          const off = middle(row, '.mark') - middle(row, '.avatar')
          expect(off, `${grid ? 'cards' : 'rows'} ${itemLayout} ${size}`).to.be.closeTo(0, 0.5)
        }
      }
    }
  })

  it('are named by their title, also with spaces in their key', async () => {
    const dataSource = ['old pier', 'old pier', 'new\npier'].map((id, at) => ({
      body: 'b',
      id,
      title: `Boat ${at}`
    }))
    const feed = await feedOf({ dataSource })
    await rowsShown(feed, 3)
    const named = (row: Element, by: string): string =>
      row
        .getAttribute(by)!
        .split(/\s/)
        .map(id => row.querySelector(`[id="${id}"]`)?.textContent)
        .join()
    expect(rows(feed).map(row => named(row, 'aria-labelledby'))).to.deep.equal(['Boat 0', 'Boat 1', 'Boat 2'])
    // The time first: whether it is unread, and its age.
    expect(rows(feed).map(row => named(row, 'aria-describedby'))).to.deep.equal([
      'Unread. ,b',
      'Unread. ,b',
      'Unread. ,b'
    ])
  })

  for (const [what, options] of [
    ['rows', {}],
    ['cards', { grid: { column: 1 } }]
  ] as const) {
    it(`show custom content that is larger than they are above their neighbours: ${what}`, async () => {
      const dataSource = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, title: 'A boat' }))
      const feed = await feedOf({ dataSource, pagination: 'INFINITE_SCROLL', ...options })
      await rowsShown(feed, 60)
      const button = document.createElement('button')
      const choices = document.createElement('ul')
      Object.assign(choices.style, { blockSize: '200px', margin: '0', position: 'absolute', zIndex: '1' })
      const own = document.createElement('div')
      own.append(button, choices)
      feed.append(own)
      // Beyond the bounds of a group.
      for (let index = 19; index < 45; index++) {
        button.blur()
        own.slot = `item-${index}`
        await settled(feed)
        button.focus()
        await waitUntil(() => {
          button.scrollIntoView({ block: 'center' })
          const { bottom, left } = choices.getBoundingClientRect()
          return document.elementFromPoint(left + 5, bottom - 5) === choices
        }, `all of ${index}`)
      }
      scrollTo(0, 0)
    })
  }
})
