// The atoms of a store: work behind them, listeners that throw, and stores that a page derives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { atom, computed } from 'nanostores'

import {
  createInboxAtoms,
  NO_COUNTS,
  NO_NOTIFICATIONS,
  type InboxState
} from '../../components/store/inbox-state.ts'
import { createStoreEvents, publish } from '../../components/store/publish.ts'

const EMPTY: InboxState = { counts: NO_COUNTS, loading: { state: 'busy' }, notifications: NO_NOTIFICATIONS }
const withUnopened = (unopened: number): InboxState => ({
  ...EMPTY,
  counts: { snoozed: 0, unarchived: unopened, unopened, unseen: unopened }
})

/** Runs `work` and returns the errors that no code caught. */
async function collectUncaught(work: () => void): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  const note = (error: unknown): void => void errors.push(error)
  process.on('uncaughtException', note)
  try {
    work()
    await setImmediate()
  } finally {
    process.off('uncaughtException', note)
    for (const other of others) process.on('uncaughtException', other)
  }
  return errors
}

test('a listener that throws stops neither the write nor other listeners, and its error is reported', async () => {
  const $n = atom(0)
  const values: number[] = []
  $n.listen(() => {
    throw new Error('of the page')
  })
  $n.listen(n => values.push(n))
  const errors = await collectUncaught(() => {
    publish(() => $n.set(1))
    values.push(10)
  })
  assert.deepEqual(values, [1, 10])
  assert.match(String(errors), /of the page/)
})

test('an event listener that throws does not keep other listeners from being called', async () => {
  const events = createStoreEvents()
  const refusals: unknown[] = []
  events.onNewNotifications(() => {
    throw new Error('of the page')
  })
  events.onRefused(error => refusals.push(error))
  const errors = await collectUncaught(() => {
    events.reportNew([])
    events.reportRefusal('refused')
    events.reportRefusal('refused')
  })
  assert.deepEqual(refusals, ['refused', 'refused'])
  assert.match(String(errors), /of the page/)
})

test('the work behind the atoms starts with the first listener and ends one second after the last', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const $state = atom(EMPTY)
  const log: string[] = []
  const { $notifications, $unopened } = createInboxAtoms($state, isList => {
    log.push(`start ${isList}`)
    return () => log.push('stop')
  })
  assert.deepEqual(log, [])
  const leave = $unopened.listen(() => {})
  assert.deepEqual(log, ['start false'])
  leave()
  t.mock.timers.tick(999)
  const leaveAgain = $unopened.listen(() => {})
  t.mock.timers.tick(1000)
  assert.deepEqual(log, ['start false'])
  leaveAgain()
  t.mock.timers.tick(1000)
  assert.deepEqual(log, ['start false', 'stop'])
  assert.deepEqual($notifications.get(), [])
  assert.equal(log.at(-1), 'start true')
})

test('stores that a page derives have values of one moment', () => {
  const $state = atom(EMPTY)
  const { $counts, $unarchived, $unopened } = createInboxAtoms($state, () => () => {})
  const $double = computed($unopened, n => 2 * n)
  const values: unknown[] = []
  $double.listen(n => values.push([n, $counts.get().unopened, $unarchived.get()]))
  publish(() => $state.set(withUnopened(1)))
  publish(() => $state.set(withUnopened(1)))
  publish(() => $state.set(withUnopened(2)))
  assert.deepEqual(values, [
    [2, 1, 1],
    [4, 2, 2]
  ])
})
