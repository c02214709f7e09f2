// Messages to Slack, with a fake of its Web API and of incoming webhooks.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Channel, Delivery } from '../../../server/channels/channel.ts'
import { readMessages } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { createSlackChannel, type SlackMessage } from '../../../server/channels/slack/message.ts'
import { openSlackProvider } from '../../../server/channels/slack/provider.ts'
import { slackRoutes } from '../../../server/channels/slack/route.ts'
import { bucketOf, uuidv7, type UserKey } from '../../../server/core/id.ts'
import type { Db, Json } from '../../../server/db/db.ts'
import { createEncryption, type Encryption } from '../../../server/environments/encryption/encryption.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { identifyUser } from '../../../server/users/identify.sql.ts'
import { userRoutes } from '../../../server/users/route.ts'
import { identity } from '../../../server/users/schema.ts'
import {
  toSlackConnection,
  decryptSlackToken,
  encryptSlackToken,
  type SlackToken
} from '../../../server/users/slack-connection.ts'
import { reencryptSlackTokens } from '../../../server/users/slack-connections.sql.ts'
import { readContacts, readUser } from '../../../server/users/users.sql.ts'
import { asUser, CLIENT, serve, testConfig } from '../../http/serve.ts'
import { ENV, onlyGroup } from '../../queue/test-queue.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { TEST_ENCRYPTION, TEST_KEY } from '../../support/test-encryption.ts'
import { conformance } from '../conformance.ts'
import { typesFor } from '../push/push-type.ts'
import { slackPeer, type SlackPeer } from './slack-peer.ts'

const userKey = (userId: string, envId = ENV) => ({ bucket: bucketOf(envId, userId), envId, userId })

/** Bypasses the route, which accepts webhooks with https only. */
const connect = (db: Db, userId: string, token: SlackToken | null, slackChannel?: string): Promise<unknown> =>
  onlyGroup(db).sql.begin(tx =>
    identifyUser(tx, userKey(userId), identity.parse({ slackChannel }), {
      limits: { devices: 200, properties: 25 },
      slack: toSlackConnection(TEST_ENCRYPTION, userKey(userId), token)
    })
  )

const buildContext = (
  db: Db,
  env: Readonly<Record<string, string>>,
  encryption: Encryption = TEST_ENCRYPTION
) => {
  const config = testConfig(env)
  return { clock: Date.now, config, db, outbound: openOutbound({ config }), encryption }
}

const open = (db: Db, env: Readonly<Record<string, string>>) => {
  const context = buildContext(db, env)
  const renderer = createRenderer(context.config)
  const channel = createSlackChannel({
    ...context,
    provider: openSlackProvider(context),
    renderer,
    types: typesFor('SLACK')
  })
  return { channel, renderer }
}

const subjects = {
  address: (n: number) => `C${String(n).padStart(8, '0')}`,
  inline: (text: string): Record<string, Json> => ({ slack: { text } })
}

conformance(
  'Slack by chat.postMessage',
  async db => {
    const peer = await slackPeer()
    const users = ['u', ...Array.from({ length: 60 }, (_, n) => `u${n}`)]
    await Promise.all(users.map(user => connect(db, user, { access_token: 'xoxb-fine' })))
    const { channel, renderer } = open(db, peer.env)
    return {
      arrived: async () =>
        peer.received.map(({ body }) => ({
          reference: String(
            (body['metadata'] as { event_payload: object }).event_payload['tracking_id' as never]
          ),
          text: String(body['text']),
          to: String(body['channel'])
        })),
      breakDown(down) {
        peer.down = down
      },
      channel: channel as Channel<unknown>,
      async close() {
        await renderer.close()
        await peer[Symbol.asyncDispose]()
      }
    }
  },
  subjects
)

conformance(
  'Slack in the sandbox',
  async db => {
    const { channel, renderer } = open(db, {})
    return {
      arrived: async () =>
        (await readMessages(db, { envId: ENV, limit: 200 })).messages.map(({ message }) => ({
          reference: String(message['reference']),
          text: String(message['text']),
          to: String(message['to'])
        })),
      channel: channel as Channel<unknown>,
      close: () => renderer.close()
    }
  },
  subjects
)

let t: TestDb
let peer: SlackPeer
before(async () => {
  t = await testDb()
  peer = await slackPeer()
})
after(async () => {
  await peer[Symbol.asyncDispose]()
  await t[Symbol.asyncDispose]()
})

const buildDelivery = (userId: string, to: string, send: Record<string, unknown> = {}): Delivery => ({
  body: { notificationId: 'hello', template: null, to },
  ...userKey(userId),
  id: uuidv7(1),
  send: { slack: { text: 'Gate 4' }, to: { id: userId }, type: 'hello', ...send },
  sendId: uuidv7(1)
})

/** Builds and sends a message like a queue. @returns the outcome */
async function post(userId: string, to: string, send: Record<string, unknown> = {}) {
  const { channel, renderer } = open(t.db, peer.env)
  try {
    const delivery = buildDelivery(userId, to, send)
    const built = await channel.buildMessage(delivery)
    assert.ok(built.ok, JSON.stringify(built))
    const call = { number: 1, signal: AbortSignal.timeout(5000) }
    return await channel.provider.send(built.message as SlackMessage, delivery, call)
  } finally {
    await renderer.close()
  }
}

const buildWebhook = (word: string, channel = '#harbour'): SlackToken => ({
  access_token: 'xoxb-fine',
  incoming_webhook: { channel, channel_id: 'C024BE91L', url: `${peer.url}/services/T1/B1/${word}` }
})

describe('a message to Slack', { timeout: 60_000 }, () => {
  test('contains every field, and escapes values', async () => {
    await connect(t.db, 'full', { access_token: 'xoxb-fine' })
    const slack = {
      blocks: [
        { text: { text: 'By *{{ who }}*', type: 'mrkdwn' }, type: 'section' },
        { elements: [{ action_id: 'a', type: 'button', url: '{{ link }}', value: 7 }], type: 'actions' }
      ],
      icon: ':ferry:',
      link_names: false,
      metadata: { event_payload: { n: 1, who: '{{ who }}' }, event_type: 'trip' },
      mrkdwn: true,
      parse: 'none',
      reply_broadcast: true,
      text: '<https://a.example|Look>: {{ who }}',
      thread_ts: '12.34',
      unfurl_links: false,
      unfurl_media: true,
      username: 'Harbour'
    }
    const parameters = { link: 'https://a.example/?a=1&b=2', who: '<!channel> & "Mei"' }
    const outcome = await post('full', '#harbour', { parameters, slack })
    const { body } = peer.received.at(-1)!
    assert.deepEqual(outcome, { kind: 'sent', ref: `#harbour 17.${peer.received.length}` })
    const escaped = '&lt;!channel&gt; &amp; "Mei"'
    const { icon: _icon, ...rest } = slack
    assert.deepEqual(body, {
      ...rest,
      blocks: [
        { text: { text: `By *${escaped}*`, type: 'mrkdwn' }, type: 'section' },
        { elements: [{ action_id: 'a', type: 'button', url: parameters.link, value: 7 }], type: 'actions' }
      ],
      channel: '#harbour',
      icon_emoji: ':ferry:',
      metadata: { event_payload: { n: 1, who: escaped }, event_type: 'trip' },
      text: `<https://a.example|Look>: ${escaped}`
    })
    await post('full', 'harbour', { slack: { icon: 'https://a.example/i.png?a&b', text: 'x' } })
    assert.equal(peer.received.at(-1)!.body['icon_url'], 'https://a.example/i.png?a&b')
  })

  test('finds channels and members by all their names', async () => {
    await connect(t.db, 'names', { access_token: 'xoxb-fine' })
    const expected = {
      '#crew': '#crew',
      '@Mei': 'U024BE7LH',
      '@U024BE7LH': 'U024BE7LH',
      '@mei.lin': 'U024BE7LH',
      C024BE91L: 'C024BE91L',
      U024BE7LH: 'U024BE7LH',
      crew: '#crew'
    }
    for (const [to, channel] of Object.entries(expected)) {
      assert.equal((await post('names', to)).kind, 'sent')
      assert.equal(peer.received.at(-1)!.body['channel'], channel, to)
    }
    // A deleted member does not count for the name.
    assert.deepEqual(kindAndCode(await post('names', '@mei')), ['sent', undefined])
    assert.equal(peer.received.at(-1)!.body['channel'], 'U024BE7LH')
    assert.deepEqual(kindAndCode(await post('names', '@nobody')), ['dead', 'user_not_found'])
  })

  test('uses the webhook if it leads to the channel, and is not sent without a connection', async () => {
    await connect(t.db, 'hook', buildWebhook('fine'))
    for (const to of ['#harbour', 'C024BE91L']) {
      await post('hook', to, { slack: { text: 'By hook', username: 'Harbour' } })
      assert.deepEqual(peer.received.at(-1), {
        body: { text: 'By hook', username: 'Harbour' },
        by: 'hook fine'
      })
    }
    await post('hook', '#crew')
    assert.equal(peer.received.at(-1)!.by, 'fine')
    await connect(t.db, 'hook', null)
    assert.deepEqual(kindAndCode(await post('hook', '#crew')), ['dead', 'not-connected'])
    assert.deepEqual(kindAndCode(await post('stranger', '#crew')), ['dead', 'not-connected'])
  })

  test('maps each answer of Slack to its outcome', async () => {
    const expected: Record<string, [string, string]> = {
      absent: ['dead', 'channel_not_found'],
      archived: ['dead', 'is_archived'],
      broken: ['retry', 'internal_error'],
      busy: ['retry', 'ratelimited'],
      cut: ['uncertain', 'no-answer'],
      fatal: ['uncertain', 'fatal_error'],
      // A proxy may refuse the content of one message.
      filtered: ['retry', 'http-403'],
      html: ['uncertain', 'no-answer'],
      inactive: ['retry', 'account_inactive'],
      invalid: ['retry', 'invalid_auth'],
      // Another server: a wrong address, or a proxy.
      moved: ['pause', 'http-302'],
      mute: ['uncertain', 'no-answer'],
      nobody: ['pause', 'http-404'],
      outage: ['pause', 'service_unavailable'],
      revoked: ['retry', 'token_revoked'],
      scope: ['dead', 'missing_scope']
    }
    for (const [word, kind] of Object.entries(expected)) {
      await connect(t.db, word, { access_token: `xoxb-${word}` })
      const outcome = await post(word, '#harbour')
      assert.deepEqual(kindAndCode(outcome), kind, word)
      if (word === 'busy') assert.equal('retryAfterMs' in outcome && outcome.retryAfterMs, 7000)
    }
  })

  test('never pauses the queue for a failure of one webhook', async () => {
    const expected: Record<string, [string, string]> = {
      archived: ['dead', 'channel_is_archived'],
      broken: ['retry', 'rollup_error'],
      busy: ['retry', 'rate_limited'],
      cut: ['uncertain', 'cut'],
      gone: ['dead', 'no_service'],
      html: ['retry', 'http-502'],
      invalid: ['dead', 'invalid_payload']
    }
    for (const [word, outcome] of Object.entries(expected)) {
      await connect(t.db, `hook-${word}`, buildWebhook(word))
      assert.deepEqual(kindAndCode(await post(`hook-${word}`, '#harbour')), outcome, word)
    }
    for (const [url, outcome] of [
      ['http://127.0.0.2:9/services/x', ['dead', 'forbidden']],
      ['http://127.0.0.1:1/services/x', ['retry', 'connect']]
    ] as const) {
      await connect(t.db, 'elsewhere', { incoming_webhook: { url } })
      assert.deepEqual(kindAndCode(await post('elsewhere', 'x')), outcome, url)
    }
  })
})

const kindAndCode = (outcome: Awaited<ReturnType<typeof post>>): [string, string | undefined] => [
  outcome.kind,
  'code' in outcome ? outcome.code : undefined
]

describe('a Slack connection', { timeout: 60_000 }, () => {
  const readConnection = async (userId: string) => {
    const [contact] = await readContacts(onlyGroup(t.db).sql, [
      { ...userKey(userId), notificationId: 'hello', subNotificationId: '' }
    ])
    return contact!.slack
  }

  test('gives the channel of messages that name none', async () => {
    assert.equal(await readConnection('new'), undefined)
    await connect(t.db, 'where', { access_token: 'xoxb-fine' })
    assert.deepEqual(await readConnection('where'), {})
    await connect(t.db, 'where', { access_token: 'xoxb-fine', authed_user: { id: 'U1' } })
    assert.deepEqual(await readConnection('where'), { channel: 'U1' })
    await connect(t.db, 'where', buildWebhook('fine'))
    assert.deepEqual(await readConnection('where'), { channel: '#harbour' })
    await connect(t.db, 'where', buildWebhook('fine'), '#crew')
    assert.deepEqual(await readConnection('where'), { channel: '#crew' })
    await connect(t.db, 'where', null)
    assert.equal(await readConnection('where'), undefined)
  })

  test('is encrypted in the database, and encrypted again with a new key', async () => {
    await connect(t.db, 'safe', { ...buildWebhook('fine'), access_token: 'xoxb-very-secret' })
    const { sql } = onlyGroup(t.db)
    const rows = await sql<{ text: string }[]>`select u::text as text from users u where id = 'safe'`
    for (const secret of ['xoxb-very-secret', '/services/']) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64')
      ])
        assert.ok(!rows[0]!.text.includes(form))
    }
    assert.doesNotMatch(JSON.stringify(await readUser(sql, userKey('safe'))), /secret|services/)
    const other = createEncryption('another key for tests, of more than 32 characters')
    await assert.rejects(
      reencryptSlackTokens(onlyGroup(t.db), other),
      /a key that this process does not have/
    )
    const both = createEncryption('another key for tests, of more than 32 characters', TEST_KEY)
    await reencryptSlackTokens(onlyGroup(t.db), both)
    await reencryptSlackTokens(onlyGroup(t.db), other)
    await reencryptSlackTokens(
      onlyGroup(t.db),
      createEncryption(TEST_KEY, 'another key for tests, of more than 32 characters')
    )
    assert.equal((await post('safe', '#crew')).kind, 'sent')
    assert.equal(peer.received.at(-1)!.by, 'very-secret')
  })

  test('can be decrypted for its user only', () => {
    const user = userKey('own')
    const sealed = encryptSlackToken(TEST_ENCRYPTION, user, { access_token: 'xoxb' })
    assert.equal(decryptSlackToken(TEST_ENCRYPTION, user, sealed).access_token, 'xoxb')
    for (const other of [
      { ...user, userId: 'other' },
      { ...user, envId: 'other' }
    ])
      assert.throws(() => decryptSlackToken(TEST_ENCRYPTION, other, sealed))
  })

  test('is encrypted again with a new key, however many exist', async () => {
    await using own = await testDb()
    const group = onlyGroup(own.db)
    const users = Array.from({ length: 1201 }, (_, i) => userKey(`user-${i}`))
    await group.sql`
      insert into users (bucket, env_id, id, slack_token)
      select bucket, env_id, id, decode(token, 'hex')
      from unnest(${users.map(one => one.bucket)}::smallint[], ${users.map(one => one.envId)}::text[],
        ${users.map(one => one.userId)}::text[],
        ${users.map(one => encryptSlackToken(TEST_ENCRYPTION, one, { access_token: one.userId }).toString('hex'))}::text[])
        as u(bucket, env_id, id, token)`
    await reencryptSlackTokens(
      group,
      createEncryption('another key for tests, of more than 32 characters', TEST_KEY)
    )
    const other = createEncryption('another key for tests, of more than 32 characters')
    const rows = await group.sql<(UserKey & { sealed: Buffer })[]>`
      select bucket, env_id as "envId", id as "userId", slack_token as sealed from users`
    assert.equal(rows.length, users.length)
    for (const { sealed, ...user } of rows) {
      assert.equal(decryptSlackToken(other, user, sealed).access_token, user.userId)
    }
  })

  test('is set by the back end, shown without its secrets, and removed', async () => {
    await using server = await serve(db => [
      ...userRoutes({ config: testConfig(), db }, { encryption: TEST_ENCRYPTION, vapidPublicKey: '' }),
      ...slackRoutes(buildContext(db, peer.env))
    ])
    const ask = async (path: string, body?: unknown) => {
      const answer = await server.fetch(`/${CLIENT}/users/mei${path}`, {
        headers: asUser('mei'),
        ...(body !== undefined && { body: JSON.stringify(body), method: 'POST' })
      })
      return {
        json: (await answer.json()) as Record<string, unknown>,
        status: answer.status,
        headers: answer.headers
      }
    }
    assert.equal((await ask('/slack/channels')).status, 409)
    const token = {
      access_token: 'xoxb-fine',
      authed_user: { access_token: 'xoxp-secret', id: 'U024BE7LH' },
      incoming_webhook: {
        channel: '#harbour',
        channel_id: 'C024BE91L',
        url: 'https://hooks.slack.com/services/T/B/x'
      },
      ok: true,
      team: { id: 'T1', name: 'Ferry' }
    }
    const { json } = await ask('', { slackChannel: '@mei', slackToken: token })
    assert.equal(json['slackChannel'], '@mei')
    assert.deepEqual(json['slackToken'], {
      authed_user: { id: 'U024BE7LH' },
      incoming_webhook: { channel: '#harbour', channel_id: 'C024BE91L' },
      ok: true,
      team: { id: 'T1', name: 'Ferry' }
    })
    assert.doesNotMatch(server.log(), /xox|services/)
    assert.deepEqual((await ask('/slack/channels')).json, {
      channels: [
        { id: 'C024BE91L', name: 'harbour' },
        { id: 'C024BE92L', name: 'crew' }
      ],
      hasMoreChannels: false,
      hasMoreUsers: false,
      me: { id: 'U024BE7LH', name: 'mei.lin' },
      users: [{ id: 'U024BE7LH', name: 'mei.lin' }]
    })
    // With a webhook only, there is one channel and no token.
    const { access_token: _token, ...hook } = token
    await ask('', { slackToken: hook })
    assert.deepEqual((await ask('/slack/channels')).json['channels'], [{ id: 'C024BE91L', name: 'harbour' }])
    for (const [word, status] of [
      ['revoked', 409],
      ['busy', 503]
    ] as const) {
      await ask('', { slackToken: { access_token: `xoxb-${word}` } })
      const refused = await ask('/slack/channels')
      assert.equal(refused.status, status)
      if (word === 'busy') assert.equal(refused.headers.get('retry-after'), '7')
    }
    const invalid: [unknown, string][] = [
      [{ slackToken: { ok: true } }, '#/slackToken'],
      [{ slackToken: 'xoxb-1' }, '#/slackToken'],
      [{ slackToken: { access_token: 'a\nb' } }, '#/slackToken/access_token'],
      [
        { slackToken: { incoming_webhook: { url: 'https://hooks.slack.com.evil.example/x' } } },
        '#/slackToken/incoming_webhook/url'
      ],
      [{ slackChannel: '<!channel>' }, '#/slackChannel']
    ]
    for (const [body, pointer] of invalid) {
      const { json: problem, status } = await ask('', body)
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal((problem['errors'] as { pointer: string }[])[0]!.pointer, pointer)
    }
    const { json: left } = await ask('', { slackChannel: null, slackToken: null })
    assert.equal(left['slackChannel'] ?? left['slackToken'], undefined)
    assert.equal((await ask('/slack/channels')).status, 409)
  })
})
