// Large sends: a queue reads only a limited number of bytes in advance, and delivers all of them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import type { Channel, Delivery } from '../../server/channels/channel.ts'
import { readSends } from '../../server/channels/deliveries.sql.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { onlyGroup, openTestQueues } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { accept } from './conformance.ts'

/** Cannot be compressed by Postgres. */
const large = (): string => randomBytes(150_000).toString('base64')

test('reads sends in advance up to a limit, and the others when their attempt begins', async () => {
  await using t = await testDb()
  const texts = Array.from({ length: 6 }, large)
  for (const [n, text] of texts.entries()) {
    await accept(t.db, 'APN', {
      device: { kind: 'apn', to: `token ${n}` },
      send: { text, to: { id: `u${n}` }, type: 'hello' },
      to: `token ${n}`
    })
  }
  const group = onlyGroup(t.db)
  const rows = await group.sql<{ bucket: number; sendId: string }[]>`
    select bucket, send_id as "sendId" from outbox order by id`
  const readWithin = async (limit: number): Promise<string[]> => [
    ...(await readSends(group, rows, limit)).keys()
  ]
  assert.deepEqual(await readWithin(500_000), [rows[0]!.sendId, rows[1]!.sendId])
  assert.deepEqual(await readWithin(100_000), [])
  assert.equal((await readWithin(10_000_000)).length, 6)

  const got: unknown[] = []
  const channel: Channel<Delivery> = {
    buildMessage: async delivery => ({ message: delivery, ok: true }),
    describe: () => ({ text: '' }),
    name: 'APN',
    provider: {
      async send({ send }) {
        got.push(send['text'])
        return { kind: 'sent' }
      }
    },
    concurrency: 2,
    timeoutMs: 5000,
    whenUncertain: 'retry'
  }
  await using queues = openTestQueues(t.db)
  queues.add(createDeliveryJob(channel, 500_000))
  queues.start()
  await queues.idle('APN')
  assert.deepEqual(got.toSorted(), texts.toSorted())
})

const skip = plainPostgresOnly('it locks a partition, and a cluster has it on each node')
test('opens only the partitions of the claimed sends', { skip }, async () => {
  await using t = await testDb()
  await accept(t.db, 'SLACK', { send: { to: { id: 'u' }, type: 'hello' }, to: 'u' })
  const group = onlyGroup(t.db)
  const rows = await group.sql<{ bucket: number; sendId: string }[]>`
    select bucket, send_id as "sendId" from outbox`
  const [last] = await group.sql<{ name: string }[]>`
    select max(relname) as name from pg_class where relname ~ '^sends_[0-9]{8}$'`
  await group.sql.begin(async tx => {
    // A statement that opens the partition waits for this lock.
    await tx.unsafe(`lock table ${last!.name} in access exclusive mode`)
    assert.equal((await readSends(group, rows, 1000)).size, 1)
  })
})
