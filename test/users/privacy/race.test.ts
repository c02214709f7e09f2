// Sends that race with the erasure of their user: erased data does not come back in any table.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'

import { storeMessage } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { bucketOf } from '../../../server/core/id.ts'
import type { Query } from '../../../server/db/db.ts'
import { readUserTables } from '../../../server/users/privacy/personal-data.sql.ts'
import { asBackEnd, CLIENT, startApp, type TestApp } from '../../security/app.ts'
import { isLockAwaited } from '../../support/db.ts'
import { random, type Random } from '../../support/random.ts'

const SEEDS = 50
const SENDS = 40
const AT_ONCE = 5

let app: TestApp
before(async () => {
  app = await startApp()
  const templates = {
    email: { html: 'Hi', subject: 'Hi' },
    inapp: { title: 'Hi' },
    push: { message: 'Hi', title: 'Hi' }
  }
  for (const [type, delivery] of [
    ['instant', 'instant'],
    ['digested', 'hourly']
  ]) {
    const options = { EMAIL: { defaultDeliveryOption: delivery, hourly: {}, instant: {} } }
    await call('PUT', `notifications/${type}`, { options, templates })
  }
})
after(() => app[Symbol.asyncDispose]())

async function call(
  method: string,
  path: string,
  body?: unknown,
  key: string = randomUUID()
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${app.url}/${CLIENT}/${path}`, {
    headers: { ...asBackEnd, 'content-type': 'application/json', 'idempotency-key': key },
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const json = (await answer.json()) as Record<string, unknown>
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(json)}`)
  return json
}

/** Stored texts of the user that prove that an old read was written. */
const stored = (mark: string) => ({
  email: `mail-${mark}@example.com`,
  pushTokens: [{ device: { device_id: 'd' }, token: `token-${mark}`, type: 'FCM' }],
  timezone: 'Asia/Kathmandu'
})

/** Tables with a row that contains one of the texts. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const patterns = words.map(word => `%${word}%`)
  const hits: string[] = []
  for (const { table } of await readUserTables(app.db.control)) {
    const rows = await app.db.control`
      select from ${app.db.control(table)} t where t::text ilike any(${patterns}::text[]) limit 1`
    if (rows.count > 0) hits.push(table)
  }
  return hits
}

const rowsOf = async (table: string, id: string): Promise<readonly Record<string, unknown>[]> =>
  app.db.control`
    select * from ${app.db.control(table)} where bucket = ${bucketOf(CLIENT, id)} and env_id = ${CLIENT} and user_id = ${id}`

interface Raced {
  readonly id: string
  /** Answered before the erasure was requested. */
  readonly before: readonly string[]
  /** Requested after the erasure was answered. */
  readonly after: string
}

async function race(id: string, dice: Random): Promise<Raced> {
  await call('POST', `users/${id}`, stored(id))
  const before: string[] = []
  const sends: Promise<unknown>[] = []
  let erasing: Promise<unknown> | undefined
  const moment = dice(SENDS)
  for (let i = 0; i < SENDS; i++) {
    if (i === moment) erasing = call('DELETE', `users/${id}`)
    const send = { to: { id }, type: dice(3) === 0 ? 'digested' : 'instant' }
    const later = dice(5) === 0 && { schedule: new Date(Date.now() + 30 + dice(200)).toISOString() }
    const sent = call('POST', 'sender', { ...send, ...later })
    sends.push(sent)
    if (dice(3) > 0) continue
    const { trackingId } = await sent
    if (!erasing) before.push(String(trackingId))
  }
  await Promise.all([erasing, ...sends])
  const { trackingId } = await call('POST', 'sender', { to: { id }, type: 'instant' })
  return { after: String(trackingId), before, id }
}

test(`${SENDS} sends race with an erasure, ${SEEDS} times`, { timeout: 120_000 }, async () => {
  const dice = random()
  const raced: Raced[] = []
  while (raced.length < SEEDS) {
    const ids = Array.from({ length: AT_ONCE }, (_, i) => `racer-${raced.length + i}`)
    raced.push(...(await Promise.all(ids.map(id => race(id, random(dice(2 ** 31)))))))
  }
  for (const queue of ['SCHEDULE', 'DIGEST', 'EMAIL', 'FCM'] as const) await app.queues.idle(queue)
  const about = `seed ${dice.seed}`
  assert.deepEqual(await tablesWith(['mail-racer', 'token-racer']), [], about)
  for (const { after, before, id } of raced) {
    const kept = new Set((await rowsOf('sends', id)).map(row => row['id']))
    assert.ok(kept.has(after), `${about}, ${id}: what came after the erasure is gone too`)
    assert.deepEqual(
      before.filter(one => kept.has(one)),
      [],
      `${about}, ${id}`
    )
    const [head] = await rowsOf('inbox_counters', id)
    assert.equal(head?.['unopened'] ?? 0, (await rowsOf('inbox_items', id)).length, `${about}, ${id}`)
    for (const table of ['attempts', 'outbox', 'sandbox_messages', 'digest_items', 'inbox_items']) {
      const orphans = (await rowsOf(table, id)).filter(row => !kept.has(row['send_id'] ?? row['id']))
      assert.deepEqual(orphans, [], `${about}, ${id}: ${table}`)
    }
  }
})

test(
  'reads the user again if a send read before an erasure and writes after it',
  { timeout: 30_000 },
  async () => {
    const id = 'sleeper'
    await call('POST', `users/${id}`, stored(id))
    const [key, bucket] = [randomUUID(), bucketOf(CLIENT, id)]
    let sent: Promise<Readonly<Record<string, unknown>>> | undefined
    let erased: Promise<unknown> | undefined
    const { control } = app.db
    await control
      .begin(async tx => {
        // When the send waits for its key, it has read its user.
        await tx`
      insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint)
      values (${bucket}, ${CLIENT}, ${id}, ${key}, '')`
        sent = call('POST', 'sender', { to: { id }, type: 'instant' }, key)
        await until(() => isLockAwaited(control))
        erased = call('DELETE', `users/${id}`)
        await until(async () => (await rowsWithId(id)) === 0)
        throw new Error('Free the key.')
      })
      .catch((error: Error) => assert.equal(error.message, 'Free the key.'))
    const { messages } = await sent!
    assert.match(String(messages), /EMAIL was discarded: the user has no email address/)
    await erased
    assert.deepEqual(await tablesWith([`mail-${id}`]), [])
  }
)

test(
  'waits for writing transactions, also for those that begin meanwhile, and erases their rows',
  { timeout: 30_000 },
  async () => {
    const id = 'writer'
    const { trackingId } = await call('POST', 'sender', { to: { id }, type: 'instant' })
    const { control } = app.db
    const write = (tx: Query, ref: string) => tx`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, provider_ref)
    values (${bucketOf(CLIENT, id)}, ${randomUUID()}, ${CLIENT}, ${id}, ${String(trackingId)}, 'EMAIL', 'delivered',
      ${ref})`
    const asked = new Set<string>()
    const askedAgain = async (): Promise<boolean> => {
      const rows = await control<{ at: string }[]>`
      select query_start::text as at from pg_stat_activity
      where datname = current_database() and query like ${'%virtualtransaction as id%'}`
      for (const { at } of rows) asked.add(at)
      return asked.size > 3
    }
    const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let erased: Promise<unknown> | undefined
    let second: Promise<unknown> | undefined
    // Rows that are not committed are invisible to a round.
    await control.begin(async tx => {
      await write(tx, 'first')
      erased = call('DELETE', `users/${id}`)
      await until(askedAgain)
      // The erasure waits for the first transaction only.
      second = control.begin(async tx => {
        await write(tx, 'second')
        begun.resolve()
        await free.promise
      })
      await begun.promise
    })
    await until(async () => (await rowsOf('receipts', id)).length === 0)
    free.resolve()
    await Promise.all([second, erased])
    assert.equal((await rowsOf('receipts', id)).length, 0)
  }
)

test('leaves no message of a user who is erased during a call of a provider', async () => {
  const bucket = bucketOf(CLIENT, 'nobody')
  const id = randomUUID()
  const body = { notificationId: 'instant', template: null, to: 'nobody@x.test' }
  const delivery = { body, bucket, envId: CLIENT, id, send: {}, sendId: id, userId: 'nobody' }
  await storeMessage(app.db, 'EMAIL', delivery, {})
  assert.equal((await rowsOf('sandbox_messages', 'nobody')).length, 0)
})

test(
  'reports a provider call in progress, which ends in time and leaves nothing',
  { timeout: 60_000 },
  async t => {
    const called = Promise.withResolvers<{ body: string; answer: () => void }>()
    const gateway = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = (): void => void response.writeHead(200).end('{"id":"ref-underway"}')
      called.resolve({ answer, body: Buffer.concat(chunks).toString() })
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    t.after(() => {
      gateway.closeAllConnections()
      gateway.close()
    })
    await using busy = await startApp({
      NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
      NOTIF_SMS_FROM: '+12025550100',
      NOTIF_SMS_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      NOTIF_SMS_WEBHOOK_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`
    })
    const id = 'underway'
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await busy.ask(`/${CLIENT}/${path}`, {
        headers: asBackEnd,
        method,
        ...(body && { body: JSON.stringify(body) })
      })
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const began = Date.now()
    await ask('POST', 'sender', {
      sms: { message: `Hi ${id}` },
      to: { id, number: '+12025550147' },
      type: 'text'
    })
    const { answer, body } = await called.promise
    assert.match(body, /Hi underway/)
    const erased = await ask('DELETE', `users/${id}`)
    const underWay = erased['underWay'] as { deliveries: number; until: string }
    assert.equal(underWay.deliveries, 1)
    // 20 s for the call, 15 s for the rest of the attempt.
    const until = Date.parse(underWay.until)
    assert.ok(until > Date.now() && until <= Date.now() + 35_000 && until >= began + 35_000, underWay.until)
    answer()
    await busy.queues.idle('SMS')
    for (const { userColumn, table } of await readUserTables(busy.db.control)) {
      const { control } = busy.db
      const left = await control`select from ${control(table)} where ${control(userColumn)} = ${id}`
      assert.equal(left.count, 0, table)
    }
    const [proof] = await busy.db.control<{ text: string }[]>`select removed::text as text from erasures`
    assert.match(proof!.text, /"outbox": 1/)
    assert.equal((await ask('DELETE', `users/${id}`))['underWay'], undefined)
    gateway.closeAllConnections()
    gateway.close()
  }
)

const rowsWithId = async (id: string): Promise<number> =>
  (
    await app.db
      .control`select from users where bucket = ${bucketOf(CLIENT, id)} and env_id = ${CLIENT} and id = ${id}`
  ).count

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setImmediate(resolve))
}
