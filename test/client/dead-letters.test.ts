// Dead letters through the client: an email that is refused for good is listed, redriven and dropped.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { smtpPeer } from '../channels/email/smtp-peer.ts'
import { until } from '../support/process.ts'
import { startOwn } from './server.ts'

test('dead letters are listed, redriven and dropped', async () => {
  await using peer = await smtpPeer()
  await using started = await startOwn({ NOTIF_SMTP_URL: peer.url })
  const client = started.client()
  const email = { html: '<p>x</p>', subject: 'x' }
  const ids: string[] = []
  for (const id of ['u1', 'u2', 'u3']) {
    const to = { email: 'data-550@x.test', id }
    ids.push((await client.send({ email, to, type: 'mail' })).trackingId)
  }
  const all = async () => (await client.listDeadLetters({ channel: 'EMAIL' })).deadLetters
  await until(async () => (await all()).length === 3, 'all are refused')
  const letters = await all()
  assert.deepEqual(letters.map(({ trackingId }) => trackingId).toSorted(), ids.toSorted())

  const first = await client.listDeadLetters({ count: 2 })
  const rest = await client.listDeadLetters({ count: 2, cursor: first.next! })
  assert.deepEqual(
    [...first.deadLetters, ...rest.deadLetters].map(({ id }) => id),
    letters.map(({ id }) => id)
  )
  const [one, two, three] = letters as [(typeof letters)[0], (typeof letters)[0], (typeof letters)[0]]
  assert.deepEqual(await client.getDeadLetter(one.id), one)

  const again = await client.redriveDeadLetters({ ids: [one.id] })
  assert.deepEqual(again.ids, [one.id])
  await until(
    async () =>
      (await all()).some(
        ({ attempts, trackingId }) => trackingId === one.trackingId && attempts > one.attempts
      ),
    'it is refused once more'
  )
  await client.dropDeadLetter(two.id)
  await assert.rejects(client.getDeadLetter(two.id), { status: 404 })
  const dropped = await client.dropDeadLetters({ filter: { channel: 'EMAIL', userId: three.userId } })
  assert.deepEqual(dropped.ids, [three.id])
  assert.deepEqual(
    (await all()).map(({ trackingId }) => trackingId),
    [one.trackingId]
  )
  await assert.rejects(client.dropDeadLetters({ ids: [] }), { status: 422 })
})
