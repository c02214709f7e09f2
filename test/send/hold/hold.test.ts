// Messages that a pause or quiet hours hold: in the inbox at once, sent afterwards, in order, and explained.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readDeliveryFacts } from '../../../server/logs/delivery-facts.sql.ts'
import { explainChannels, sendStatus } from '../../../server/logs/explain.ts'
import { userKey } from '../../inbox/test-items.ts'
import { BOTH } from '../escalation/escalation-server.ts'
import { holds, type Holds } from './hold-server.ts'

const HOUR = 3_600_000
const queuesOf = async (h: Holds): Promise<readonly string[]> => (await h.rows()).map(({ queue }) => queue)

async function explain(h: Holds, id: string) {
  const [send] = await h.db.control<{ decisions: Record<string, string>; details: Record<string, string> }[]>`
    select decisions, details from sends where id = ${id}`
  const facts = { ...send!, ...userKey('u1'), body: {}, id, subId: '', type: 't', warnings: [] }
  const [found] = await readDeliveryFacts(h.group, [facts])
  const channels = explainChannels(found!)
  const email = channels.find(({ channel }) => channel === 'EMAIL')!
  return { explanation: email.explanation, state: email.state, status: sendStatus(channels, true) }
}

test('a pause holds the email but not the inbox; its end releases all in their order', async () => {
  await using h = await holds()
  await h.patch({ pause: { isOn: true } })
  const sent: string[] = []
  for (let i = 0; i < 7; i += 1) {
    const { messages, status, trackingId } = await h.send()
    assert.equal(status, 200)
    assert.deepEqual(messages, ['EMAIL is held until the user ends the pause.'])
    sent.push(trackingId)
  }
  await h.run(3)
  assert.deepEqual(new Set(await queuesOf(h)), new Set(['HELD']))
  const [inbox] = await h.db.control`select count(*)::int as count from inbox_items`
  assert.equal(inbox!['count'], 7)
  assert.deepEqual((await h.logged(sent[0]!)).decisions, { EMAIL: 'held', INAPP_WEB: 'sent' })
  assert.deepEqual(await explain(h, sent[0]!), {
    explanation: 'EMAIL: It is held until the user ends the pause.',
    state: 'held',
    status: 'received'
  })
  await h.patch({ pause: { isOn: false } })
  await h.run(3)
  const released = await h.db.control<{ send_id: string; queue: string; body: object }[]>`
    select send_id, queue, body from outbox order by run_at, id`
  assert.deepEqual(
    released.map(row => row.send_id),
    sent
  )
  for (const { body, queue } of released) assert.deepEqual([queue, 'held' in body], ['EMAIL', false])
  const after = await explain(h, sent[0]!)
  assert.equal(after.state, 'waiting')
  assert.match(
    after.explanation,
    /^EMAIL: It was held until the user ends the pause\. It waits for its next attempt/
  )
})

test('a pause with an end holds until then, also if the worker looks before', async () => {
  await using h = await holds()
  const until = new Date(Date.now() + HOUR).toISOString()
  await h.patch({ pause: { isOn: true, until } })
  const { messages } = await h.send()
  assert.deepEqual(messages, [`EMAIL is held until ${until}, because the user paused messages.`])
  await h.run()
  const [row] = await h.db.control`select run_at, leased from outbox`
  assert.equal((row!['run_at'] as Date).toISOString(), until)
  assert.equal(row!['leased'], false)
  await h.makeDue('HELD')
  await h.run()
  assert.deepEqual(await queuesOf(h), ['HELD'])
  h.clock.offsetMs = HOUR + 1
  await h.makeDue('HELD')
  await h.run()
  assert.deepEqual(await queuesOf(h), ['EMAIL'])
})

test('urgent types pass a pause, and quiet hours if the user lets them', async () => {
  await using h = await holds()
  await h.db.control`update notifications set settings = settings || '{"urgent": true}'`
  h.context.types.forget('env')
  await h.patch({ pause: { isOn: true } })
  assert.deepEqual((await h.send()).messages, [])
  const quiet = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', on: true, to: '00:00' }
  await h.patch({ pause: { isOn: false }, quiet: { ...quiet, urgentPasses: false } })
  assert.match((await h.send()).messages[0]!, /^EMAIL is held until .*Z, because the user has quiet hours\.$/)
  await h.run()
  assert.deepEqual(await queuesOf(h), ['EMAIL', 'HELD'])
  await h.patch({ quiet: { urgentPasses: true } })
  await h.run()
  assert.deepEqual(await queuesOf(h), ['EMAIL', 'EMAIL'])
})

test('a schedule is held when its time comes, and a digest when it is due', async () => {
  await using h = await holds()
  const schedule = new Date(Date.now() + HOUR).toISOString()
  const scheduled = await h.send({ ...BOTH, schedule })
  await h.db.control`
    update notifications set settings = jsonb_set(settings, '{options}', '{"EMAIL": {"defaultDeliveryOption": "daily"}}')`
  h.context.types.forget('env')
  const collected = await h.send()
  assert.match(collected.messages[0]!, /waits for a digest/)
  await h.db.control`update notifications set settings = settings - 'options'`
  h.context.types.forget('env')
  await h.patch({ pause: { isOn: true } })
  h.clock.offsetMs = 2 * HOUR
  await h.makeDue('SCHEDULE')
  await h.makeDue('DIGEST')
  await h.run()
  assert.deepEqual(await queuesOf(h), ['HELD', 'HELD'])
  assert.equal((await h.logged(scheduled.trackingId)).decisions['EMAIL'], 'held')
  assert.equal((await h.logged(collected.trackingId)).decisions['EMAIL'], 'digested')
  assert.equal((await explain(h, collected.trackingId)).state, 'held')
  await h.patch({ pause: { isOn: false } })
  await h.run()
  assert.deepEqual(await queuesOf(h), ['EMAIL', 'EMAIL'])
})

test('an email with files is held after they are fetched, and only the own user is released', async () => {
  await using h = await holds()
  await h.patch({ pause: { isOn: true } })
  await h.patch({ pause: { isOn: true } }, 'u2')
  const attachments = [{ filename: 'a.txt', url: 'https://example.com/a.txt' }]
  await h.send({ ...BOTH, options: { email: { attachments } } })
  const [row] = await h.db.control`select queue, body -> 'held' ->> 'queue' as next from outbox`
  assert.deepEqual({ ...row }, { next: 'EMAIL', queue: 'FETCH' })
  await h.db.control`update outbox set queue = 'HELD'`
  await h.send({ ...BOTH, to: { email: 'b@b.example', id: 'u2' } })
  await h.patch({ pause: { isOn: false } }, 'u2')
  await h.run()
  assert.deepEqual(await queuesOf(h), ['EMAIL', 'HELD'])
})

test('a user without these settings is sent to at once', async () => {
  await using h = await holds()
  assert.deepEqual((await h.send()).messages, [])
  assert.deepEqual(await queuesOf(h), ['EMAIL'])
})
