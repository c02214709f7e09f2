// A device is deleted only if its provider answers that it is gone.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Channel, Provider } from '../../../server/channels/channel.ts'
import { createDeliveryJob } from '../../../server/channels/delivery-job.ts'
import { bucketOf, type UserKey } from '../../../server/core/id.ts'
import type { Outcome } from '../../../server/queue/outcome.ts'
import type { Device, DeviceInfo } from '../../../server/users/device.ts'
import { readDevices } from '../../../server/users/devices.sql.ts'
import { identifyUser } from '../../../server/users/identify.sql.ts'
import { identity } from '../../../server/users/schema.ts'
import { readAttempts, ENV, onlyGroup, openTestQueues } from '../../queue/test-queue.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { accept } from '../conformance.ts'

let t: TestDb
before(async () => {
  t = await testDb()
})
after(() => t[Symbol.asyncDispose]())

const LIMITS = { devices: 200, properties: 25 }

const userKey = (userId: string): UserKey => ({ bucket: bucketOf(ENV, userId), envId: ENV, userId })

const identify = (userId: string, tokens: readonly string[]) => {
  const pushTokens = tokens.map(token => ({ device: { device_id: 'd' }, token, type: 'APN' }))
  return onlyGroup(t.db).sql.begin(tx =>
    identifyUser(tx, userKey(userId), identity.parse({ pushTokens }), { limits: LIMITS })
  )
}

const readTokens = async (userId: string): Promise<string[]> =>
  (await readDevices(onlyGroup(t.db).sql, [userKey(userId)]))[0]!.map(({ to }) => to).toSorted()

async function deliver(userId: string, to: string, outcome: Outcome): Promise<void> {
  const provider: Provider<unknown> = { send: async () => outcome }
  const channel: Channel = {
    buildMessage: async () => ({ message: {}, ok: true }),
    describe: () => ({ text: '' }),
    name: 'APN',
    provider,
    concurrency: 1,
    timeoutMs: 1000,
    whenUncertain: 'dead'
  }
  const info: DeviceInfo = { kind: 'apn' }
  const device: Device = { ...info, to }
  await using queues = openTestQueues(t.db)
  queues.add(createDeliveryJob(channel))
  await accept(t.db, 'APN', { device, send: { to: { id: userId }, type: 'hello' }, to })
  queues.start()
  await queues.idle('APN')
}

const failed = { code: 'x', detail: 'x' }

test('deletes a device that is gone, for its user only', async () => {
  for (const user of ['mei', 'amara']) await identify(user, ['one', 'two'])
  await deliver('mei', 'one', { kind: 'sent' })
  for (const kind of ['retry', 'dead', 'uncertain', 'pause'] as const) {
    await deliver('mei', 'one', { ...failed, kind })
    await onlyGroup(t.db).sql`truncate outbox`
  }
  assert.deepEqual(await readTokens('mei'), ['one', 'two'])
  await deliver('mei', 'one', { ...failed, kind: 'gone' })
  assert.deepEqual(await readTokens('mei'), ['two'])
  assert.deepEqual(await readTokens('amara'), ['one', 'two'])
  const attempts = await readAttempts(t.db)
  assert.equal(attempts.at(-1)!.outcome, 'gone')
})

test('keeps a device that was registered again after the provider last knew it to be gone', async () => {
  await identify('jonas', ['three'])
  await deliver('jonas', 'three', { ...failed, asOf: new Date(Date.now() - 60_000), kind: 'gone' })
  assert.deepEqual(await readTokens('jonas'), ['three'])
  await deliver('jonas', 'three', { ...failed, asOf: new Date(Date.now() + 60_000), kind: 'gone' })
  assert.deepEqual(await readTokens('jonas'), [])
})

test('shows the channel of mobile push in the log', async () => {
  const rows = await onlyGroup(t.db).sql<{ channel: string }[]>`select distinct channel from attempts`
  assert.deepEqual([...rows], [{ channel: 'PUSH' }])
})
