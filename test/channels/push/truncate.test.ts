// A truncated push is sent, and the log says so.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { startOwn } from '../../client/server.ts'
import { until } from '../../support/process.ts'

const KEYS = {
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
}

test('logs how much of the text was cut, for every kind of push', { timeout: 90_000 }, async () => {
  await using started = await startOwn({ NOTIF_WEB_PUSH: '0', NOTIF_WEB_PUSH_HOSTS: 'push.example.com' })
  const client = started.client()
  await client.identifyUser({
    id: 'amara',
    pushTokens: [
      { device: { device_id: 'a' }, token: 'apple', type: 'APN' },
      { device: { device_id: 'g' }, token: 'google', type: 'FCM' }
    ],
    webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: KEYS } }]
  })
  const family = '👨‍👩‍👧'
  const { trackingId } = await client.send({
    mobile_push: { message: family.repeat(1000), title: 'Crew' },
    to: { id: 'amara' },
    type: 'crew',
    web_push: { message: family.repeat(1000), title: 'Crew' }
  })
  const sent = async () => {
    const { channels, status } = await client.explain(trackingId)
    const tries = channels.flatMap(one => one.deliveries.flatMap(({ attempts }) => attempts))
    return { status, tries: tries.filter(({ outcome }) => outcome === 'sent') }
  }
  await until(async () => (await sent()).tries.length === 3, 'three pushes')
  const { status, tries } = await sent()
  assert.equal(status, 'success')
  for (const { code, explanation } of tries) {
    assert.equal(code, 'text-cut')
    assert.match(
      explanation,
      /was accepted by the provider \(text-cut: The text was cut to \d+ of its 5000 characters/
    )
  }
  const messages = await started.db.control<{ message: { text: string } }[]>`
    select message from sandbox_messages where bucket >= 0`
  assert.equal(messages.length, 3)
  // No family emoji is split.
  for (const { message } of messages) assert.equal(message.text.replaceAll(family, ''), '…')

  const short = await client.send({
    mobile_push: { message: 'short', title: 'Crew' },
    to: { id: 'amara' },
    type: 'crew'
  })
  const plain = async () => (await client.explain(short.trackingId)).channels.flatMap(one => one.deliveries)
  await until(async () => (await plain()).every(({ attempts }) => attempts.length === 1), 'two pushes')
  for (const { attempts } of await plain()) assert.equal(attempts[0]!.code, undefined)
})
