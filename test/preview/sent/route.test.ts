// What a send said: the stored inbox item, and messages rendered again with the version of the type that was published then.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { SentContent } from '../../../server/client/preview.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown) {
  const answer = await app.ask(`/${CLIENT}${path}`, {
    headers: asBackEnd,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.json
}

async function contentOf(trackingId: unknown): Promise<Record<string, SentContent['channels'][number]>> {
  const { channels } = (await ask('GET', `/logs/${String(trackingId)}/content`)) as unknown as SentContent
  return Object.fromEntries(channels.map(one => [one.channel, one]))
}

test('a send shows its content of then, although the type has changed', async () => {
  const type = (word: string) => ({
    templates: {
      email: { html: `<p>${word} {{ name }}</p>`, subject: `${word} {{ name }}` },
      inapp: { title: `${word} {{ name }}` }
    }
  })
  await ask('PUT', '/notifications/note', type('Hello'))
  const { trackingId } = await ask('POST', '/sender', {
    parameters: { name: 'Ann' },
    to: { email: 'ann@example.com', id: 'ann' },
    type: 'note'
  })
  await app.queues.idle('EMAIL')
  await ask('PUT', '/notifications/note', type('Changed'))
  const { EMAIL, INAPP_WEB } = await contentOf(trackingId)
  assert.deepEqual(
    [INAPP_WEB!.source, INAPP_WEB!.fields['title'], INAPP_WEB!.isExact],
    ['stored', 'Hello Ann', true]
  )
  assert.deepEqual([EMAIL!.source, EMAIL!.version, EMAIL!.isExact], ['rendered', 1, true])
  assert.equal(EMAIL!.fields['subject'], 'Hello Ann')
  assert.match(EMAIL!.fields['html']!, /<p>Hello Ann<\/p>/)

  // Without the version, the templates of now are used, and the answer says that it is not certain.
  await app.db.control`delete from type_publications where notification_id = 'note' and version = 1`
  const unknown = await contentOf(trackingId)
  assert.deepEqual([unknown['EMAIL']!.fields['subject'], unknown['EMAIL']!.isExact], ['Changed Ann', false])
})

test('content of the send itself is rendered as it was, and discarded channels are absent', async () => {
  const { trackingId } = await ask('POST', '/sender', {
    email: { html: '<b>{{ n }}</b>', subject: 'No {{ n }}' },
    parameters: { n: 7 },
    sms: { message: 'x' },
    to: { email: 'bob@example.com', id: 'bob' },
    type: 'inline'
  })
  const found = await contentOf(trackingId)
  assert.deepEqual(Object.keys(found), ['EMAIL'])
  assert.deepEqual(
    [found['EMAIL']!.fields['subject'], found['EMAIL']!.isExact, found['EMAIL']!.version],
    ['No 7', true, undefined]
  )
  const headers = basic(`${OTHER}:${OTHER_SECRET}`)
  assert.equal((await app.ask(`/${OTHER}/logs/${String(trackingId)}/content`, { headers })).status, 404)
})

test('explain lists the rules in their order, and who changed the preference that decided', async () => {
  await ask('POST', '/users/cleo/preferences', [
    { channel: 'EMAIL', delivery: 'off', notificationId: 'note' }
  ])
  const { trackingId } = await ask('POST', '/sender', {
    parameters: { name: 'Cleo' },
    to: { email: 'cleo@example.com', id: 'cleo' },
    type: 'note'
  })
  const { channels } = await ask('GET', `/logs/${String(trackingId)}/explain`)
  const byChannel = Object.fromEntries(
    (channels as { channel: string; rules: object[]; preference?: Record<string, unknown> }[]).map(one => [
      one.channel,
      one
    ])
  )
  assert.deepEqual(byChannel['EMAIL']!.rules, [
    { passed: true, rule: 'in-type' },
    { passed: true, rule: 'type-on' },
    { passed: false, rule: 'preference' }
  ])
  const { changedAt, ...preference } = byChannel['EMAIL']!.preference!
  assert.deepEqual(preference, { changedBy: 'back-end', delivery: 'off' })
  assert.ok(Math.abs(Date.parse(String(changedAt)) - Date.now()) < 60_000)
  assert.deepEqual(
    byChannel['INAPP_WEB']!.rules,
    ['in-type', 'type-on', 'preference', 'template', 'rate', 'render', 'wait'].map(rule => ({
      passed: true,
      rule
    }))
  )
})
