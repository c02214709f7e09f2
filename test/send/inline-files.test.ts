// Attachments may exceed the limit of a body, and nothing else may: in every encoding and on every route with a send.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { asBackEnd, CLIENT } from '../http/serve.ts'
import { at, HOUR, scheduling } from './schedule/schedule-server.ts'

const LIMITS = {
  NOTIF_BODY_MAX_BYTES: '20000',
  NOTIF_INLINE_FILES_MAX_BYTES: '600000'
}
/** 400 kB, with thousands of plus signs and slashes. */
const content = randomBytes(300_000).toString('base64')
const options = { email: { attachments: [{ content, filename: 'a.pdf' }] } }
const SEND = {
  email: { html: '<p>x</p>', subject: 'S' },
  options,
  to: { email: 'a@b.example', id: 'u1' },
  type: 't'
}

const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  '.NET': text => text.replaceAll('+', String.raw`\u002B`),
  PHP: text => text.replaceAll('/', String.raw`\/`),
  plain: text => text
}

for (const [name, escaped] of Object.entries(ESCAPES)) {
  test(`accepts bodies with files as ${name} encodes them`, async () => {
    await using s = await scheduling(LIMITS)
    const ask = async (method: string, path: string, body: object) => {
      const init = { body: escaped(JSON.stringify(body)), headers: asBackEnd, method }
      const answer = await s.fetch(`/${CLIENT}${path}`, init)
      return { status: answer.status, text: await answer.text() }
    }
    const sent = await ask('POST', '/sender', { ...SEND, schedule: at(HOUR) })
    assert.equal(sent.status, 200, sent.text)
    const { trackingId } = JSON.parse(sent.text) as { trackingId: string }
    const { body } = await s.ask('GET', `/schedule/${trackingId}`)
    assert.deepEqual(body.request['options'], options)
    for (const [method, path, sent] of [
      ['PATCH', `/schedule/${trackingId}`, { options }],
      ['PUT', `/schedule/${trackingId}`, { sendRequest: { options } }],
      ['POST', '/simulate', { send: SEND }]
    ] as const) {
      const answer = await ask(method, path, sent)
      assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
    }
  })
}

test('refuses large bodies whose bytes are not in attachments', async () => {
  await using s = await scheduling(LIMITS)
  const html = 'x'.repeat(20_000)
  const large = { ...SEND, email: { ...SEND.email, html } }
  const named = { ...options.email.attachments[0]!, filename: html }
  for (const [path, sent] of [
    ['/sender', large],
    ['/sender', { ...SEND, options: { email: { attachments: [named] } } }],
    ['/sender', { ...SEND, parameters: { content: html } }],
    ['/simulate', { send: large }]
  ] as const) {
    const { body, status } = await s.ask('POST', path, sent)
    assert.equal(status, 413)
    assert.match(body.detail, /Without its files/)
  }
})
