// A probe signs in at the provider and sends no message.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import type { ProviderProbe } from '../../../server/client/queues.ts'
import { asAdmin, startApp } from '../../security/app.ts'
import { apnsPeer, KEY_ID, TEAM_ID, TOPIC } from '../push/apns-peer.ts'
import { fcmPeer } from '../push/fcm-peer.ts'
import { slackPeer } from '../slack/slack-peer.ts'

/** A provider of SMS that knows one account. */
async function startProvider(account: string) {
  const seen: IncomingMessage[] = []
  const right = `Basic ${Buffer.from(`${account}:right`).toString('base64')}`
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

/** Account, its settings without the secret, the setting of the secret, and the address that shows the account. */
const PHONE_PROVIDERS = {
  plivo: ['MA1', { NOTIF_PLIVO_AUTH_ID: 'MA1' }, 'NOTIF_PLIVO_AUTH_TOKEN', '/v1/Account/MA1/'],
  twilio: [
    'AC1',
    { NOTIF_TWILIO_ACCOUNT_SID: 'AC1' },
    'NOTIF_TWILIO_AUTH_TOKEN',
    '/2010-04-01/Accounts/AC1.json'
  ],
  vonage: ['key1', { NOTIF_VONAGE_API_KEY: 'key1' }, 'NOTIF_VONAGE_API_SECRET', '/accounts/key1/secrets']
} as const

for (const [name, [account, ids, secret, path]] of Object.entries(PHONE_PROVIDERS)) {
  test(`asks ${name} for the account, and says if it is refused`, async () => {
    await using provider = await startProvider(account)
    const env = {
      ...ids,
      NOTIF_PUBLIC_URL: 'https://notif.example',
      NOTIF_SMS_FROM: '+15005550006',
      NOTIF_SMS_URL: provider.url
    }
    const accepted = await probe({ ...env, [secret]: 'right' }, 'SMS')
    assert.equal(accepted.provider, name)
    assert.deepEqual(accepted.checks, [
      { detail: `${name} accepts the account.`, probe: 'account', state: 'ok' }
    ])
    const refused = await probe({ ...env, [secret]: 'wrong' }, 'SMS')
    assert.deepEqual(refused.checks, [
      { detail: `${name} refuses the account (status 401).`, probe: 'account', state: 'failed' }
    ])
    assert.deepEqual(
      provider.seen.map(({ method, url }) => `${method} ${url}`),
      [`GET ${path}`, `GET ${path}`]
    )
  })
}

test('asks Google for a token of the service account', async () => {
  await using peer = await fcmPeer()
  const env = { NOTIF_FCM_SERVICE_ACCOUNT: JSON.stringify(peer.account), NOTIF_FCM_URL: peer.url }
  assert.deepEqual((await probe(env, 'FCM')).checks, [
    { detail: 'Google gives the service account a token.', probe: 'account', state: 'ok' }
  ])
  assert.equal(peer.grants, 1)
  peer.denied = [400, 'invalid_grant']
  assert.deepEqual((await probe(env, 'FCM')).checks, [
    { detail: 'Google gives the service account no token.', probe: 'account', state: 'failed' }
  ])
  assert.deepEqual(peer.received, [])
})

test('asks Apple about a device that does not exist', async () => {
  await using peer = await apnsPeer()
  const env = {
    NOTIF_APNS_KEY: peer.key,
    NOTIF_APNS_KEY_ID: KEY_ID,
    NOTIF_APNS_TEAM_ID: TEAM_ID,
    NOTIF_APNS_TOPIC: TOPIC,
    // Apple calls a token of the other environment a bad one, so both are asked.
    NOTIF_APNS_SANDBOX_URL: peer.url,
    NOTIF_APNS_URL: peer.url
  }
  assert.deepEqual((await probe(env, 'APN')).checks, [
    { detail: 'Apple accepts the key, team and topic.', probe: 'account', state: 'ok' }
  ])
  const refused = await probe({ ...env, NOTIF_APNS_TEAM_ID: 'OTHERTEAM1' }, 'APN')
  assert.deepEqual(
    refused.checks.map(({ state }) => state),
    ['failed']
  )
  assert.match(refused.checks[0]!.detail, /InvalidProviderToken/)
  assert.deepEqual(peer.received, [])
})

test('asks Slack whether it answers', async () => {
  await using peer = await slackPeer()
  assert.deepEqual(
    (await probe(peer.env, 'SLACK')).checks.map(({ state }) => state),
    ['ok']
  )
  peer.down = true
  assert.deepEqual((await probe(peer.env, 'SLACK')).checks, [
    { detail: 'Slack does not answer as expected.', probe: 'api', state: 'failed' }
  ])
  assert.deepEqual(peer.called, ['api.test', 'api.test'])
  assert.deepEqual(peer.received, [])
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
