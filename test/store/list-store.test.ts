// The store of a list that the page provides.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createListStore } from '../../components/feed/extras/list-store.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const now = (): number => NOW

test('shows items of any kind, in their order and by their key', () => {
  const { sourceItems, store } = createListStore(
    [
      { date: new Date(NOW), key: 'b', title: 'Two' },
      { key: 'a', title: 1, type: undefined },
      'Three',
      { key: 'a', date: 'soon' }
    ],
    'key'
  )
  const items = store.$notifications.get()
  assert.deepEqual(
    items.map(({ date, id, title }) => [id, title, date]),
    [
      ['b', 'Two', '2026-11-21T12:00:00.000Z'],
      ['a', '1', ''],
      ['2', 'Three', ''],
      ['a 3', '', '']
    ]
  )
  const twice = createListStore([{ id: 'a 2' }, { id: 'a' }, { id: 'a' }]).store.$notifications.get()
  assert.deepEqual(
    twice.map(({ id }) => id),
    ['a 2', 'a', 'a 2 2']
  )
  assert.equal(sourceItems.get('2'), 'Three')
  assert.deepEqual(sourceItems.get('b'), { date: new Date(NOW), key: 'b', title: 'Two' })
  assert.deepEqual(
    createListStore([{ n: 4 }], ({ n }: { n: number }) => n)
      .store.$notifications.get()
      .map(({ id }) => id),
    ['4']
  )
})

test('keeps the object of an item whose fields did not change in the next list', () => {
  class Order {
    id = 'o'
    readonly #total: number
    constructor(total: number) {
      this.#total = total
    }
    get total(): number {
      return this.#total
    }
  }
  const order = new Order(1)
  const tags = ['x']
  const items = (): unknown[] => [
    { date: new Date(NOW), id: 'a', tags, title: 'One' },
    { id: 'b', title: 'Two' },
    'Three',
    order
  ]
  const first = createListStore(items())
  const kept = (next: readonly unknown[]): string[] => {
    const { notifications } = createListStore(next, undefined, undefined, first)
    return [...notifications].filter(([id, notif]) => first.notifications.get(id) === notif).map(([id]) => id)
  }
  assert.deepEqual(kept(items()), ['b', '2'])
  assert.deepEqual(
    kept([{ id: 'a', tags, title: 'One' }, { id: 'b', title: 'Two', url: 1 }, 'Four', new Order(2)]),
    []
  )
  assert.deepEqual(
    kept([
      { id: 'b', title: undefined },
      { ...(items()[0] as object), tags: ['x'] }
    ]),
    []
  )
  const written = { id: 'b', title: 'Two' }
  const list = createListStore([written])
  written.title = 'Written into'
  const { store } = createListStore([written], undefined, undefined, list)
  assert.equal(store.$notifications.get()[0]!.title, 'Written into')
})

test('actions of the user stay in the list and change the counters', async () => {
  const { store } = createListStore(
    [{ id: 'a' }, { id: 'b' }, { id: 'c', opened: '2026-01-01T00:00:00.000Z' }],
    undefined,
    now
  )
  assert.deepEqual(store.$counts.get(), { snoozed: 0, unarchived: 3, unopened: 2, unseen: 2 })
  await store.markAsClicked('a')
  assert.equal(store.$unopened.get(), 1)
  await store.markAsOpened()
  assert.deepEqual(
    store.$notifications.get().map(({ opened }) => opened),
    ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z', '2026-01-01T00:00:00.000Z']
  )
  await store.markAsUnopened(['c'])
  assert.equal(store.$unopened.get(), 1)
  await store.markAsArchived(['b'])
  assert.equal(store.$unarchived.get(), 2)
  await store.markAsUnarchived(['b'])
  await store.markAsArchived('ALL')
  assert.deepEqual(store.$counts.get(), { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
})
