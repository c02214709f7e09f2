// Titles and bodies with bold text, code and links, drawn as elements.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import type { Notif } from '../../components/index.ts'
import { world } from './support/harbour.ts'
import { inside, rows, rowsShown, settled, show, type NotifFeed } from './support/page.ts'

const EVIL = '<img src=x onerror=alert(1)>'

async function feedOf(item: Partial<Notif> & Pick<Notif, 'title'>, options: Partial<NotifFeed> = {}) {
  const { store } = world({ items: [item] })
  const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element =>
    Object.assign(element, { store, ...options })
  )
  await rowsShown(feed, 1)
  await settled(feed)
  return { feed, row: rows(feed)[0]! }
}

/** Follows no link, and returns what the page heard. */
function listen(feed: NotifFeed): (string | undefined)[] {
  const heard: (string | undefined)[] = []
  feed.addEventListener('notif-select', event => {
    event.preventDefault()
    heard.push(event.detail.item.redirectURL)
  })
  return heard
}

const tagsIn = (element: Element): string[] => [...element.querySelectorAll('*')].map(one => one.localName)

describe('runs', () => {
  it('are elements with text, and the name of the row is the plain title', async () => {
    const { feed, row } = await feedOf({
      body: `x ${EVIL} y`,
      bodyRuns: [{ text: 'x ' }, { code: true, text: EVIL }, { break: true, text: '\n' }, { text: 'y' }],
      redirectURL: 'https://heron.example/',
      title: `Amara ${EVIL} commented`,
      titleRuns: [
        { bold: true, text: `Amara ${EVIL}` },
        { italic: true, strike: true, text: ' comm' },
        { text: 'ented', underline: true }
      ]
    })
    const title = inside(feed, '.title')!
    expect(title.textContent).to.equal(`Amara ${EVIL} commented`)
    expect(tagsIn(title)).to.deep.equal(['b', 's', 'i', 'u'])
    expect(row.getAttribute('aria-labelledby')).to.equal(title.id)
    const body = inside(feed, '.body')!
    expect(tagsIn(body)).to.deep.equal(['code', 'br'])
    expect(body.textContent).to.equal(`x ${EVIL}\ny`)
    expect(body.querySelector('code')!.textContent).to.equal(EVIL)
    expect(Number(getComputedStyle(title.querySelector('b')!).fontWeight)).to.be.greaterThan(
      Number(getComputedStyle(title).fontWeight)
    )
  })

  it('are replaced by what arrives next, and a text without them is plain', async () => {
    const { inbox, store } = world({
      items: [{ id: '1', title: 'A B', titleRuns: [{ bold: true, text: 'A' }, { text: ' B' }] }]
    })
    const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element =>
      Object.assign(element, { store })
    )
    await rowsShown(feed, 1)
    inbox.add({ title: '**A** <b>B</b>' })
    await rowsShown(feed, 2)
    const [first, second] = rows(feed).map(row => row.querySelector('.title')!)
    expect(first!.textContent).to.equal('**A** <b>B</b>')
    expect(tagsIn(first!)).to.deep.equal([])
    expect(tagsIn(second!)).to.deep.equal(['b'])
  })

  it('of a title are no links inside the link of the row', async () => {
    const titleRuns = [{ text: 'Open ' }, { href: '#map', text: 'the map' }]
    const own = await feedOf({ redirectURL: '#own', title: 'Open the map', titleRuns })
    expect(own.row.querySelectorAll('a').length).to.equal(1)
    expect(inside(own.feed, '.title')!.getAttribute('href')).to.equal('#own')
    const first = await feedOf({ title: 'Open the map', titleRuns })
    const heard = listen(first.feed)
    expect(first.row.querySelectorAll('a').length).to.equal(1)
    expect(inside(first.feed, '.title')!.getAttribute('href')).to.equal('#map')
    inside(first.feed, '.title')!.click()
    expect(heard).to.deep.equal(['#map'])
  })

  it('of a body are links above that of the row, and the page hears where they lead', async () => {
    const item = {
      body: 'Read the notes',
      bodyRuns: [{ text: 'Read ' }, { bold: true as const, href: '#notes', text: 'the notes' }],
      redirectURL: '#row',
      title: 'Notes'
    }
    const { feed, row } = await feedOf(item, { newTab: true })
    const heard = listen(feed)
    const link = row.querySelector<HTMLElement>('.body a')!
    expect([link.getAttribute('rel'), link.getAttribute('target'), link.textContent]).to.deep.equal([
      'noopener',
      '_blank',
      'the notes'
    ])
    const { height, left, top, width } = link.getBoundingClientRect()
    const hit = feed.shadowRoot!.elementFromPoint(left + width / 2, top + height / 2)
    expect(hit!.closest('a') === link).to.equal(true)
    link.click()
    row.focus()
    await sendKeys({ press: 'Enter' })
    // The list is one Tab stop, and the arrow goes into the row.
    await sendKeys({ press: 'ArrowRight' })
    expect(feed.shadowRoot!.activeElement === link).to.equal(true)
    await sendKeys({ press: 'Enter' })
    expect(heard).to.deep.equal(['#notes', '#row', '#notes'])
  })

  it('with an unsafe address are text', async () => {
    for (const href of [
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'https://a@evil.example/'
    ]) {
      const runs = [{ href, text: 'go' }]
      const { row } = await feedOf({ body: 'go', bodyRuns: runs, title: 'go', titleRuns: runs })
      expect(row.querySelectorAll('[href]').length, href).to.equal(0)
      expect(row.querySelector('.body')!.textContent).to.equal('go')
    }
  })
})
