// A redriven delivery goes to the user's address of now; an address that the send gave stays.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Channel, ChannelQueue, Delivery } from '../../server/channels/channel.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { bucketOf } from '../../server/core/id.ts'
import { redrive } from '../../server/queue/dead-letters/dead-letters.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { identifyUser } from '../../server/users/identify.sql.ts'
import { identity } from '../../server/users/schema.ts'
import { deadIn, ENV, onlyGroup, openTestQueues } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { accept, type Accepted } from './conformance.ts'

async function openDesk() {
  const t = await testDb()
  const { sql } = onlyGroup(t.db)
  return {
    t,
    accept: (queue: ChannelQueue, accepted: Accepted) => accept(t.db, queue, accepted),
    /** @returns where the messages went */
    async deliver(queue: ChannelQueue, outcome: Outcome): Promise<string[]> {
      const to: string[] = []
      const channel: Channel<Delivery> = {
        buildMessage: async delivery => ({ message: delivery, ok: true }),
        describe: () => ({ text: '' }),
        name: queue,
        provider: {
          async send({ body }) {
            to.push(body.to)
            return outcome
          }
        },
        concurrency: 1,
        timeoutMs: 1000,
        whenUncertain: 'retry'
      }
      await using queues = openTestQueues(t.db)
      queues.add(createDeliveryJob(channel))
      queues.start()
      await queues.idle(queue)
      return to.toSorted()
    },
    identify: (userId: string, given: object) =>
      sql.begin(tx =>
        identifyUser(tx, { bucket: bucketOf(ENV, userId), envId: ENV, userId }, identity.parse(given), {
          limits: { devices: 10, properties: 10 }
        })
      ),
    redrive: () => sql.begin(tx => redrive(tx, onlyGroup(t.db), { envId: ENV }, 100)),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]()
  }
}

const DEAD: Outcome = { code: '550', detail: 'No.', kind: 'dead' }
const email = (id: string, given?: string) => ({
  send: { to: { id, ...(given !== undefined && { email: given }) }, type: 'hello' },
  to: given ?? `${id}@old.test`
})

test('reads a stored address again, and keeps one that the send gave', async () => {
  await using desk = await openDesk()
  for (const id of ['ada', 'bob', 'eve']) await desk.identify(id, { email: `${id}@old.test` })
  await desk.accept('EMAIL', email('ada'))
  await desk.accept('EMAIL', email('bob', 'given@x.test'))
  await desk.accept('EMAIL', email('eve'))
  await desk.deliver('EMAIL', DEAD)
  await desk.identify('ada', { email: 'ada@new.test' })
  await desk.identify('bob', { email: 'bob@new.test' })
  await desk.identify('eve', { email: null })
  assert.equal((await desk.redrive()).length, 3)
  assert.deepEqual(await desk.deliver('EMAIL', DEAD), ['ada@new.test', 'given@x.test'])
  const dead = await deadIn(desk.t.db)
  const bodies = dead.map(({ body, code }) => [code, (body as { to: string }).to]).toSorted()
  assert.deepEqual(bodies, [
    ['550', 'ada@new.test'],
    ['550', 'given@x.test'],
    ['no-address', 'eve@old.test']
  ])
  await desk.identify('eve', { email: 'eve@new.test' })
  await desk.redrive()
  const sent = ['ada@new.test', 'eve@new.test', 'given@x.test']
  assert.deepEqual(await desk.deliver('EMAIL', { kind: 'sent' }), sent)
  const log = await onlyGroup(desk.t.db).sql<{ address: string }[]>`
    select address from attempts where outcome = 'sent' order by address`
  assert.deepEqual(
    log.map(({ address }) => address),
    sent
  )
})

test('reads the address again before the opt-outs, and for each attempt of a digest or schedule', async () => {
  await using desk = await openDesk()
  await desk.identify('ada', { number: '+12025550100' })
  const id = await desk.accept('SMS', { send: { to: { id: 'ada' }, type: 'hello' }, to: '+12025550100' })
  // A schedule carries its send, because the log may have deleted it.
  const { sql } = onlyGroup(desk.t.db)
  await sql`update outbox set body = body || jsonb_build_object('send', (select body from sends where id = ${id}))`
  await sql`delete from sends`
  await desk.deliver('SMS', DEAD)
  await desk.identify('ada', { number: '+12025550199' })
  await desk.redrive()
  assert.deepEqual(await desk.deliver('SMS', { kind: 'sent' }), ['+12025550199'])
})

test('keeps a device that is still registered, and takes the only one that replaced it', async () => {
  await using desk = await openDesk()
  const token = (name: string) => ({ device: { device_id: 'd' }, token: name, type: 'APN' })
  const push = (id: string, to: string) => ({
    device: { kind: 'apn' as const, to },
    send: { to: { id }, type: 'hello' },
    to
  })
  await desk.identify('ada', { pushTokens: [token('one'), token('two')] })
  await desk.identify('bob', { pushTokens: [token('old')] })
  await desk.accept('APN', push('ada', 'one'))
  await desk.accept('APN', push('bob', 'old'))
  await desk.deliver('APN', DEAD)
  await desk.identify('bob', { pushTokens: null })
  await desk.identify('bob', { pushTokens: [token('new')] })
  await desk.redrive()
  assert.deepEqual(await desk.deliver('APN', { kind: 'sent' }), ['new', 'one'])
})
