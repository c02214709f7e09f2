// Web push subscriptions are accepted at known push services, and at those that the operator adds.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readConfig } from '../../server/config/config.ts'
import { isPushService } from '../../server/users/push-services.ts'
import { userRoutes } from '../../server/users/route.ts'
import { asUser, CLIENT, serve, testConfig } from '../http/serve.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const KNOWN = [
  'https://fcm.googleapis.com/fcm/send/x',
  'https://jmt17.google.com/fcm/send/x',
  'https://android.googleapis.com/gcm/send/x',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://wns2-par02p.notify.windows.com/w/?token=x'
]
const FOREIGN = [
  'https://push.example/x',
  'https://127.0.0.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://fcm.googleapis.com.evil.example/x',
  'https://evil-fcm.googleapis.com/x',
  'https://push.apple.com/x',
  'https://evilpush.apple.com/x',
  'https://notify.windows.com.evil.example/x',
  'https://evil.example/fcm.googleapis.com',
  'https://evil.example#fcm.googleapis.com',
  'https://evil.example?.push.apple.com'
]

test('knows the services of the browsers and no other host', () => {
  for (const address of KNOWN) assert.equal(isPushService(address, []), true, address)
  for (const address of FOREIGN) assert.equal(isPushService(address, []), false, address)
})

test('the operator adds hosts, domains or all hosts', () => {
  const more = ['push.example', '*.ntfy.example']
  assert.equal(isPushService('https://push.example:8443/x', more), true)
  assert.equal(isPushService('https://a.b.ntfy.example/x', more), true)
  assert.equal(isPushService('https://ntfy.example/x', more), false)
  assert.equal(isPushService('https://a.push.example/x', more), false)
  for (const address of FOREIGN) assert.equal(isPushService(address, ['*']), true, address)
  for (const wrong of ['https://push.example', 'push.example:8443', 'Push.example', '*push.example', 'a b']) {
    const read = readConfig({ NOTIF_WEB_PUSH_HOSTS: wrong })
    assert.match('problems' in read ? read.problems[0]!.detail : '', /hosts in lower case/, wrong)
  }
})

test('a subscription elsewhere is refused with its place and the setting, and nothing is stored', async () => {
  await using server = await serve(db =>
    userRoutes({ config: testConfig(), db }, { encryption: TEST_ENCRYPTION, vapidPublicKey: 'B' })
  )
  const keys = {
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  }
  const post = (...endpoints: string[]) =>
    server.fetch(`/${CLIENT}/users/u1`, {
      body: JSON.stringify({
        email: 'u1@example.com',
        webPushTokens: endpoints.map(endpoint => ({ sub: { endpoint, keys } }))
      }),
      headers: asUser('u1'),
      method: 'POST'
    })
  const refused = await post(KNOWN[0]!, 'https://push.example/x')
  assert.equal(refused.status, 422)
  const { errors } = (await refused.json()) as { errors: { pointer: string; detail: string }[] }
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['#/webPushTokens/1/sub/endpoint']
  )
  assert.match(errors[0]!.detail, /push\.example.*NOTIF_WEB_PUSH_HOSTS/)
  const [row] = await server.db.control<{ count: number }[]>`
    select count(*)::integer as count from users where bucket >= 0`
  assert.equal(row!.count, 0)
  assert.equal((await post(KNOWN[0]!)).status, 200)
})
