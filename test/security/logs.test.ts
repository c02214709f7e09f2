// The log of the real process at level trace contains no secret.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import {
  decryptSetting,
  type EncryptedSetting
} from '../../server/environments/encryption/installation.sql.ts'
import { userHash } from '../../server/http/auth.ts'
import { smtpPeer } from '../channels/email/smtp-peer.ts'
import { plainClient, socketIoClient } from '../inbox/live/test-node.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'
import { TEST_ENCRYPTION, TEST_KEY } from '../support/test-encryption.ts'

const CLIENT = 'my-app'
const USER = 'u1'

/** Text, and what it becomes in an address, in base64 and in JSON. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
  JSON.stringify(secret).slice(1, -1)
]

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('logs no secret at level trace', { timeout: 120_000 }, async () => {
  const made = (name: string): string => `${name}-${randomBytes(9).toString('base64url')}`
  const secret = made('client-secret')
  const adminToken = made('admin-token')
  const smtpPassword = made('smtp-password')
  const guessed = made('wrong-secret')
  const hash = userHash(secret, USER)

  await using database = await testDb()
  await using peer = await smtpPeer({ credentials: `mailer:${smtpPassword}` })
  const databaseUrl = new URL(database.url)
  // The test's Postgres trusts whoever comes from this machine, unless it is reached by a password.
  if (databaseUrl.password === '') databaseUrl.password = made('database-password')
  const databasePassword = decodeURIComponent(databaseUrl.password)
  await using server = await startServer({
    databaseUrl: databaseUrl.href,
    env: {
      NOTIF_ADMIN_TOKEN: adminToken,
      NOTIF_CLIENT_ID: CLIENT,
      NOTIF_CLIENT_SECRET: secret,
      NOTIF_DEMO: '1',
      NOTIF_LOG_LEVEL: 'trace',
      NOTIF_SMTP_URL: peer.url
    }
  })
  const { base } = server
  const port = Number(new URL(base).port)
  const ask = async (
    path: string,
    authorization?: string,
    body?: unknown,
    method = 'GET'
  ): Promise<number> => {
    const { status } = await fetch(`${base}${path}`, {
      headers: { ...(authorization !== undefined && { authorization }), 'idempotency-key': 'k1' },
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return status
  }
  const send = (authorization: string, more: object = {}) =>
    ask(
      `/${CLIENT}/sender`,
      authorization,
      { inapp: { title: 'x' }, to: { id: USER }, type: 't', ...more },
      'POST'
    )
  const backEnd = basic(`${CLIENT}:${secret}`)
  const copy = `${made('hidden-copy')}@example.com`
  const mail = (id: string, email: string) => ({
    email: { html: 'x', subject: 'x' },
    forceChannels: ['EMAIL'],
    inapp: undefined,
    options: { email: { bccAddresses: [copy] } },
    to: { email, id }
  })
  peer.refuse = { auth: 535 }
  assert.equal(await send(backEnd, mail('u2', 'u2@example.com')), 200)
  await server.waitForOutput(/queue_paused/)
  peer.refuse = undefined

  // Right and wrong credentials of every kind, over HTTP and sockets.
  assert.equal(await send(backEnd), 200)
  assert.equal(await send(basic(`${CLIENT}:${guessed}`)), 401)
  assert.equal(await send(backEnd, { parameters: { __proto__x: secret }, type: 5 }), 422)
  const inbox = `/${CLIENT}/users/${USER}/inbox`
  assert.equal(await ask(inbox, basic(`${CLIENT}:${USER}:${hash}`)), 200)
  assert.equal(await ask(inbox, basic(`${CLIENT}:${USER}:${hash}x`)), 401)
  assert.equal(await ask(`${inbox}?userIdHash=${encodeURIComponent(hash)}`), 401)
  assert.equal(await ask(`/${CLIENT}/users/%ff?hash=${encodeURIComponent(hash)}`, backEnd), 400)
  assert.equal(await ask('/metrics', `Bearer ${adminToken}`), 200)
  assert.equal(await ask('/sandbox', basic(`x:${adminToken}`)), 200)
  const hello = { clientId: CLIENT, protocol: 1, userHash: hash, userId: USER }
  for (const userHash of [hash, `${hash}x`]) {
    const ownClient = plainClient({ port }, '/ws?kit=1')
    ownClient.socket.once('open', () => ownClient.send('inbox/hello', { ...hello, userHash }))
    const query = new URLSearchParams({ envId: CLIENT, userId: USER, userIdHash: userHash })
    const vendor = plainClient({ port }, `/?${query}`)
    vendor.socket.once('open', () => vendor.send('inapp_web/unread_count'))
    const io = socketIoClient({ url: base }, '', {}, { auth: { ...hello, userHash } })
    if (userHash === hash) {
      await Promise.all([ownClient.frames.route('inbox/head'), io.frames.route('inbox/head')])
      await vendor.frames.route('inapp_web/unread_count')
    } else await Promise.all([ownClient.closed, vendor.closed, io.refused])
    for (const client of [ownClient, vendor, io]) client.close()
  }

  // Mails: the first login failed, so the queue rests for a while; then one is taken and one refused.
  await until(() => peer.received.length === 1, 'the mail arrives')
  assert.equal(await send(backEnd, mail('u3', 'rcpt-550@example.com')), 200)
  assert.equal(await send(backEnd, mail('u4', 'cut@example.com')), 200)
  await server.waitForOutput(/ECONNECTION|closed|reset/i)
  assert.equal(await send(backEnd, mail('u5', 'rcpt-530@example.com')), 200)
  // The second pause, of which some milliseconds may be over.
  await server.waitForOutput(/"code":"EAUTH"[^\n]*"pauseMs":(?:9\d{3}|10000)/)

  // The database goes away in the middle.
  await database.db.control`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'notif-kit%' and pid <> pg_backend_pid()`
  await server.waitForOutput('listen_lost')
  await ask(inbox, basic(`${CLIENT}:${USER}:${hash}`))
  const rows = await database.db.control<{ value: EncryptedSetting }[]>`
    select value from instance where key = 'vapid'`
  const vapid = decryptSetting(TEST_ENCRYPTION, 'vapid', rows[0]!.value)
  assert.equal(Buffer.from(vapid, 'base64url').length, 32)
  assert.equal((await server.end('SIGTERM')).code, 0)

  const output = server.output()
  for (const part of ['"status":401', '"status":422', '"code":"EAUTH"', 'listen_lost']) {
    assert.ok(output.includes(part), `${part} is not in the log, so the test looks at too little`)
  }
  const secrets = {
    adminToken,
    copy,
    databasePassword,
    guessed,
    hash,
    key: TEST_KEY,
    secret,
    smtpPassword,
    vapid
  }
  for (const [name, value] of Object.entries({ ...secrets, login: `\0mailer\0${smtpPassword}` })) {
    for (const form of formsOf(value)) {
      const at = output.indexOf(form)
      assert.equal(at, -1, `${name}: ${output.slice(Math.max(0, at - 300), at + 100)}`)
    }
  }
  // What anybody may have typed is of no concern either.
  assert.doesNotMatch(output, /Basic [\w+/=]{8}|Bearer \S{8}/)
})
