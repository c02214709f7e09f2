// Opening an inbox marks as seen what was in sight, and nothing as read.

import { expect } from '@open-wc/testing'

import { harbour, many, world, type World } from './support/harbour.ts'
import { allInside, inside, open, rows, settled, show, type NotifPopup, waitUntil } from './support/page.ts'

const badge = (popup: NotifPopup): string => inside(popup, '.badge')?.textContent ?? ''
const unread = (popup: NotifPopup): number => allInside(popup, 'article[data-unread]').length
const days = (popup: NotifPopup): string[] =>
  allInside(popup, '.day').map(({ textContent }) => textContent!.trim())

async function popupOf({ store }: World, markup = '<notif-popup></notif-popup>'): Promise<NotifPopup> {
  const popup = await show<NotifPopup>(markup, element => (element.store = store))
  await open(popup)
  await waitUntil(() => rows(popup).length > 0)
  return popup
}

describe('an inbox that opens', () => {
  it('takes the rows in sight off the badge after a second, and leaves them unread', async () => {
    const given = world({ items: many(60, 60) })
    const popup = await popupOf(given)
    expect(badge(popup)).to.equal('60')
    await waitUntil(() => Number(badge(popup)) < 60)
    const seen = (): number => given.inbox.page(60).items.filter(item => item.seen).length
    await waitUntil(() => seen() > 2 && seen() === 60 - Number(badge(popup)))
    expect(seen()).to.be.lessThan(20)
    expect(given.inbox.page(1).counts.unopened).to.equal(60)
    expect(unread(popup)).to.equal(rows(popup).length)
    await waitUntil(() => /^\d+ more new$/.test(inside(popup, '.more-new')?.textContent?.trim() ?? ''))
    const before = seen()
    inside(popup, '.list')!.scrollTop = 1000
    await waitUntil(() => seen() > before, 'what is scrolled into sight')
  })

  it('says how many more lie below, with one rendering if one of them is seen elsewhere', async () => {
    const { inbox, store } = world({ items: many(20, 20) })
    const popup = await popupOf({ inbox, store })
    const more = (): number => Number.parseInt(inside(popup, '.more-new')?.textContent?.trim() ?? '')
    await waitUntil(() => more() === 20 - inbox.page(20).items.filter(item => item.seen).length)
    const before = more()
    void store.markAsSeen([store.$notifications.get().at(-1)!.id])
    expect(await popup.updateComplete, 'no update requests another one').to.equal(true)
    expect(more()).to.equal(before - 1)
  })

  it('marks nothing as seen below a dialog, or with mark-opened="never"', async () => {
    const covered = world({ items: harbour() })
    await popupOf(covered)
    const dialog = await show<HTMLDialogElement>(
      '<dialog style="inset: 0; block-size: 100%; max-block-size: none; inline-size: 100%; max-inline-size: none"></dialog>'
    )
    dialog.showModal()
    const never = world({ items: harbour() })
    await popupOf(never, '<notif-popup mark-opened="never"></notif-popup>')
    const open = world({ items: harbour() })
    dialog.close()
    const popup = await popupOf(open)
    await waitUntil(() => badge(popup) !== '4', 'another one is seen meanwhile')
    expect(never.inbox.page(9).items.some(item => item.seen)).to.equal(false)
  })

  it('takes a wrong mark-opened for the default, with a warning', async () => {
    const warnings: string[] = []
    const { warn } = console
    console.warn = (line: string) => void warnings.push(line)
    try {
      const popup = await popupOf(
        world({ items: harbour() }),
        '<notif-popup mark-opened="always"></notif-popup>'
      )
      await waitUntil(() => badge(popup) !== '4')
    } finally {
      console.warn = warn
    }
    expect(warnings.map(line => line.split(':')[0])).to.deep.equal(['<notif-popup> markOpened'])
  })

  it('has the line “New” above what came since the last look, until the inbox opens with something newer', async () => {
    const given = world({ items: many(5, 0) })
    const popup = await popupOf(given)
    expect(days(popup)).not.to.contain('New')
    popup.hide()
    await settled(popup)
    given.inbox.add({ title: 'Heron is back' })
    await open(popup)
    await waitUntil(() => days(popup)[0] === 'New')
    const time = inside(popup, 'article .time')!
    expect(time.textContent!.replaceAll(/\s+/g, ' ').trim()).to.equal('New. Unread. now')
    await waitUntil(() => badge(popup) === '')
    popup.hide()
    await settled(popup)
    await open(popup)
    expect(days(popup)[0]).to.equal('New')
    given.inbox.add({ title: 'Avocet as well' })
    await waitUntil(() => rows(popup).length === 7)
    expect(days(popup).filter(day => day === 'New').length).to.equal(1)
  })

  it('keeps that line if it opens again before the rows below it were in sight', async () => {
    const given = world({ items: many(5, 0) })
    const popup = await popupOf(given)
    popup.hide()
    await settled(popup)
    for (let number = 1; number <= 30; number++) given.inbox.add({ title: `Boat ${number}` })
    await open(popup)
    await waitUntil(() => days(popup)[0] === 'New')
    popup.hide()
    await settled(popup)
    await open(popup)
    expect(days(popup)[0]).to.equal('New')
    expect(Number(badge(popup))).to.be.greaterThan(0)
  })

  it('follows what was seen with unread="seen"', async () => {
    const given = world({ items: harbour() })
    const popup = await popupOf(given, '<notif-popup unread="seen"></notif-popup>')
    const before = unread(popup)
    await waitUntil(() => unread(popup) < before)
    expect(given.inbox.page(1).counts.unopened).to.equal(4)
  })
})
