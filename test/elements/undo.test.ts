// Every action can be undone: a row that leaves becomes a line, and Z takes the last action back.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import {
  allInside,
  button,
  chooseInMenu,
  focusOn,
  inside,
  open,
  rows,
  settled,
  show,
  titles,
  type NotifPopup,
  waitUntil
} from './support/page.ts'
import { SEED_TEXT, random } from './support/seeded.ts'

const lines = (popup: NotifPopup): string[] =>
  allInside(popup, '.undo-line').map(line => line.querySelector('b')?.textContent ?? '')

async function openWith(store: NotifPopup['store']): Promise<NotifPopup> {
  const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
  await open(popup)
  await waitUntil(() => rows(popup).length > 0)
  return popup
}

/** In its first 300 ms a line does not answer: it gets them from a clock that the test sets. */
function skip(ms: number): void {
  const now = performance.now() + ms
  Object.assign(performance, { now: () => now })
}

const pressOn = async (row: HTMLElement, key: string): Promise<void> => {
  row.focus()
  await sendKeys({ press: key })
}

describe('undo', () => {
  // Its own property, before that of its prototype.
  afterEach(() => void Reflect.deleteProperty(performance, 'now'))

  it('replaces a row by its line of 36 px, and brings it back to its place with the focus', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    const before = titles(popup)
    const [, second, third] = rows(popup)
    await pressOn(second!, 'e')
    await waitUntil(() => lines(popup).join() === 'Archived')
    await focusOn(popup, () => third)
    const line = inside(popup, '.undo-line')!
    await waitUntil(() => line.offsetHeight === 36 && line.getAnimations().length === 0)
    expect(line.nextElementSibling!.id).to.equal(third!.id)
    expect(line.getAttribute('role')).to.equal('article')
    await waitUntil(() => inbox.page(9).items[1]!.archived)
    skip(301)
    line.querySelector('button')!.click()
    await waitUntil(() => rows(popup).length === 9)
    expect(titles(popup)).to.deep.equal(before)
    expect(lines(popup)).to.deep.equal([])
    await focusOn(popup, () => rows(popup)[1])
    await waitUntil(() => !inbox.page(9).items[1]!.archived)
  })

  it('does not answer the second click of a double click, and that click hits no other row', async () => {
    const { store } = world({ items: harbour() })
    const popup = await openWith(store)
    const target = rows(popup)[1]!.querySelector<HTMLElement>('[data-act=archive]')!
    inside(popup, '.items')!.dispatchEvent(new PointerEvent('pointerover'))
    await import('../../components/inbox/undo/lines.ts')
    await settled(popup)
    skip(0)
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, detail: 1 }))
    await waitUntil(() => inside(popup, '.undo-line button'))
    const clickOnUndo = (): unknown =>
      inside(popup, '.undo-line button')!.dispatchEvent(
        new MouseEvent('click', { bubbles: true, composed: true, detail: 2 })
      )
    skip(299)
    clickOnUndo()
    const next = rows(popup)[1]!.querySelector<HTMLElement>('[data-act=archive]')!
    next.dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail: 2 })
    )
    await settled(popup)
    expect(rows(popup).length).to.equal(8)
    expect(lines(popup)).to.deep.equal(['Archived'])
    skip(1)
    clickOnUndo()
    await waitUntil(() => rows(popup).length === 9)
  })

  it('has one line with words, which the next action ends, and Z takes the last action back', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    await pressOn(rows(popup)[0]!, 'e')
    await waitUntil(() => lines(popup).length === 1)
    await sendKeys({ press: 'e' })
    await waitUntil(() => rows(popup).length === 7 && lines(popup).join() === 'Archived')
    await sendKeys({ press: 'z' })
    await waitUntil(() => rows(popup).length === 8 && lines(popup).length === 0)
    await sendKeys({ press: 'z' })
    await settled(popup)
    expect(rows(popup).length).to.equal(8)
    await waitUntil(() => inbox.page(9).items.filter(({ archived }) => archived).length === 1)
  })

  it('ends its line when the panel closes, and Z still works after that', async () => {
    const { store } = world({ items: harbour() })
    const popup = await openWith(store)
    await pressOn(rows(popup)[0]!, 'e')
    await waitUntil(() => lines(popup).length === 1)
    popup.hide()
    await settled(popup)
    await open(popup)
    expect(lines(popup)).to.deep.equal([])
    await pressOn(rows(popup)[0]!, 'z')
    await waitUntil(() => rows(popup).length === 9)
  })

  it('takes back “all”, also what was not loaded, and says how many', async () => {
    const { inbox, store } = world({ items: many(120, 120) })
    const popup = await openWith(store)
    await chooseInMenu(popup, 'Archive all')
    await waitUntil(() => lines(popup).join() === 'All 120 archived')
    const line = inside(popup, '.undo-line')!
    expect(line.previousElementSibling === null && line.parentElement!.matches('.list')).to.equal(true)
    expect(inside(popup, '.empty-state') !== null && inside(popup, '[role=feed]') === null).to.equal(true)
    await waitUntil(() => inbox.page(1).counts.unarchived === 0)
    await chooseInMenu(popup, 'Undo')
    await waitUntil(() => inbox.page(1).counts.unarchived === 120)
    await waitUntil(() => rows(popup).length > 0 && lines(popup).length === 0)
  })

  it('keeps the focus in the inbox when “all” is taken back by its line', async () => {
    const { store } = world({ items: many(12) })
    const popup = await openWith(store)
    await chooseInMenu(popup, 'Archive all')
    await waitUntil(() => lines(popup).join() === 'All 12 archived')
    skip(301)
    inside(popup, '.undo-line button')!.focus()
    await sendKeys({ press: 'Enter' })
    await focusOn(popup, () => rows(popup)[0])
    expect(rows(popup).length).to.equal(12)
  })

  it('says that an action failed, beside the row that is back, and tries again', async () => {
    const { inbox } = world({ items: harbour() })
    const transport = inbox.transport()
    let works = false
    const store = createNotifStore({
      transport: {
        ...transport,
        patch: async (...given) => {
          if (!works && given[0].archived) throw new TransportError(403, 'no')
          return transport.patch(...given)
        }
      }
    })
    const popup = await openWith(store)
    await pressOn(rows(popup)[0]!, 'e')
    await waitUntil(() => lines(popup).join() === 'Not archived.')
    expect(rows(popup).length).to.equal(9)
    expect(inside(popup, '.undo-line')!.textContent).to.contain(
      'Amara Osei commented on Harbour map” is back.'
    )
    const colorOf = (selector: string): string => getComputedStyle(inside(popup, selector)!).color
    expect(colorOf('.undo-line b')).not.to.equal(colorOf('.undo-line'))
    expect(colorOf('.undo-line svg')).to.equal(colorOf('.undo-line b'))
    works = true
    button(popup, 'Try again').click()
    await waitUntil(() => rows(popup).length === 8)
    await waitUntil(() => inbox.page(1).items[0]!.archived)
  })

  it('leaves letters to the page with keyboard="off"', async () => {
    const { store } = world({ items: harbour() })
    const popup = await openWith(store)
    popup.keyboard = 'off'
    await settled(popup)
    await pressOn(rows(popup)[0]!, 'e')
    await settled(popup)
    expect(rows(popup).length).to.equal(9)
    await sendKeys({ press: 'ArrowDown' })
    await focusOn(popup, () => rows(popup)[1])
  })

  it(`ends in the state of a model after any actions and undos, ${SEED_TEXT}`, async () => {
    const next = random()
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    let archived = new Set<string>()
    let previous: Set<string> | undefined
    for (let step = 0; step < 25; step++) {
      const shown = rows(popup)
      if (next(3) === 0 || shown.length === 0) {
        await sendKeys({ press: 'z' })
        archived = previous ?? archived
        previous = undefined
      } else {
        const row = shown[next(shown.length)]!
        previous = archived
        archived = new Set([...archived, row.id])
        await pressOn(row, 'e')
      }
      await waitUntil(() => rows(popup).length === 9 - archived.size, `step ${step}`)
    }
    const now = (): string =>
      inbox
        .page(9)
        .items.flatMap(item => (item.archived ? [item.id] : []))
        .toSorted()
        .join()
    await waitUntil(() => now() === [...archived].toSorted().join(), now())
  })
})
