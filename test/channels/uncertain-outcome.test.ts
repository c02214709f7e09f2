// After an uncertain outcome a text message is repeated and a call is not: after silence, a crash and a stop.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import type { Channel } from '../../server/channels/channel.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { readAttempts, deadIn, onlyGroup, openTestQueues, signal, waitingIn } from '../queue/test-queue.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { accept } from './conformance.ts'
import { openPhoneChannel } from './sms-call/phone-channel.ts'
import { phonePeer } from './sms-call/phone-peer.ts'

let t: TestDb
before(async () => {
  t = await testDb()
})
after(() => t[Symbol.asyncDispose]())
beforeEach(async () => {
  await onlyGroup(t.db).sql`truncate outbox, attempts, dead_letters, sends`
})

const send = (kind: 'sms' | 'call', digits: string) =>
  accept(t.db, kind === 'sms' ? 'SMS' : 'CALL', {
    send: { [kind]: { message: 'Hello' }, to: { id: 'u' }, type: 'hello' },
    to: `+1202555${digits}`
  })

describe('after an uncertain outcome', { timeout: 60_000 }, () => {
  for (const [kind, digits] of [
    ['sms', '0002'],
    ['call', '0002'],
    ['sms', '9502'],
    ['call', '9502']
  ] as const) {
    test(`repeats only a text message: ${kind} to ${digits}`, async () => {
      await using peer = await phonePeer('twilio')
      const { channel, renderer } = openPhoneChannel(peer, kind, t.db)
      await using queues = openTestQueues(t.db)
      queues.add(createDeliveryJob(channel))
      queues.start()
      await send(kind, digits)
      await queues.idle(channel.name)
      const [waiting, dead] = [await waitingIn(t.db), await deadIn(t.db)]
      assert.deepEqual([waiting.length, dead.length], kind === 'sms' ? [1, 0] : [0, 1])
      assert.equal((await readAttempts(t.db)).length, 1)
      await renderer.close()
    })
  }

  for (const kind of ['sms', 'call'] as const) {
    test(`repeats only a text message: ${kind} whose process crashed`, async () => {
      await using peer = await phonePeer('twilio')
      const { channel, renderer } = openPhoneChannel(peer, kind, t.db)
      await send(kind, '1000')
      await onlyGroup(t.db)
        .sql`update outbox set claim_count = 1, leased = true, attempts_left = attempts_left - 1`
      await using queues = openTestQueues(t.db)
      queues.add(createDeliveryJob(channel))
      queues.start()
      await queues.idle(channel.name)
      assert.equal(peer.accepted.length, kind === 'sms' ? 1 : 0)
      assert.deepEqual(
        (await deadIn(t.db)).map(one => one.code),
        kind === 'sms' ? [] : ['lost']
      )
      await renderer.close()
    })

    test(`repeats only a text message: ${kind} whose process stops during the attempt`, async () => {
      await using peer = await phonePeer('twilio')
      const { channel, renderer } = openPhoneChannel(peer, kind, t.db)
      const begun = signal()
      const watched: Channel<unknown> = {
        ...channel,
        provider: {
          send(...parts) {
            begun.resolve()
            return channel.provider.send(...parts)
          }
        }
      }
      const queues = openTestQueues(t.db)
      queues.add(createDeliveryJob(watched))
      queues.start()
      await send(kind, '0001')
      await begun.promise
      await queues.stop(0)
      const [waiting, dead] = [await waitingIn(t.db), await deadIn(t.db)]
      assert.deepEqual([waiting.length, dead.length], kind === 'sms' ? [1, 0] : [0, 1])
      await renderer.close()
    })
  }
})
