// The log line of a refused request says where it is wrong and whom it is about, but no value of it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { digestUserId } from '../../server/core/hash.ts'
import { asBackEnd, CLIENT, startApp, type Asked, type TestApp } from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const TRACKING_ID = '01937f6e-0000-7000-8000-000000000000'
const USER = 'ada@example.com'

/** Returns the log line of a request. */
async function lineOf(path: string, status: number, asked: Asked = {}): Promise<Record<string, unknown>> {
  const requestId = crypto.randomUUID()
  const headers = { ...asBackEnd, ...asked.headers, 'x-request-id': requestId }
  const answer = await app.ask(path, { ...asked, headers })
  assert.equal(answer.status, status, answer.text)
  const line = app
    .log()
    .split('\n')
    .find(text => text.includes(requestId))
  assert.ok(!line!.includes('example.com'), line)
  return JSON.parse(line!) as Record<string, unknown>
}

const sendBody = (more: object): Asked => ({
  body: JSON.stringify({ inapp: { title: 'x' }, to: { id: USER }, type: 'comment', ...more }),
  method: 'POST'
})

test('names the wrong fields and the user of a body', async () => {
  const line = await lineOf(
    `/${CLIENT}/sender`,
    422,
    sendBody({ inapp: { title: 5 }, options: { email: { ccAddresses: 'eve@example.com' } } })
  )
  const pointers = line['pointers'] as string[]
  assert.deepEqual(pointers.toSorted(), ['#/inapp/title', '#/options/email/ccAddresses'])
  assert.equal(line['userDigest'], digestUserId(CLIENT, USER))
})

test('names the user and the send of an address', async () => {
  const user = await lineOf(`/${CLIENT}/users/${USER}`, 422, { body: '{"number":5}', method: 'POST' })
  assert.deepEqual([user['pointers'], user['userDigest']], [['#/number'], digestUserId(CLIENT, USER)])
  const send = await lineOf(`/${CLIENT}/logs/${TRACKING_ID}/explain`, 404)
  assert.deepEqual([send['pointers'], send['trackingId']], [undefined, TRACKING_ID])
  const stranger = await lineOf(`/${CLIENT}/users/${USER}/inbox`, 401, { headers: { authorization: 'x' } })
  assert.equal(stranger['userDigest'], digestUserId(CLIENT, USER))
})

test('cuts and escapes names that the caller chose, and names few of them', async () => {
  const query = new URLSearchParams({
    'ada@example.com': '',
    ['\u202e'.repeat(200)]: '',
    'a\nb': '',
    c: '',
    d: '',
    e: ''
  })
  const line = await lineOf(`/${CLIENT}/dead-letters?${query}`, 422)
  const pointers = line['pointers'] as string[]
  assert.equal(pointers.length, 5)
  assert.deepEqual([pointers[0], pointers[2], pointers[3]], ['#/*', '#/a%0Ab', '#/c'])
  assert.match(pointers[1]!, /^#\/(?:%E2%80%AE)+[%E280A]*\.\.\.$/)
  assert.ok(pointers[1]!.length <= 103)
  const unknown = await lineOf(`/${'x'.repeat(400)}/dead-letters`, 401)
  assert.equal(unknown['envId'], `${'x'.repeat(255)}...`)
})

test('has no more than before in the line of an answered request', async () => {
  const line = await lineOf(`/${CLIENT}/sender`, 200, sendBody({}))
  assert.deepEqual([line['pointers'], line['userDigest'], line['envId']], [undefined, undefined, CLIENT])
})
