// A worker logs the names of settings that differ from the previous worker, and no values.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OWN_KEYS } from '../../process/send-and-read.ts'
import { testDb } from '../../support/db.ts'
import { startServer } from '../../support/process.ts'

const SECRET = 'hunter2hunter2'
const SMTP = { NOTIF_SMTP_URL: `smtp://us:${SECRET}@127.0.0.1:1` }
const SIZES = {
  NOTIF_EMAIL_CONNECTIONS: '9',
  NOTIF_EMAIL_MAX_BYTES: '20000',
  NOTIF_PUSH_CONCURRENCY: '5',
  NOTIF_SMS_CONNECTIONS: '7',
  PORT: '0'
}

test('logs the settings in which workers differ', { timeout: 120_000 }, async () => {
  await using database = await testDb()
  const said = async (env: Readonly<Record<string, string>>): Promise<string[] | undefined> => {
    await using server = await startServer({ databaseUrl: database.url, env: { ...OWN_KEYS, ...env } })
    // Then it has said all that it says.
    await server.end('SIGTERM')
    const line = server
      .output()
      .split('\n')
      .find(text => text.includes('worker_settings_differ'))
    return line === undefined ? undefined : (JSON.parse(line) as { settings: string[] }).settings
  }
  assert.equal(await said(SMTP), undefined, 'the first one')
  assert.equal(await said({ ...SMTP, ...SIZES }), undefined, 'only its size')
  assert.equal(await said({ NOTIF_ROLE: 'api' }), undefined, 'delivers nothing')
  assert.deepEqual(await said({}), ['NOTIF_SMTP_URL'])
  assert.deepEqual(await said({ ...SMTP, NOTIF_PUBLIC_URL: 'https://n.test' }), [
    'NOTIF_PUBLIC_URL',
    'NOTIF_SMTP_URL'
  ])
  const same = { ...SMTP, NOTIF_PUBLIC_URL: 'https://n.test/' }
  assert.equal(await said(same), undefined, 'the same, with a slash')
  assert.deepEqual(await said({ ...same, NOTIF_DEMO: '1' }), ['NOTIF_WEB_PUSH'])
  assert.equal(await said({ ...same, NOTIF_WEB_PUSH: '0' }), undefined, 'the same, in other words')
  assert.deepEqual(await said({ NOTIF_SMTP_URL: SMTP.NOTIF_SMTP_URL.replace('hunter2', 'Hunter2') }), [
    'NOTIF_PUBLIC_URL',
    'NOTIF_SMTP_URL',
    'NOTIF_WEB_PUSH'
  ])
  const [row] = await database.db.control<{ value: unknown }[]>`
    select value from instance where key = 'settings'`
  assert.doesNotMatch(JSON.stringify(row), /hunter2|n\.test|127\.0\.0\.1/i)
})
