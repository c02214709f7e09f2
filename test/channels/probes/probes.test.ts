// A probe signs in at the provider and sends no message.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import type { ProviderProbe } from '../../../server/client/queues.ts'
import { asAdmin, startApp } from '../../security/app.ts'

/** A provider of SMS that knows one account. */
async function startProvider() {
  const seen: IncomingMessage[] = []
  const right = `Basic ${Buffer.from('AC1:right').toString('base64')}`
  const server = createServer((request, response) => {
    seen.push(request)
    response.statusCode = request.headers.authorization === right ? 200 : 401
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

async function probe(env: Readonly<Record<string, string>>, queue: string): Promise<ProviderProbe> {
  await using app = await startApp(env)
  const answer = await app.ask(`/queues/${queue}/probe`, { headers: asAdmin, method: 'POST' })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as unknown as ProviderProbe
}

test('asks Twilio for the account, and says if it is refused', async () => {
  await using provider = await startProvider()
  const env = {
    NOTIF_SMS_FROM: '+15005550006',
    NOTIF_TWILIO_ACCOUNT_SID: 'AC1',
    NOTIF_TWILIO_URL: provider.url
  }
  const accepted = await probe({ ...env, NOTIF_TWILIO_AUTH_TOKEN: 'right' }, 'SMS')
  assert.equal(accepted.provider, 'twilio')
  assert.deepEqual(accepted.checks, [
    { detail: 'twilio accepts the account.', probe: 'account', state: 'ok' }
  ])
  const refused = await probe({ ...env, NOTIF_TWILIO_AUTH_TOKEN: 'wrong' }, 'CALL')
  assert.deepEqual(
    refused.checks.map(({ state }) => state),
    ['failed']
  )
  assert.deepEqual(
    provider.seen.map(({ method, url }) => `${method} ${url}`),
    ['GET /2010-04-01/Accounts/AC1.json', 'GET /2010-04-01/Accounts/AC1.json']
  )
})

test('signs in at the mail server', async () => {
  const { checks, provider } = await probe({ NOTIF_SMTP_URL: 'smtp://127.0.0.1:1' }, 'EMAIL')
  assert.equal(provider, '127.0.0.1')
  assert.deepEqual(
    checks.map(({ probe: name, state }) => [name, state]),
    [['smtp', 'failed']]
  )
})

test('says which providers cannot be asked', async () => {
  for (const [env, queue] of [
    [{}, 'SMS'],
    [{ NOTIF_WEB_PUSH: '1' }, 'WEB_PUSH']
  ] as const) {
    const { checks } = await probe(env, queue)
    assert.deepEqual(
      checks.map(({ state }) => state),
      ['unsupported']
    )
  }
})
