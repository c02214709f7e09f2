// Parameters and items that cannot be converted to a text: a symbol, an object without a prototype, a getter that throws. Each is
// logged once, and everything else works.

import { expect } from '@open-wc/testing'

import '../../components/feed/extras/extras.ts'
import { harbour, world } from './support/harbour.ts'
import {
  hearing,
  inside,
  open,
  rowsShown,
  settled,
  show,
  titles,
  waitUntil,
  type Kit,
  type NotifFeed,
  type NotifPopup
} from './support/page.ts'

let warnings: string[] = []
const { warn } = console
beforeEach(() => {
  warnings = []
  console.warn = (line: string) => void warnings.push(line)
})
afterEach(() => {
  console.warn = warn
})

/** Shows an element with nine notifications and these parameters. */
const showWith = <T extends HTMLElement>(tag: Kit, given: object): Promise<T> =>
  show<T>(`<${tag}></${tag}>`, raw =>
    Object.assign(raw, { store: world({ items: harbour() }).store, ...given })
  )

const VALUES: Readonly<Record<string, () => unknown>> = {
  'a symbol': () => Symbol('far'),
  'an object without a prototype': () => Object.create(null)
}

const APPEARANCE = ['bubbleColor', 'fontColor', 'max'] as const
const SIZES = ['buttonHeight', 'buttonIconSize', 'buttonWidth', 'iconColor', 'popupHeight', 'popupWidth']

for (const [what, create] of Object.entries(VALUES)) {
  describe(`a parameter that is ${what}`, () => {
    const isLogged = (tag: string, name: string) => (): boolean =>
      warnings.some(line => line.startsWith(`<${tag}> ${name}:`) && line.endsWith('the default is used.'))

    it('leaves the number of a counter unchanged', async () => {
      for (const name of APPEARANCE) {
        const counter = await showWith('notif-counter', { [name]: create() })
        await waitUntil(() => inside(counter, '.badge')?.textContent, name)
        await waitUntil(isLogged('notif-counter', name), name)
      }
      const counter = await showWith('notif-counter', { offset: { left: create() } })
      await waitUntil(() => inside(counter, '.badge')?.textContent)
      expect(inside(counter, '.badge')!.style.getPropertyValue('--_offset')).to.equal('')
    })

    it('leaves the size of the bell and its inbox unchanged', async () => {
      for (const name of SIZES) {
        const popup = await showWith<NotifPopup>('notif-popup', { [name]: create() })
        await open(popup)
        await rowsShown(popup, 9)
        await waitUntil(isLogged('notif-popup', name), name)
        popup.parentElement!.remove()
      }
      for (const name of ['offsetX', 'offsetY', 'popupZIndex']) {
        const launcher = await showWith('notif-launcher', { [name]: create() })
        await waitUntil(() => inside(launcher, '.badge'), name)
        await waitUntil(isLogged('notif-launcher', name), name)
      }
    })

    it('leaves the list unchanged as a size or a style', async () => {
      const wrong = {
        grid: { gutter: create() },
        size: create(),
        styles: { title: { '--x': create(), color: create() } }
      }
      const feed = await showWith<NotifFeed>('notif-feed', wrong)
      await rowsShown(feed, 9)
      for (const name of ['grid.gutter', 'size', 'styles.title'])
        await waitUntil(isLogged('notif-feed', name), name)
    })

    it('leaves the default text as a text of the page', async () => {
      await hearing(async heard => {
        const { store } = world({ items: harbour().slice(0, 1) })
        const given = { footer: create(), header: { title: create() }, renderItem: create, store }
        const feed = await showWith<NotifFeed>('notif-feed', given)
        await rowsShown(feed, 1)
        await waitUntil(() => heard.length > 0)
        await settled(feed)
        expect(inside(feed, '.heading')!.textContent).to.equal('Notifications')
        expect(inside(feed, '.footer')!.checkVisibility()).to.equal(false)
        expect(inside(feed, 'article .title')!.checkVisibility()).to.equal(true)
      })
    })
  })
}

describe('a list of the page with such values', () => {
  const item = (id: string, more: object = {}): object => ({ id, title: `Boat ${id}`, ...more })

  it('omits unreadable items and logs their keys once', async () => {
    const wreck = (id: string): object =>
      Object.defineProperty(item(id), 'body', {
        enumerable: true,
        get(): never {
          throw new Error('sunk')
        }
      })
    const dataSource = [item('a'), wreck('b'), item('c'), wreck('d'), item('e')]
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', raw => Object.assign(raw, { dataSource }))
    await rowsShown(feed, 3)
    expect(titles(feed)).to.deep.equal(['Boat a', 'Boat c', 'Boat e'])
    await waitUntil(() => warnings.length > 0)
    expect(warnings).to.deep.equal([
      '<notif-feed> dataSource: 2 left out, which cannot be read: b, d (Error: sunk)'
    ])
  })

  it('shows the fields that can be converted to a text', async () => {
    const bare = Object.create(null) as object
    const dataSource = [
      item('a', { body: bare, date: bare, type: bare }),
      item('b', { body: Symbol('b'), date: Symbol('b'), imageURL: Symbol('b'), redirectURL: bare }),
      { id: 'c', title: bare },
      Object.assign(Object.create(null) as object, item('d'))
    ]
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', raw => Object.assign(raw, { dataSource }))
    await rowsShown(feed, 4)
    expect(titles(feed)).to.deep.equal(['Boat a', 'Boat b', '', 'Boat d'])
    expect(warnings).to.deep.equal([])
  })
})

it('an offset that is not a number is logged', async () => {
  await showWith('notif-counter', { offset: { left: Symbol('far') } })
  await waitUntil(() => warnings.length > 0)
  expect(warnings[0]).to.contain('<notif-counter> offset: expected a CSS translate')
})

it('a long wrong value is shortened in the log', async () => {
  await showWith('notif-popup', { iconColor: 'x'.repeat(10_000) })
  await waitUntil(() => warnings.length > 0)
  expect(warnings[0]).to.contain(`iconColor: expected a CSS color, got ${'x'.repeat(100)}`)
  expect(warnings[0]!.length).to.be.lessThan(250)
})
