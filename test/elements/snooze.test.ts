// A notification can be snoozed: by a tool of its row, the key S or the menu of a touch screen, until one of three times or a picked one.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore } from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import {
  allInside,
  button,
  focusOn,
  inside,
  open,
  rows,
  rowsShown,
  show,
  type NotifPopup,
  waitUntil
} from './support/page.ts'

const line = (popup: NotifPopup): string => inside(popup, '.undo-line b')?.textContent ?? ''
const items = (popup: NotifPopup): HTMLElement[] => allInside(popup, '.menu:popover-open [role=menuitem]')
const names = (popup: NotifPopup): string[] =>
  items(popup).map(item => item.querySelector('.menu-name')!.textContent!)

async function openWith(
  store: NotifPopup['store'],
  markup = '<notif-popup></notif-popup>'
): Promise<NotifPopup> {
  const popup = await show<NotifPopup>(markup, element => (element.store = store))
  await open(popup)
  await waitUntil(() => rows(popup).length > 0)
  return popup
}

async function openMenu(popup: NotifPopup, index = 0): Promise<void> {
  rows(popup)[index]!.focus()
  await sendKeys({ press: 's' })
  await waitUntil(() => items(popup).length > 0, 'the menu')
}

describe('snooze', () => {
  it('opens its menu with S, moves with arrows, and Esc returns to the button', async () => {
    const popup = await openWith(world({ items: harbour() }).store)
    await openMenu(popup)
    const opener = rows(popup)[0]!.querySelector<HTMLElement>('[data-act=snooze]')!
    expect([opener.title, opener.ariaHasPopup, opener.ariaExpanded]).to.deep.equal(['Snooze', 'menu', 'true'])
    expect(names(popup)).to.include.members(['Tomorrow', 'Pick a time'])
    expect(inside(popup, '.menu-heading')!.textContent).to.equal('Snooze until')
    await focusOn(popup, () => items(popup)[0])
    await sendKeys({ press: 'ArrowUp' })
    await focusOn(popup, () => items(popup).at(-1))
    await sendKeys({ press: 'Escape' })
    await focusOn(popup, () => opener)
    expect(opener.ariaExpanded).to.equal('false')
    expect(inside(popup, '.panel')!.matches(':popover-open')).to.equal(true)
  })

  it('hides the row until then, says until when, and Z brings it back to its place', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    const before = rows(popup).map(({ id }) => id)
    await openMenu(popup, 1)
    items(popup)
      .find(item => item.textContent!.includes('Tomorrow'))!
      .click()
    await rowsShown(popup, before.length - 1)
    await waitUntil(() => line(popup).startsWith('Snoozed until tomorrow, 8:00'), line(popup))
    const isSnoozed = (): boolean =>
      Boolean(inbox.page(9).items.find(({ id }) => id === before[1])?.snoozedUntil)
    await waitUntil(isSnoozed)
    const { snoozedUntil } = inbox.page(9).items.find(({ id }) => id === before[1])!
    expect(new Date(snoozedUntil!).getHours()).to.equal(8)
    await sendKeys({ press: 'z' })
    await rowsShown(popup, before.length)
    expect(rows(popup).map(({ id }) => id)).to.deep.equal(before)
    await focusOn(popup, () => rows(popup)[1])
    await waitUntil(() => !isSnoozed())
  })

  it('picks a day and a time in a dialog of 308 px, and refuses one in the past', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    await openMenu(popup)
    items(popup).at(-1)!.click()
    await waitUntil(() => inside(popup, '.picker:popover-open'), 'the fields')
    const [day, time] = allInside<HTMLInputElement>(popup, '.picker input')
    await focusOn(popup, () => day)
    expect(inside(popup, '.picker')!.offsetWidth).to.equal(308)
    const type = (field: HTMLInputElement, value: string): void => {
      field.value = value
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    const submit = inside(popup, '.picker button')!
    type(day!, '2020-01-01')
    await waitUntil(() => submit.ariaDisabled === 'true')
    submit.click()
    expect(inside(popup, '.picker:popover-open') !== null).to.equal(true)
    const target = new Date()
    target.setDate(target.getDate() + 3)
    const pad = (n: number): string => `${n}`.padStart(2, '0')
    type(day!, `${target.getFullYear()}-${pad(target.getMonth() + 1)}-${pad(target.getDate())}`)
    type(time!, '09:30')
    await waitUntil(() => /^Snooze until .*9:30/.test(submit.textContent!), submit.textContent!)
    submit.click()
    await rowsShown(popup, 8)
    await waitUntil(() => inbox.page(9).items.some(({ snoozedUntil }) => snoozedUntil))
    const until = new Date(inbox.page(9).items.find(({ snoozedUntil }) => snoozedUntil)!.snoozedUntil!)
    expect([until.getDate(), until.getHours(), until.getMinutes()]).to.deep.equal([target.getDate(), 9, 30])
  })

  it('says that a snooze was refused, and tries it again', async () => {
    const { inbox } = world({ items: harbour() })
    const transport = inbox.transport()
    let works = false
    const store = createNotifStore({
      transport: {
        ...transport,
        patch: async (...given) => {
          if (!works && given[0].snoozedUntil) throw new TransportError(403, 'no')
          return transport.patch(...given)
        }
      }
    })
    const popup = await openWith(store)
    await openMenu(popup)
    items(popup)[0]!.click()
    await waitUntil(() => line(popup) === 'Not saved.')
    expect(rows(popup).length).to.equal(9)
    works = true
    button(popup, 'Try again').click()
    await rowsShown(popup, 8)
    await waitUntil(() => inbox.page(9).items.some(({ snoozedUntil }) => snoozedUntil))
  })

  it('is in Arabic and from right to left', async () => {
    const popup = await openWith(
      world({ items: harbour() }).store,
      '<notif-popup lang="ar" dir="rtl"></notif-popup>'
    )
    await waitUntil(() => allInside(popup, '[data-act=snooze]').some(({ title }) => title === 'تأجيل'))
    await openMenu(popup)
    expect(names(popup)).to.include('غدًا')
    // As far as the window has room, it begins at its button and goes to the right.
    const menu = inside(popup, '.menu')!.getBoundingClientRect()
    const opener = rows(popup)[0]!.querySelector('[data-act=snooze]')!.getBoundingClientRect()
    expect(menu.right).to.be.greaterThan(opener.right)
    expect([menu.left >= 0, menu.right <= innerWidth]).to.deep.equal([true, true])
  })

  it('puts the line of a snoozed row where the row stood, in the order of their ends', async () => {
    const { store } = world({ items: harbour() })
    const popup = await openWith(store)
    const ids = rows(popup).map(({ id }) => id)
    const [newest, second, third] = ids
    const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)
    await store.snooze([newest!], inHours(3))
    await store.snooze([second!], inHours(1))
    await store.snooze([third!], inHours(2))
    await waitUntil(() => inside(popup, '.tab-more'))
    inside(popup, '.tab-more')!.click()
    const item = (): HTMLElement | undefined =>
      allInside(popup, '.menu:popover-open button').find(({ textContent }) =>
        textContent!.includes('Snoozed')
      )
    await waitUntil(item)
    item()!.click()
    await waitUntil(
      () =>
        rows(popup)
          .map(({ id }) => id)
          .join() === [second, third, newest].join()
    )
    // Days of arrival would be in any order.
    expect(inside(popup, '.day') === null).to.equal(true)
    rows(popup)[1]!.focus()
    await sendKeys({ press: 'e' })
    await waitUntil(() => line(popup) === 'Archived')
    const undoLine = inside(popup, '.undo-line')!
    await waitUntil(() => rows(popup).filter(row => row.matches('.item')).length === 2)
    expect([undoLine.previousElementSibling!.id, undoLine.nextElementSibling!.id]).to.deep.equal([
      second,
      newest
    ])
    await sendKeys({ press: 'z' })
    await waitUntil(
      () =>
        allInside(popup, 'article.item')
          .map(({ id }) => id)
          .join() === [second, third, newest].join()
    )
  })

  it('says on the row when it was snoozed, after it came back', async () => {
    const { inbox, store } = world({ items: harbour() })
    const popup = await openWith(store)
    const id = rows(popup)[2]!.id
    const row = (): HTMLElement => rows(popup).find(one => one.id === id)!
    inbox.update(id, { snoozedAt: new Date(Date.now() - 3 * 86_400_000).toISOString() })
    await waitUntil(() => row().querySelector('.came-back')?.textContent?.trim() === 'Snoozed 3 days ago')
    const note = row().querySelector('.came-back')!
    expect(row().getAttribute('aria-describedby')!.split(' ')).to.include(note.id)
    expect(note.nextElementSibling!.matches('.body')).to.equal(true)
    inbox.update(id, { snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() })
    await rowsShown(popup, 8)
    await store.unsnooze([id])
    await rowsShown(popup, 9)
    expect(row().querySelector('.came-back') === null).to.equal(true)
  })
})
