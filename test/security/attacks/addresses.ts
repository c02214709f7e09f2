// Attacks by addresses: of servers that this server would request, and of files that it would serve.

import assert from 'node:assert/strict'

import { asUser, CLIENT } from '../app.ts'
import { ATTACKER, post, refused, sendBytes, sendTo, type Attack } from './attempt.ts'

export const ssrf: readonly Attack[] = [
  ...[
    'http://127.0.0.1/x',
    'http://2130706433/x',
    'http://0x7f.1/x',
    'http://0177.0.0.1/x',
    'http://127.1/x',
    'http://[::1]/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://[::ffff:7f00:1]/x',
    'http://[64:ff9b::7f00:1]/x',
    'http://0.0.0.0/x',
    'http://localhost/x',
    'http://localhost./x',
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1.:80/x'
  ].map((url): Attack => [
    `an attachment at ${url}`,
    async app => {
      const sent = await app.ask(
        `/${CLIENT}/sender`,
        sendTo({
          email: { html: 'x', subject: 'x' },
          options: { email: { attachments: [{ filename: 'a.txt', url }] } }
        })
      )
      assert.equal(sent.status, 200, sent.text)
      await app.queues.idle('FETCH')
      const [attempt] = await app.db.control<{ code: string }[]>`
        select code from attempts where bucket >= 0 and send_id = ${String(sent.json['trackingId'])}`
      // Some resolvers do not know `localhost.`.
      const codes = url.includes('localhost.')
        ? ['attachment-forbidden', 'attachment-connect']
        : ['attachment-forbidden']
      assert.ok(codes.includes(attempt?.code ?? ''), attempt?.code)
    }
  ]),
  ...['file:///etc/passwd', 'gopher://127.0.0.1/x', 'ftp://127.0.0.1/x', 'data:text/plain,x'].map(
    (url): Attack => [
      `an attachment at ${url}`,
      refused(
        `/${CLIENT}/sender`,
        sendTo({
          email: { html: 'x', subject: 'x' },
          options: { email: { attachments: [{ filename: 'a', url }] } }
        }),
        [422]
      )
    ]
  ),
  ...[
    'https://127.0.0.1/x',
    'https://169.254.169.254/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil.example/#.push.apple.com',
    'https://fcm.googleapis.com@evil.example/'
  ].map((endpoint): Attack => [
    `a push subscription at ${endpoint}`,
    refused(
      `/${CLIENT}/users/${ATTACKER}`,
      post(
        {
          webPushTokens: [
            {
              sub: {
                endpoint,
                keys: {
                  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
                  p256dh:
                    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
                }
              }
            }
          ]
        },
        asUser(ATTACKER)
      ),
      [422]
    )
  ]),
  ...[
    'https://hooks.slack.com.evil.example/x',
    'https://evil.example/hooks.slack.com',
    'http://hooks.slack.com/x',
    'https://hooks.slack.com:8443/x'
  ].map((url): Attack => [
    `a Slack webhook at ${url}`,
    refused(
      `/${CLIENT}/users/${ATTACKER}`,
      post({ slackToken: { incoming_webhook: { url } } }, asUser(ATTACKER)),
      [422]
    )
  ])
]

export const traversal: readonly Attack[] = [
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/%2e%2e%2fpackage.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/..%5cpackage.json',
  '/..\\package.json',
  '/notif.js/../../package.json',
  '/notif.js%00.html',
  '/demo/../../package.json',
  '//etc/passwd',
  '/%c0%ae%c0%ae/package.json'
].map(path => [
  path,
  async app => {
    const text = await sendBytes(app, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.match(text, /^HTTP\/1\.1 4\d\d /, text.slice(0, 200))
    assert.doesNotMatch(text, /"dependencies"|root:x:/)
  }
])
