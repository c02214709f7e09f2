// What every channel must do, whatever stands behind it: one list, run over each provider.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import type { Channel } from '../../server/channels/channel.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db, Json } from '../../server/db/db.ts'
import { enqueue, type NewOutboxRow } from '../../server/queue/outbox.sql.ts'
import type { Device } from '../../server/users/device.ts'
import { attemptsOf, deadIn, ENV, groupOf, queuesOf, put, waitingIn } from '../queue/test-queue.ts'
import { testDb, type TestDb } from '../support/db.ts'

/** What arrived, as far as all channels have it. */
export interface Arrived {
  readonly to: string
  readonly text: string
  /** The same for every try of one send. */
  readonly reference: string
}

export interface Subject {
  readonly channel: Channel<unknown>
  arrived(): Promise<readonly Arrived[]>
  /** Makes the provider refuse everything as its own fault; absent where it cannot. */
  breakDown?(down: boolean): void
  close(): Promise<void>
}

export interface Accepted {
  readonly to: string
  readonly device?: Device | undefined
  readonly send: { readonly [key: string]: Json }
  readonly template?: string | null
}

/** Writes a send and its delivery, as the accept does. @returns the tracking id */
export const accept = async (db: Db, queue: NewOutboxRow['queue'], accepted: Accepted): Promise<string> =>
  (await acceptRow(db, queue, accepted)).sendId!

/** The same. @returns the row of the queue, which may be gone by now */
async function acceptRow(
  db: Db,
  queue: NewOutboxRow['queue'],
  { to, device, send, template = null }: Accepted
): Promise<NewOutboxRow> {
  const user = String((send['to'] as { id?: string })?.id ?? 'u')
  const place = placementHash(ENV, user)
  const bucket = bucketOf(ENV, user)
  const sendId = uuidv7(place)
  await groupOf(db).sql`
    insert into sends (bucket, id, env_id, user_id, notification_id, body)
    values (${bucket}, ${sendId}, ${ENV}, ${user}, ${String(send['type'])}, ${groupOf(db).sql.json(send as never)})`
  const body = { notificationId: String(send['type']), template, to, ...targetOf(device) }
  const row: NewOutboxRow = { body, bucket, envId: ENV, id: uuidv7(place), queue, sendId, userId: user }
  await put(db, [row])
  return row
}

/** A device is reached by its token, and the delivery says what it is. */
function targetOf(device: Device | undefined): { readonly [key: string]: Json } {
  if (!device) return {}
  const { to, ...info } = device
  return { device: info, to }
}

/**
 * @param address - as the provider sees it
 * @param device - of those addresses, asked for while the subject is open
 * @param inline - a send whose content says `text` on this channel
 */
export function conformance(
  name: string,
  open: (db: Db) => Promise<Subject>,
  {
    address,
    device,
    inline
  }: {
    address: (n: number) => string
    device?: (n: number) => Device
    inline: (text: string) => { readonly [key: string]: Json }
  }
): void {
  describe(name, { timeout: 60_000 }, () => {
    let t: TestDb
    let subject: Subject
    before(async () => {
      t = await testDb()
    })
    after(() => t[Symbol.asyncDispose]())
    beforeEach(async () => {
      await groupOf(t.db).sql`truncate outbox, attempts, dead_letters, sends, sandbox_messages`
    })

    const run = async (work: (db: Db, drain: () => Promise<void>) => Promise<void>): Promise<void> => {
      subject = await open(t.db)
      try {
        await using queues = queuesOf(t.db, { pausesMs: [60_000] })
        queues.add(createDeliveryJob(subject.channel))
        queues.start()
        await work(t.db, () => queues.idle(subject.channel.name))
      } finally {
        await subject.close()
      }
    }
    const send = (n: number, text: string, more = {}): Accepted => ({
      device: device?.(n),
      send: { to: { id: `u${n}` }, type: 'hello', ...inline(text), ...more },
      to: address(n)
    })

    test('delivers what was accepted, whatever it says', () =>
      run(async (db, drain) => {
        const text = 'Grüße 🚢 <b>"&\' 日本 العربية'
        const id = await accept(db, subject.channel.name, send(1, text))
        await drain()
        const [one] = await subject.arrived()
        assert.equal(one!.to, address(1))
        assert.ok(one!.text.includes('Grüße 🚢'), one!.text)
        assert.ok(one!.text.includes('日本 العربية'))
        assert.ok(one!.reference.includes(id))
        const [attempt] = await attemptsOf(db)
        assert.deepEqual([attempt!.outcome, attempt!.user_id], ['sent', 'u1'])
        assert.equal((await waitingIn(db)).length, 0)
      }))

    test('many at once arrive once each', () =>
      run(async (db, drain) => {
        await Promise.all(
          Array.from({ length: 60 }, (_, n) => accept(db, subject.channel.name, send(n, `number ${n}.`)))
        )
        await drain()
        const arrived = await subject.arrived()
        assert.deepEqual(
          arrived.map(one => one.to).sort(),
          Array.from({ length: 60 }, (_, n) => address(n)).sort()
        )
        assert.equal(new Set(arrived.map(one => one.reference)).size, 60)
      }))

    test('merge tags and replacements are applied', () =>
      run(async (db, drain) => {
        await accept(
          db,
          subject.channel.name,
          send(1, 'Dear {{ firstName }}, COLOUR', {
            parameters: { firstName: 'Mei' },
            replace: { COLOUR: 'blue' }
          })
        )
        await drain()
        assert.match((await subject.arrived())[0]!.text, /Dear Mei, blue/)
      }))

    test('what cannot be made is dead at once and says why', () =>
      run(async (db, drain) => {
        await accept(db, subject.channel.name, send(1, '{{ "x" | nosuchfilter }}{% nosuchtag %}'))
        await accept(db, subject.channel.name, {
          device: device?.(1),
          send: { to: { id: 'u' }, type: 'nothing' },
          template: '',
          to: address(1)
        })
        await accept(db, subject.channel.name, { ...send(3, 'x'), template: 'gone' })
        await drain()
        assert.equal((await subject.arrived()).length, 0)
        assert.deepEqual((await deadIn(db)).map(one => one.code).sort(), [
          'no-template',
          'no-type',
          'template'
        ])
      }))

    test('a send that the log has forgotten is dead, unless the row brings it along', () =>
      run(async (db, drain) => {
        const [gone, late] = [send(1, 'gone'), send(2, 'late')]
        const row = (user: string, { device, to }: Accepted, more = {}): NewOutboxRow => ({
          body: { notificationId: 'hello', template: null, to, ...targetOf(device), ...more },
          bucket: bucketOf(ENV, user),
          envId: ENV,
          id: uuidv7(placementHash(ENV, user)),
          queue: subject.channel.name,
          sendId: uuidv7(placementHash(ENV, user)),
          userId: user
        })
        await put(db, [row('u1', gone), row('u2', late, { send: late.send })])
        await drain()
        assert.deepEqual(
          (await deadIn(db)).map(one => one.code),
          ['no-send']
        )
        assert.deepEqual(
          (await subject.arrived()).map(one => one.to),
          [address(2)]
        )
      }))

    test('a repeated try has the same reference', () =>
      run(async (db, drain) => {
        const row = await acceptRow(db, subject.channel.name, send(1, 'x'))
        await drain()
        // As after a crash between the provider's yes and our report.
        await groupOf(db).sql.begin(async tx => {
          await enqueue(tx, [row])
          await tx`update outbox set leased = true, claim_count = 1 where bucket = ${row.bucket}`
        })
        await drain()
        const references = (await subject.arrived()).map(one => one.reference)
        assert.ok(references.length === 2 || references.length === 1)
        assert.equal(new Set(references).size, 1)
      }))

    test('the provider down: nothing is spent, nothing dies, all arrives when it is back', () =>
      run(async (db, drain) => {
        if (!subject.breakDown) return
        subject.breakDown(true)
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => accept(db, subject.channel.name, send(n, 'x')))
        )
        await drain()
        const waiting = await waitingIn(db)
        assert.equal(waiting.length, 20)
        assert.ok(waiting.every(row => row.attempts_left === 8 && !row.leased))
        subject.breakDown(false)
        await using fresh = queuesOf(db)
        fresh.add(createDeliveryJob(subject.channel))
        // Before it starts: a lease is a run_at too, and moving one would let a second claim in.
        await groupOf(db).sql`update outbox set run_at = now()`
        fresh.start()
        await fresh.idle(subject.channel.name)
        assert.equal((await subject.arrived()).length, 20)
      }))

    test('closing lets what is under way end', () =>
      run(async (db, drain) => {
        await accept(db, subject.channel.name, send(1, 'x'))
        await drain()
        await subject.channel.provider.close?.()
        await subject.channel.provider.close?.()
      }))
  })
}
