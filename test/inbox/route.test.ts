// The inbox over HTTP, for our elements and for legacy clients.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { InboxChange, InboxPage } from '#protocol'

import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { NewItem } from '../../server/inbox/items.sql.ts'
import { inboxRoutes } from '../../server/inbox/route.ts'
import { asUser, CLIENT, serve, type Served } from '../http/serve.ts'
import { testKit, type TestKit } from '../send/test-context.ts'
import { insertInboxItems } from '../support/fixtures.ts'

async function open(pageBytes?: number): Promise<Served & { context: TestKit }> {
  let context: TestKit
  const served = await serve(db => {
    context = testKit(db)
    return inboxRoutes(context, { pageBytes })
  })
  return Object.assign(served, { context: context! })
}

const itemFor = (userId: string, more: Partial<NewItem> = {}): NewItem => ({
  bucket: bucketOf(CLIENT, userId),
  content: { body: 'text', title: 'a & <b> {{ c }}' },
  envId: CLIENT,
  id: uuidv7(placementHash(CLIENT, userId)),
  notificationId: 'new_comment',
  subId: '',
  userId,
  ...more
})

const fill = (served: Served, items: readonly NewItem[]) =>
  served.db.control.begin(tx => insertInboxItems(tx, items))

const BASE = `/${CLIENT}/users/ada`
const get = async <T>(served: Served, path: string): Promise<T> => {
  const answer = await served.fetch(BASE + path, { headers: asUser('ada') })
  assert.equal(answer.status, 200, path)
  return (await answer.json()) as T
}
const patch = (served: Served, path: string, body: unknown, headers: Record<string, string> = {}) =>
  served.fetch(BASE + path, {
    body: JSON.stringify(body),
    headers: { ...asUser('ada'), ...headers },
    method: 'PATCH'
  })

test('continues a page at its cursor', async () => {
  await using served = await open()
  const items = Array.from({ length: 7 }, () => itemFor('ada'))
  await fill(served, items)
  const seen: string[] = []
  let page: InboxPage | undefined
  do {
    page = await get<InboxPage>(served, `/inbox?count=3${page?.next ? `&cursor=${page.next}` : ''}`)
    assert.deepEqual(page.counts, { snoozed: 0, unarchived: 7, unopened: 7, unseen: 7 })
    seen.push(...page.items.map(item => item.id))
  } while (page.next)
  assert.deepEqual(seen, items.map(item => item.id).toReversed())
  const whole = await get<InboxPage>(served, '/inbox')
  assert.equal(whole.items.length, 7)
  assert.equal(whole.items[0]!.title, 'a & <b> {{ c }}')
  assert.equal(whole.items[0]!.body, 'text')
})

test('resets a reader that missed more bytes than a page may have; it then reads page by page', async () => {
  await using served = await open(3000)
  const content = { parameters: { text: 'x'.repeat(1000) }, title: 'large' }
  const items = Array.from({ length: 5 }, () => itemFor('ada', { content }))
  const [event] = await fill(served, items)
  const { version } = event!.change
  assert.deepEqual(await get(served, '/inbox/changes?since=0'), { reset: true, version })
  const late = await get<InboxChange>(served, `/inbox/changes?since=${version - 2}`)
  assert.equal(late.items.length, 2)
  const page = await get<InboxPage>(served, '/inbox')
  const rest = await get<InboxPage>(served, `/inbox?cursor=${page.next}`)
  assert.deepEqual([page.items.length, page.version, rest.items.length], [2, version, 2])
})

test('answers a PATCH with the change, publishes it once, and returns it to readers of changes', async () => {
  await using served = await open()
  const items = [itemFor('ada'), itemFor('ada')]
  await fill(served, items)
  const before = await get<InboxPage>(served, '/inbox')
  const body = { opened: '2026-11-21T12:00:00Z', trackingIds: [items[0]!.id.toUpperCase(), 'x'] }
  const headers = { 'idempotency-key': 'k1' }
  const answer = await patch(served, '/inbox', body, headers)
  const change = (await answer.json()) as InboxChange
  assert.equal(change.prev, before.version)
  assert.equal(change.items[0]!.opened, '2026-11-21T12:00:00.000Z')
  assert.deepEqual(change.counts, { snoozed: 0, unarchived: 2, unopened: 1, unseen: 1 })
  const again = await patch(served, '/inbox', body, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await again.json(), change)
  assert.deepEqual(
    served.context.events.map(event => event.change),
    [change]
  )
  assert.deepEqual(await get(served, `/inbox/changes?since=${before.version}`), change)
  assert.deepEqual(await get(served, `/inbox/changes?since=${change.version}`), {
    ...change,
    items: [],
    prev: change.version
  })
  assert.deepEqual(await get(served, `/inbox/changes?since=${change.version + 1}`), {
    reset: true,
    version: change.version
  })
})

test('names the field of wrong input and changes nothing', async () => {
  await using served = await open()
  await fill(served, [itemFor('ada')])
  const firstPointer = async (answer: Response) => {
    assert.equal(answer.status, 422)
    return ((await answer.json()) as { errors: { pointer: string }[] }).errors[0]!.pointer
  }
  for (const [query, pointer] of [
    ['count=0', '#/count'],
    ['count=1001', '#/count'],
    ['count=x', '#/count'],
    ['cursor=abc', '#/cursor'],
    ['cursor=', '#/cursor']
  ] as const) {
    const answer = await served.fetch(`${BASE}/inbox?${query}`, { headers: asUser('ada') })
    assert.equal(await firstPointer(answer), pointer, query)
  }
  for (const [query, pointer] of [
    ['count=x', '#/count'],
    ['before=yesterday', '#/before']
  ] as const) {
    const path = `${BASE}/notifications/INAPP_WEB?${query}`
    assert.equal(await firstPointer(await served.fetch(path, { headers: asUser('ada') })), pointer, query)
  }
  for (const since of ['', '?since=-1', '?since=1e400', '?since=9007199254740993']) {
    const answer = await served.fetch(`${BASE}/inbox/changes${since}`, { headers: asUser('ada') })
    assert.equal(await firstPointer(answer), '#/since', since)
  }
  for (const [body, pointer] of [
    [{}, '#/trackingIds'],
    [{ trackingIds: 'SOME' }, '#/trackingIds'],
    [{ trackingIds: [1] }, '#/trackingIds/0'],
    [{ opened: 'yesterday', trackingIds: [] }, '#/opened'],
    [{ opened: '2026-02-30T00:00:00Z', trackingIds: 'ALL' }, '#/opened'],
    [{ opened: true, trackingIds: [] }, '#/opened'],
    [{ reply: { date: '2026-11-21', message: 'x' }, trackingIds: 'ALL' }, '#/reply'],
    [{ reply: { date: '2026-11-21', message: 'x'.repeat(10_001) }, trackingIds: [] }, '#/reply/message'],
    [{ through: -1, trackingIds: 'ALL' }, '#/through']
  ] as const) {
    assert.equal(await firstPointer(await patch(served, '/inbox', body)), pointer, JSON.stringify(body))
  }
  assert.deepEqual(served.context.events, [])
})

test('answers a PATCH of more items than an answer may have with the counters only', async () => {
  await using served = await open(1000)
  const items = Array.from({ length: 3 }, () => itemFor('ada', { content: { title: 'x'.repeat(400) } }))
  await fill(served, items)
  const marked = async (count: number): Promise<InboxChange> => {
    const trackingIds = items.slice(0, count).map(item => item.id)
    const opened = new Date(count).toISOString()
    return (await (await patch(served, '/inbox', { opened, trackingIds })).json()) as InboxChange
  }
  const few = await marked(2)
  assert.equal(few.items.length, 2)
  const all = await marked(3)
  assert.deepEqual([all.items, all.prev, all.counts.unopened], [[], all.version, 0])
  assert.deepEqual(served.context.events.at(-1)!.change, all)
  assert.deepEqual(await get(served, `/inbox/changes?since=${few.version}`), {
    reset: true,
    version: all.version
  })
  assert.equal((await get<InboxPage>(served, '/inbox')).items[0]!.opened, new Date(3).toISOString())
})

test('lists notifications in the format of legacy clients', async () => {
  await using served = await open()
  const expiresAt = new Date(Date.now() + 3_600_500)
  const items = [itemFor('ada'), itemFor('ada', { expiresAt }), itemFor('ada', { subId: 's' })]
  await fill(served, items)
  interface List {
    readonly notifications: { readonly id: string; readonly date: string; readonly expDate?: number }[]
    readonly oldestReceived?: string
    readonly couldLoadMore: boolean
    readonly hasMore: boolean
  }
  const LEGACY_INBOX = '/notifications/INAPP_WEB'
  const all = await get<List>(
    served,
    `${LEGACY_INBOX}?count=1000&before=${new Date(Date.now() + 1000).toISOString()}`
  )
  assert.equal(all.notifications.length, 3)
  assert.equal(all.notifications[1]!.expDate, Math.floor(expiresAt.getTime() / 1000))
  assert.deepEqual([all.couldLoadMore, all.hasMore], [false, false])
  assert.deepEqual(all.notifications[2], {
    date: all.notifications[2]!.date,
    id: items[0]!.id,
    notificationId: 'new_comment',
    seen: false,
    title: 'a & &lt;b&gt; &#123;{ c }}'
  })
  const first = await get<List>(served, `${LEGACY_INBOX}?count=2`)
  assert.deepEqual([first.couldLoadMore, first.oldestReceived], [true, all.notifications[1]!.date])
  for (const before of [first.oldestReceived!, String(Date.parse(first.oldestReceived!))]) {
    const rest = await get<List>(served, `${LEGACY_INBOX}?count=2&before=${before}`)
    assert.deepEqual(
      rest.notifications.map(item => item.id),
      [items[0]!.id]
    )
  }
  for (const count of ['0', '-5', '2.5', '1e9', '']) {
    const list = await get<List>(served, `${LEGACY_INBOX}?count=${count}&before=`)
    assert.ok(list.notifications.length > 0, count)
  }
  assert.deepEqual(await get<List>(served, `${LEGACY_INBOX}?before=2001-01-01`), {
    couldLoadMore: false,
    hasMore: false,
    notifications: []
  })
})

test('accepts every date format of legacy clients', async () => {
  await using served = await open()
  const item = itemFor('ada')
  await fill(served, [item])
  const mark = async (body: object) => {
    const answer = await patch(served, '/notifications/INAPP_WEB', { trackingIds: [item.id], ...body })
    assert.deepEqual([answer.status, await answer.json()], [200, { success: true }])
    return (await get<InboxPage>(served, '/inbox')).items[0]!
  }
  for (const [text, opened] of [
    ['2026-11-20T04:34:37.557Z', '2026-11-20T04:34:37.557Z'],
    ['2026-11-20T04:34:37.557123', '2026-11-20T04:34:37.557Z'],
    ['2026-11-20 04:34:37.5', '2026-11-20T04:34:37.500Z'],
    ['2026-11-20T04:34:37+02:00', '2026-11-20T02:34:37.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z']
  ] as const) {
    assert.equal((await mark({ opened: text })).opened, opened, text)
  }
  assert.equal((await mark({ opened: null })).opened, undefined)
  const replied = await mark({ reply: { date: '2026-11-20T04:34:37.557Z', message: 'ok' } })
  assert.deepEqual(replied.replies, [{ date: '2026-11-20T04:34:37.557Z', message: 'ok' }])
  const all = await patch(served, '/notifications/INAPP_WEB', { opened: null, trackingIds: 'ALL' })
  assert.equal(all.status, 422)
})

test('a snooze that ended before it arrived is due at once, and one that ended before it began is refused', async () => {
  await using served = await open()
  const item = itemFor('ada')
  await fill(served, [item])
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  const snooze = (at: string, snoozedUntil: string) =>
    patch(served, '/inbox', { at, snoozedUntil, trackingIds: [item.id] })
  const late = await snooze(ago(90), ago(30))
  assert.equal(late.status, 200, await late.text())
  const [row] = await served.db.control<{ due: boolean }[]>`
    select run_at <= now() as due from outbox where queue = 'SNOOZE'`
  assert.deepEqual(row, { due: true })
  const wrong = await snooze(ago(30), ago(90))
  assert.equal(wrong.status, 422)
  assert.match(await wrong.text(), /#\/snoozedUntil/)
})
