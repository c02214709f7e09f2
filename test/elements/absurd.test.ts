// What a page may give by mistake and no text can be made of: a symbol, an object without a prototype, a getter that
// throws. It costs itself, with one line in the console, and nothing beside it.

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

/** An element with nine notifications and such parameters. */
const made = <T extends HTMLElement>(tag: Kit, given: object): Promise<T> =>
  show<T>(`<${tag}></${tag}>`, raw =>
    Object.assign(raw, { store: world({ items: harbour() }).store, ...given })
  )

const ABSURD: Readonly<Record<string, () => unknown>> = {
  'a symbol': () => Symbol('far'),
  'an object without a prototype': () => Object.create(null)
}

const LOOKS = ['bubbleColor', 'fontColor', 'max'] as const
const SIZES = ['buttonHeight', 'buttonIconSize', 'buttonWidth', 'iconColor', 'popupHeight', 'popupWidth']

for (const [what, absurd] of Object.entries(ABSURD)) {
  describe(`${what} given`, () => {
    const told = (tag: string, name: string) => (): boolean =>
      warnings.some(line => line.startsWith(`<${tag}> ${name}:`) && line.endsWith('the default is used.'))

    it('as a look of a counter leaves its number', async () => {
      for (const name of LOOKS) {
        const counter = await made('notif-counter', { [name]: absurd() })
        await waitUntil(() => inside(counter, '.badge')?.textContent, name)
        await waitUntil(told('notif-counter', name), name)
      }
      const counter = await made('notif-counter', { offset: { left: absurd() } })
      await waitUntil(() => inside(counter, '.badge')?.textContent)
      expect(inside(counter, '.badge')!.style.getPropertyValue('--_offset')).to.equal('')
    })

    it('as a size leaves the bell and its inbox', async () => {
      for (const name of SIZES) {
        const popup = await made<NotifPopup>('notif-popup', { [name]: absurd() })
        await open(popup)
        await rowsShown(popup, 9)
        await waitUntil(told('notif-popup', name), name)
        popup.parentElement!.remove()
      }
      for (const name of ['offsetX', 'offsetY', 'popupZIndex']) {
        const launcher = await made('notif-launcher', { [name]: absurd() })
        await waitUntil(() => inside(launcher, '.badge'), name)
        await waitUntil(told('notif-launcher', name), name)
      }
    })

    it('as a size or a style leaves the list', async () => {
      const wrong = {
        grid: { gutter: absurd() },
        size: absurd(),
        styles: { title: { '--x': absurd(), color: absurd() } }
      }
      const feed = await made<NotifFeed>('notif-feed', wrong)
      await rowsShown(feed, 9)
      for (const name of ['grid.gutter', 'size', 'styles.title'])
        await waitUntil(told('notif-feed', name), name)
    })

    it('as a text of the page leaves what stands there without it', async () => {
      await hearing(async heard => {
        const { store } = world({ items: harbour().slice(0, 1) })
        const given = { footer: absurd(), header: { title: absurd() }, renderItem: absurd, store }
        const feed = await made<NotifFeed>('notif-feed', given)
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

describe('a list of the page', () => {
  const item = (id: string, more: object = {}): object => ({ id, title: `Boat ${id}`, ...more })

  it('is without what cannot be read, and one line says which', async () => {
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

  it('shows what has a text of what it is given', async () => {
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

it('an offset that is no number is told', async () => {
  await made('notif-counter', { offset: { left: Symbol('far') } })
  await waitUntil(() => warnings.length > 0)
  expect(warnings[0]).to.contain('<notif-counter> offset: expected a CSS translate')
})

it('a wrong value is told as far as it needs to be known again', async () => {
  await made('notif-popup', { iconColor: 'x'.repeat(10_000) })
  await waitUntil(() => warnings.length > 0)
  expect(warnings[0]).to.contain(`iconColor: expected a CSS color, got ${'x'.repeat(100)}`)
  expect(warnings[0]!.length).to.be.lessThan(250)
})
