// Tests that every channel must pass with each of its providers.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import type { Channel } from '../../server/channels/channel.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db, Json } from '../../server/db/db.ts'
import { enqueue, type NewOutboxRow } from '../../server/queue/outbox.sql.ts'
import type { Device } from '../../server/users/device.ts'
import { readAttempts, deadIn, ENV, onlyGroup, openTestQueues, put, waitingIn } from '../queue/test-queue.ts'
import { testDb, type TestDb } from '../support/db.ts'

/** What all channels know about an arrived message. */
export interface Arrived {
  readonly to: string
  readonly text: string
  /** The same for every attempt of one send. */
  readonly reference: string
}

export interface Subject {
  readonly channel: Channel<unknown>
  arrived(): Promise<readonly Arrived[]>
  /** Makes the provider fail for every message. Absent if it cannot fail. */
  breakDown?(down: boolean): void
  close(): Promise<void>
}

export interface Accepted {
  readonly to: string
  readonly device?: Device | undefined
  readonly send: { readonly [key: string]: Json }
  readonly template?: string | null
}

/** Inserts a send and its delivery like an accepted request. @returns the tracking id */
export const accept = async (db: Db, queue: NewOutboxRow['queue'], accepted: Accepted): Promise<string> =>
  (await acceptRow(db, queue, accepted)).sendId!

/** Like {@link accept}. @returns the outbox row, which may be deleted by now */
async function acceptRow(
  db: Db,
  queue: NewOutboxRow['queue'],
  { to, device, send, template = null }: Accepted
): Promise<NewOutboxRow> {
  const user = String((send['to'] as { id?: string })?.id ?? 'u')
  const place = placementHash(ENV, user)
  const bucket = bucketOf(ENV, user)
  const sendId = uuidv7(place)
  await onlyGroup(db).sql`
    insert into sends (bucket, id, env_id, user_id, notification_id, body)
    values (${bucket}, ${sendId}, ${ENV}, ${user}, ${String(send['type'])}, ${onlyGroup(db).sql.json(send as never)})`
  const body = { notificationId: String(send['type']), template, to, ...toDeviceFields(device) }
  const row: NewOutboxRow = { body, bucket, envId: ENV, id: uuidv7(place), queue, sendId, userId: user }
  await put(db, [row])
  return row
}

/** The delivery to a device contains its kind and keys. */
function toDeviceFields(device: Device | undefined): { readonly [key: string]: Json } {
  if (!device) return {}
  const { to, ...info } = device
  return { device: info, to }
}

/**
 * @param address - as the provider gets it
 * @param device - the device of an address, called while the subject is open
 * @param inline - inline content with this text for the channel
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
      await onlyGroup(t.db).sql`truncate outbox, attempts, dead_letters, sends, sandbox_messages`
    })

    const run = async (work: (db: Db, drain: () => Promise<void>) => Promise<void>): Promise<void> => {
      subject = await open(t.db)
      try {
        await using queues = openTestQueues(t.db, { pausesMs: [60_000] })
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

    test('delivers an accepted send with any characters', () =>
      run(async (db, drain) => {
        const text = 'Grüße 🚢 <b>"&\' 日本 العربية'
        const id = await accept(db, subject.channel.name, send(1, text))
        await drain()
        const [one] = await subject.arrived()
        assert.equal(one!.to, address(1))
        assert.ok(one!.text.includes('Grüße 🚢'), one!.text)
        assert.ok(one!.text.includes('日本 العربية'))
        assert.ok(one!.reference.includes(id))
        const [attempt] = await readAttempts(db)
        assert.deepEqual([attempt!.outcome, attempt!.user_id], ['sent', 'u1'])
        assert.equal((await waitingIn(db)).length, 0)
      }))

    test('delivers each of many simultaneous sends once', () =>
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

    test('applies merge tags and replacements', () =>
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

    test('ends a message that cannot be built as a dead letter with a reason', () =>
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

    test('ends a delivery as a dead letter if its send is neither in the log nor in the row', () =>
      run(async (db, drain) => {
        const [gone, late] = [send(1, 'gone'), send(2, 'late')]
        const row = (user: string, { device, to }: Accepted, more = {}): NewOutboxRow => ({
          body: { notificationId: 'hello', template: null, to, ...toDeviceFields(device), ...more },
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

    test('gives a repeated attempt the same reference', () =>
      run(async (db, drain) => {
        const row = await acceptRow(db, subject.channel.name, send(1, 'x'))
        await drain()
        // Like after a crash between the answer of the provider and the result.
        await onlyGroup(db).sql.begin(async tx => {
          await enqueue(tx, [row])
          await tx`update outbox set leased = true, claim_count = 1 where bucket = ${row.bucket}`
        })
        await drain()
        const references = (await subject.arrived()).map(one => one.reference)
        assert.ok(references.length === 2 || references.length === 1)
        assert.equal(new Set(references).size, 1)
      }))

    test('uses no attempts while the provider is down, and delivers everything afterwards', () =>
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
        await using fresh = openTestQueues(db)
        fresh.add(createDeliveryJob(subject.channel))
        // Before the start: this would end a lease, which is a `run_at` too, and a second claim would follow.
        await onlyGroup(db).sql`update outbox set run_at = now()`
        fresh.start()
        await fresh.idle(subject.channel.name)
        assert.equal((await subject.arrived()).length, 20)
      }))

    test('can be closed twice after a delivery', () =>
      run(async (db, drain) => {
        await accept(db, subject.channel.name, send(1, 'x'))
        await drain()
        await subject.channel.provider.close?.()
        await subject.channel.provider.close?.()
      }))
  })
}
