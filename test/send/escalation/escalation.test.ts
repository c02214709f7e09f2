// Delayed channels: they wait in the outbox, and are sent when their time comes unless the user dealt with the item.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { transact } from '../../../server/db/transact.ts'
import { removeItems } from '../../../server/inbox/items.sql.ts'
import { retractDelays } from '../../../server/send/escalation/escalation.sql.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { userKey } from '../../inbox/test-items.ts'
import { BOTH, ENV, escalations, UNLESS_READ, type Escalations } from './escalation-server.ts'

const NOW = new Date().toISOString()

const queues = async (e: Escalations): Promise<string[]> => (await e.rows()).map(({ queue }) => queue)

const want = (e: Escalations, delivery: 'daily' | 'off') => {
  const user = userKey('u1', ENV)
  const choice = { channel: 'EMAIL', delivery, notificationId: 't', subNotificationId: '' } as const
  return transact(e.db.of(user.bucket), tx =>
    changePreferences(tx, user, { choices: [choice], kind: 'merge' })
  )
}

test('the channel waits and is sent under the tracking id if the item is not read by then', async () => {
  await using e = await escalations(UNLESS_READ)
  const { messages, status, trackingId } = await e.send()
  assert.equal(status, 200)
  assert.match(messages[0]!, /^EMAIL waits until .+Z, unless the in-app notification is read by then\.$/)
  const [waiting] = await e.db.control`
    select queue, send_id, body, extract(epoch from run_at - now())::int as seconds from outbox`
  assert.deepEqual([waiting!['queue'], waiting!['send_id']], ['ESCALATE', trackingId])
  assert.ok(Math.abs(waiting!['seconds'] - 600) < 30)
  assert.deepEqual((await e.logged(trackingId)).decisions, { EMAIL: 'delayed', INAPP_WEB: 'sent' })

  await e.end()
  assert.deepEqual([...(await e.rows())], [{ queue: 'EMAIL', send_id: trackingId }])
  const { decisions, details } = await e.logged(trackingId)
  assert.deepEqual(decisions, { EMAIL: 'sent', INAPP_WEB: 'sent' })
  assert.match(details!['EMAIL']!, /^Its delay ended at .+Z and the in-app notification was not read\.$/)
  const [row] = await e.db.control`select body from outbox`
  // The log may have deleted the send by then, so the row carries it.
  assert.deepEqual([row!['body'].to, row!['body'].send.email.subject], ['a@b.example', 'S'])
})

for (const { after, holds, unless } of [
  { after: { seen: NOW }, holds: true, unless: 'seen' },
  { after: { opened: NOW }, holds: true, unless: 'seen' },
  { after: { seen: NOW }, holds: false, unless: 'read' },
  { after: { opened: NOW }, holds: true, unless: 'read' },
  { after: { archived: NOW }, holds: true, unless: 'read' },
  { after: { opened: NOW }, holds: false, unless: 'actioned' },
  { after: { actioned1: NOW }, holds: true, unless: 'actioned' },
  { after: { reply: { date: NOW, message: 'Yes' } }, holds: true, unless: 'actioned' },
  { after: { opened: NOW }, holds: false, unless: undefined }
] as const) {
  test(`unless ${unless}: ${JSON.stringify(Object.keys(after))} ${holds ? 'cancels' : 'does not cancel'}`, async () => {
    await using e = await escalations({ after: '10m', channel: 'EMAIL', ...(unless && { unless }) })
    const { trackingId } = await e.send()
    await e.mark(trackingId, after)
    await e.end()
    assert.deepEqual(await queues(e), holds ? [] : ['EMAIL'])
    const { decisions, details } = await e.logged(trackingId)
    assert.equal(decisions['EMAIL'], holds ? 'cancelled' : 'sent')
    if (holds) assert.match(details!['EMAIL']!, new RegExp(`^${unless} at .+Z$`))
  })
}

test('an item that is unread again when the time comes cancels nothing', async () => {
  await using e = await escalations(UNLESS_READ)
  const { trackingId } = await e.send()
  await e.mark(trackingId, { opened: NOW })
  await e.mark(trackingId, { opened: null })
  await e.end()
  assert.deepEqual(await queues(e), ['EMAIL'])
})

for (const unless of ['seen', 'read'] as const) {
  test(`an item that was followed and acted on, and came back to the top, is new: unless ${unless}`, async () => {
    await using e = await escalations({ after: '10m', channel: 'EMAIL', unless })
    const { trackingId } = await e.send()
    await e.mark(trackingId, { actioned1: NOW, clicked: NOW })
    await e.resurface(trackingId)
    await e.end()
    assert.deepEqual(await queues(e), ['EMAIL'])
  })
}

test('preferences at the end of the delay count', async () => {
  await using e = await escalations(UNLESS_READ)
  const first = await e.send()
  await want(e, 'off')
  await e.end()
  assert.deepEqual(await queues(e), [])
  const { decisions, warnings } = await e.logged(first.trackingId)
  assert.equal(decisions['EMAIL'], 'preference-off')
  assert.ok(warnings.some(text => text.includes('switched this channel off')))

  await want(e, 'daily')
  const second = await e.send()
  assert.equal((await e.logged(second.trackingId)).decisions['EMAIL'], 'delayed')
  await e.end()
  assert.deepEqual(await queues(e), ['DIGEST'])
  assert.equal((await e.logged(second.trackingId)).decisions['EMAIL'], 'digest')
})

test('a retraction cancels, an expiry does not', async () => {
  await using e = await escalations(UNLESS_READ)
  const retracted = await e.send()
  const user = userKey('u1', ENV)
  const group = e.db.of(user.bucket)
  const ids = await transact(group, tx => retractDelays(tx, group, { ...user, notificationId: 't' }))
  assert.deepEqual(ids, [retracted.trackingId])
  assert.equal((await e.logged(retracted.trackingId)).decisions['EMAIL'], 'retracted')
  const expired = await e.send()
  await transact(group, tx => removeItems(tx, group.buckets, [{ ...user, id: expired.trackingId }]))
  await e.end()
  assert.deepEqual([...(await e.rows())], [{ queue: 'EMAIL', send_id: expired.trackingId }])
})

test('a channel that is off when the send arrives is discarded at once', async () => {
  await using e = await escalations(UNLESS_READ)
  await want(e, 'off')
  const { trackingId } = await e.send()
  assert.equal((await e.logged(trackingId)).decisions['EMAIL'], 'preference-off')
  assert.deepEqual(await queues(e), [])
})

test('a send without an inbox item waits too, and nothing cancels it', async () => {
  await using e = await escalations(UNLESS_READ)
  const { inapp: _, ...email } = BOTH
  await e.send({ ...email, forceChannels: ['EMAIL'] })
  await e.end()
  assert.deepEqual(await queues(e), ['EMAIL'])
})
