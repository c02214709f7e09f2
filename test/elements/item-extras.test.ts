// Buttons, reply fields, progress bars, people and icons of rows.

import { expect } from '@open-wc/testing'
import { sendKeys, sendMouse } from '@web/test-runner-commands'

import { createNotifStore, TransportError, type Notif } from '../../components/index.ts'
import { memoryInbox } from '../../components/testing.ts'
import { inside, rows, rowsShown, settled, show, type NotifFeed, waitUntil } from './support/page.ts'

type Draft = Partial<Notif> & Pick<Notif, 'title'>

async function feedOf(...items: readonly Draft[]) {
  const inbox = memoryInbox({ items: items.map((item, i) => ({ id: `i${i}`, ...item })) })
  const transport = inbox.transport()
  const store = createNotifStore({ transport })
  const feed = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
  await rowsShown(feed, items.length)
  const find = <T extends HTMLElement>(selector: string): T => inside(feed, selector) as T
  return { feed, find, inbox, row: () => rows(feed)[0]!, store, transport }
}

const APPROVAL: Draft = {
  actions: [
    { id: 'approve', label: 'Approve', send: true },
    { id: 'decline', label: 'Decline', send: true }
  ],
  body: 'Two prices change.',
  title: 'Nour asks you to approve the winter fares'
}

const clickOn = async (element: Element): Promise<void> => {
  const { x, y, width, height } = element.getBoundingClientRect()
  await sendMouse({ position: [Math.round(x + width / 2), Math.round(y + height / 2)], type: 'click' })
}

describe('extras of an item', () => {
  it('have their buttons 32 px high, the first one main, and none in a row without them', async () => {
    const { feed, find } = await feedOf({ title: 'Plain' }, APPROVAL)
    await waitUntil(() => find('.acts') !== null)
    expect(rows(feed)[1]!.querySelector('.below') === null).to.equal(true)
    const buttons = [...rows(feed)[0]!.querySelectorAll<HTMLElement>('.acts .btn')]
    expect(buttons.map(one => one.textContent!.trim())).to.deep.equal(['Approve', 'Decline'])
    expect(buttons.map(one => one.offsetHeight)).to.deep.equal([32, 32])
    expect(buttons[0]!.classList.contains('main')).to.equal(true)
    await expect(feed).to.be.accessible()
  })

  it('wait for the back end in a button of the same width, and show its answer instead', async () => {
    const { feed, find, inbox, row, store } = await feedOf(APPROVAL)
    await waitUntil(() => find('.acts') !== null)
    const width = find('.acts .btn').offsetWidth
    await clickOn(find('.acts .btn'))
    await waitUntil(() => find('.acts [aria-busy]') !== null)
    const busy = find<HTMLButtonElement>('.acts [aria-busy]')
    expect(busy.offsetWidth).to.equal(width)
    expect(busy.textContent!.trim()).to.equal('Approve')
    expect(row().querySelectorAll('.acts [aria-disabled]').length).to.equal(2)
    expect(store.$unopened.get()).to.equal(0)
    inbox.update('i0', {
      outcome: { actionId: 'approve', at: new Date().toISOString(), state: 'done', text: 'You approved this' }
    })
    await waitUntil(() => find('.state') !== null)
    expect(find('.state').textContent).to.contain('You approved this')
    expect(find('.acts') === null).to.equal(true)
    expect((feed.shadowRoot as ShadowRoot).activeElement === row()).to.equal(true)
    await expect(feed).to.be.accessible()
  })

  it('name somebody else who acted, and a failure with the buttons', async () => {
    const at = new Date().toISOString()
    const { find, inbox } = await feedOf({
      ...APPROVAL,
      outcome: { actionId: 'approve', at, state: 'failed', text: 'It was withdrawn.' }
    })
    await waitUntil(() => find('.state') !== null)
    expect(find('.state').textContent).to.contain('Not sent.').and.to.contain('It was withdrawn.')
    expect(find('.acts') !== null).to.equal(true)
    inbox.update('i0', { outcome: { actionId: 'approve', at, by: 'Mei Tanaka', state: 'done' } })
    await waitUntil(() => find('.acts') === null)
    expect(find('.state').textContent).to.contain('Mei Tanaka: Approve')
  })

  it('ask the page, which may answer later, fail or prevent it', async () => {
    const { feed, find, row, store } = await feedOf({
      actions: [{ id: 'ask', label: 'Ask Nour' }],
      title: 'Plan'
    })
    await waitUntil(() => find('.acts') !== null)
    const answers = [Promise.withResolvers<string | void>(), Promise.withResolvers<string | void>()]
    let asked = 0
    feed.addEventListener('notif-item-action', event => {
      const { action, item, respondWith } = event.detail
      expect([action.id, item.title]).to.deep.equal(['ask', 'Plan'])
      const answer = answers[asked++]
      if (answer) respondWith(answer.promise)
      else event.preventDefault()
    })
    find('.acts .btn').click()
    await waitUntil(() => find('.acts [aria-busy]') !== null)
    answers[0]!.reject('Nour is away.')
    await waitUntil(() => find('.state')?.textContent?.includes('Nour is away.') === true)
    find('.acts .btn').click()
    await waitUntil(() => find('.acts [aria-busy]') !== null)
    answers[1]!.resolve('Nour was asked')
    await waitUntil(() => find('.state')?.textContent?.includes('Nour was asked') === true)
    expect(row().hasAttribute('data-unread')).to.equal(false)
    expect(store.$notifications.get()[0]!.actioned1).to.be.a('string')
  })

  it('agree in two elements of a store about what the page answered, and about a failure', async () => {
    const { feed, find, store } = await feedOf({ actions: [{ id: 'ask', label: 'Ask Nour' }], title: 'Plan' })
    const other = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    const state = (): string | undefined => inside(other, '.state')?.textContent?.trim()
    await waitUntil(() => find('.acts') !== null && inside(other, '.acts') !== null)
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    feed.addEventListener('notif-item-action', event => event.detail.respondWith(answers.shift()!.promise))
    const [first, second] = answers
    find('.acts .btn').click()
    await waitUntil(() => inside(other, '.acts [aria-busy]') !== null)
    first!.reject('Nour is away.')
    await waitUntil(() => state()?.includes('Nour is away.'))
    find('.acts .btn').click()
    second!.resolve('Nour was asked')
    await waitUntil(() => state()?.includes('Nour was asked') && inside(other, '.acts') === null)
    const late = await show<NotifFeed>('<notif-feed></notif-feed>', element => (element.store = store))
    await waitUntil(() => inside(late, '.state')?.textContent?.includes('Nour was asked'))
  })

  it('prevented by the page change nothing', async () => {
    const { feed, find, store } = await feedOf(APPROVAL)
    await waitUntil(() => find('.acts') !== null)
    feed.addEventListener('notif-item-action', event => event.preventDefault())
    find('.acts .btn').click()
    await settled(feed)
    expect(find('.acts [aria-busy]') === null).to.equal(true)
    expect(store.$notifications.get()[0]!.outcome).to.equal(undefined)
  })

  it('with an address are links, unless it is unsafe', async () => {
    const { feed, find, row } = await feedOf({
      actions: [
        { id: 'open', label: 'Open the plan', url: '#plan' },
        { id: 'evil', label: 'Evil', url: 'javascript:alert(1)' }
      ],
      title: 'Plan'
    })
    await waitUntil(() => find('.acts') !== null)
    expect(row().querySelectorAll('.acts .btn').length).to.equal(1)
    const heard: string[] = []
    feed.addEventListener('notif-select', () => heard.push('select'))
    feed.addEventListener('notif-item-action', ({ detail }) => heard.push(detail.action.id))
    find('.acts a').click()
    await settled(feed)
    expect(heard).to.deep.equal(['open'])
    history.replaceState(null, '', location.pathname + location.search)
  })

  it('reply by keyboard: Enter sends, Escape closes, and a failure keeps the words', async () => {
    const { feed, find, store, transport } = await feedOf({
      reply: { label: 'Reply to Amara', max: 200 },
      title: 'Amara mentioned you'
    })
    const { patch } = transport
    const refuse = async (): Promise<never> => {
      throw new TransportError(0, 'The server could not be reached.')
    }
    await waitUntil(() => find('.reply-button') !== null)
    find('.reply-button').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => find('textarea') === (feed.shadowRoot as ShadowRoot).activeElement)
    expect(find<HTMLTextAreaElement>('textarea').placeholder).to.equal('Reply to Amara')
    expect(find('textarea').dir).to.equal('auto')
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => find('.reply-button') === (feed.shadowRoot as ShadowRoot).activeElement)
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => find('textarea') === (feed.shadowRoot as ShadowRoot).activeElement)
    await sendKeys({ type: 'Eight pixels.' })
    await expect(feed).to.be.accessible()
    Object.assign(transport, { patch: refuse })
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => find('.reply .state') !== null)
    expect(find<HTMLTextAreaElement>('textarea').value).to.equal('Eight pixels.')
    expect(find('textarea').getAttribute('aria-invalid')).to.equal('true')
    Object.assign(transport, { patch })
    await clickOn(find('.reply .state button'))
    await waitUntil(() => find('.said') !== null)
    expect(find('.said').textContent).to.contain('Eight pixels.')
    // A text of another direction keeps its full stop at its end.
    expect(find('.said bdi').textContent).to.equal('Eight pixels.')
    expect(store.$notifications.get()[0]!.replies!.length).to.equal(1)
  })

  it('grow the field to five lines', async () => {
    const { find } = await feedOf({ reply: {}, title: 'Amara mentioned you' })
    await waitUntil(() => find('.reply-button') !== null)
    find('.reply-button').click()
    await waitUntil(() => find('textarea') !== null)
    const field = find<HTMLTextAreaElement>('textarea')
    const heights: number[] = []
    for (const lines of [1, 3, 9]) {
      field.value = Array.from({ length: lines }, () => 'x').join('\n')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      heights.push(field.offsetHeight)
    }
    expect(heights).to.deep.equal([28, 68, 108])
  })

  it('move a bar in its place', async () => {
    const { feed, find, inbox } = await feedOf({ progress: { state: 'running' }, title: 'Report' })
    await waitUntil(() => find('.bar') !== null)
    const bar = find('.bar')
    expect(bar.hasAttribute('aria-valuenow')).to.equal(false)
    inbox.update('i0', { progress: { state: 'running', text: '124 of 200 pages', value: 0.62 } })
    await waitUntil(() => find('.bar').getAttribute('aria-valuenow') === '62')
    expect(find('.bar') === bar).to.equal(true)
    expect(bar.getAttribute('aria-valuetext')).to.equal('124 of 200 pages')
    await expect(feed).to.be.accessible()
    inbox.update('i0', { progress: { state: 'done' } })
    await waitUntil(() => find('.bar') === null)
  })

  it('show people, and words for them if the title names nobody', async () => {
    const actors = ['Mei', 'Jonas', 'Amara', 'Nour'].map(name => ({ name }))
    const { feed } = await feedOf(
      { actorCount: 12, actors, title: 'Mei and 11 others joined' },
      { actorCount: 5, actors: actors.slice(0, 2), title: 'The timetable was approved' },
      { actors: actors.slice(0, 2), icon: 'ship', tone: 3, title: 'Mei and Jonas agree' },
      { icon: 'calendar', imageShape: 'square', tone: 2, title: 'Meeting' }
    )
    await waitUntil(() => rows(feed)[3]!.querySelector('.people') !== null)
    const [icon, two, words, crowd] = rows(feed) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement]
    expect(crowd.querySelectorAll('.people .avatar').length).to.equal(4)
    expect(crowd.querySelector('.people')!.textContent!.trim()).to.contain('and 8 more')
    expect(words.querySelector('.people')!.textContent!.trim()).to.equal('Mei and 4 others')
    expect(two.querySelectorAll('.two .avatar').length).to.equal(2)
    expect(two.querySelector('.people') === null).to.equal(true)
    expect(icon.querySelector<HTMLElement>('.avatar')!.dataset['tone']).to.equal('2')
    expect(getComputedStyle(icon.querySelector('.avatar')!).borderRadius).not.to.equal('50%')
  })

  it('show neither dots nor a moving bar when work of unknown length failed', async () => {
    const { find, inbox } = await feedOf({ progress: { state: 'running' }, title: 'Report' })
    await waitUntil(() => find('.bar') !== null)
    expect([find('.percent').textContent, find('.bar').hasAttribute('data-unknown')]).to.deep.equal([
      '…',
      true
    ])
    inbox.update('i0', { progress: { state: 'failed' } })
    await waitUntil(() => find('.bar').hasAttribute('data-bad'))
    expect([find('.percent') === null, find('.bar').hasAttribute('data-unknown')]).to.deep.equal([
      true,
      false
    ])
    await waitUntil(() => find('.bar > i').offsetWidth === find('.bar').clientWidth)
  })

  it('keep the icon of a long answer on its first line', async () => {
    const { feed, find, inbox } = await feedOf(APPROVAL)
    feed.style.inlineSize = '320px'
    inbox.update('i0', {
      outcome: {
        actionId: 'approve',
        at: new Date().toISOString(),
        state: 'done',
        text: 'You approved this for all boats of the northern line until the end of the season'
      }
    })
    await waitUntil(() => find('.state') !== null)
    const [icon, text] = [find('.state svg'), find('.state > span')].map(one => one.getBoundingClientRect())
    expect(text!.height).to.be.greaterThan(30)
    expect(text!.left).to.be.greaterThan(icon!.right)
    expect(Math.abs(icon!.top + icon!.height / 2 - (text!.top + 10))).to.be.lessThan(3)
  })
})
