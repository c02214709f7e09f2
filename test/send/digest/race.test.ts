// Changes while a worker has claimed a digest: each takes effect before the digest or after it, never in between.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf, placementHash, uuidv7 } from '../../../server/core/id.ts'
import type { Tx } from '../../../server/db/db.ts'
import { claim } from '../../../server/queue/outbox.sql.ts'
import { addDigestItems, type NewDigestItem } from '../../../server/send/digest/digest-items.sql.ts'
import { retractDigestItems } from '../../../server/send/digest/digest-rows.sql.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { isLockAwaited } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { digests, ENV, MAIL, type Digests } from './digest-server.ts'

const USER = { bucket: bucketOf(ENV, 'u1'), envId: ENV, userId: 'u1' }

const newItem = (user: typeof USER): NewDigestItem => ({
  ...user,
  channel: 'EMAIL',
  id: uuidv7(placementHash(ENV, 'u1')),
  notificationId: 't',
  part: { send: MAIL, template: null },
  period: 'daily',
  rowId: uuidv7(placementHash(ENV, 'u1')),
  subId: '',
  time: { at: 0, next: Date.now() + 3_600_000, zone: 'UTC' },
  zone: undefined
})

/** Makes a change that is not committed yet when the worker, which has read preferences and devices, begins to write. */
async function whileComposing(d: Digests, change: (tx: Tx) => Promise<unknown>): Promise<void> {
  const [group] = d.db.groups
  await d.db.control`
    update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0')
    where env_id = ${ENV} and user_id = ${USER.userId}`
  const rows = await claim(group!, { queue: 'DIGEST', leaseMs: 60_000, limit: 5, minRunAt: new Date(0) })
  assert.equal(rows.length, 1)
  let composing: Promise<void> | undefined
  await d.db.of(USER.bucket).sql.begin(async tx => {
    await change(tx)
    let ended = false
    composing = d.sender.digest.run(rows, group!).finally(() => (ended = true))
    const isWaiting = async (): Promise<boolean> => ended || (await isLockAwaited(d.db.control))
    await until(isWaiting, 'the worker waits for a lock, or has ended')
  })
  await composing
}

test('a change of preferences: the worker writes nothing, and the items are decided again', async () => {
  await using d = await digests()
  await d.want('daily')
  const { trackingId } = await d.send(MAIL)
  const off = { channel: '', delivery: 'off', notificationId: 't', subNotificationId: '' } as const
  await whileComposing(d, tx => changePreferences(tx, USER, { choices: [off], kind: 'merge' }))
  assert.deepEqual(await d.deliveries(), [])
  await d.run()
  assert.deepEqual([await d.deliveries(), await d.items()], [[], []])
  assert.deepEqual((await d.logged(trackingId))!.decisions, { EMAIL: 'preference-off' })
})

test('an item that is added meanwhile is in the digest', async () => {
  await using d = await digests()
  await d.want('daily')
  const { trackingId } = await d.send(MAIL)
  const second = newItem(USER)
  await whileComposing(d, tx => addDigestItems(tx, [second]))
  const [delivery, ...more] = await d.deliveries()
  assert.deepEqual([more, await d.items(), await d.heads()], [[], [], []])
  assert.equal(delivery!.sendId, second.id)
  assert.equal((await d.logged(trackingId))!.digests !== null, true)
})

test('a retracted item is not in the digest', async () => {
  await using d = await digests()
  await d.want('daily')
  const { trackingId } = await d.send(MAIL)
  const [group] = d.db.groups
  // A user of the same bucket.
  const neighbours = [
    { ...USER, userId: 'u2' },
    { ...USER, envId: 'other' }
  ].map(newItem)
  await d.db.control.begin(tx => addDigestItems(tx, neighbours))
  await whileComposing(d, tx => retractDigestItems(tx, group!, { ...USER, notificationId: 't' }))
  assert.deepEqual(await d.deliveries(), [])
  assert.deepEqual(
    (await d.items()).map(({ id }) => id).toSorted(),
    neighbours.map(({ id }) => id).toSorted()
  )
  assert.deepEqual((await d.logged(trackingId))!.decisions, { EMAIL: 'retracted' })
})
