// The keys of push providers are checked at the start, and messages do not repeat them.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'

import { readConfig } from '../../../server/config/config.ts'

const pem = (type: 'ec' | 'rsa'): string => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
}

const listProblems = (env: Readonly<Record<string, string>>): string[] => {
  const read = readConfig(env)
  if (!('problems' in read)) return []
  for (const value of Object.values(env)) assert.ok(!JSON.stringify(read.problems).includes(value))
  return read.problems.map(problem => problem.env)
}

const ids = {
  NOTIF_APNS_KEY_ID: 'KEYID12345',
  NOTIF_APNS_TEAM_ID: 'TEAMID1234',
  NOTIF_APNS_TOPIC: 'com.company'
}

test('requires a P-256 key for Apple, with all its settings', () => {
  const key = pem('ec')
  assert.deepEqual(listProblems({ NOTIF_APNS_KEY: key, ...ids }), [])
  assert.deepEqual(listProblems({ NOTIF_APNS_KEY: key.replaceAll('\n', String.raw`\n`), ...ids }), [])
  assert.deepEqual(listProblems({ NOTIF_APNS_KEY: key }), Object.keys(ids))
  assert.deepEqual(listProblems({ NOTIF_APNS_KEY: 'no-key-at-all', ...ids }), ['NOTIF_APNS_KEY'])
  assert.deepEqual(listProblems({ NOTIF_APNS_KEY: pem('rsa'), ...ids }), ['NOTIF_APNS_KEY'])
})

test('requires the JSON of Google as the service account', () => {
  const account = { client_email: 'a@b.example', private_key: pem('rsa'), project_id: 'ferry' }
  const read = readConfig({ NOTIF_FCM_SERVICE_ACCOUNT: JSON.stringify(account) })
  assert.ok('config' in read)
  assert.equal(read.config.fcmAccount?.token_uri, 'https://oauth2.googleapis.com/token')
  for (const text of ['{"half', '{}', '[]', JSON.stringify({ ...account, project_id: '../x' })]) {
    assert.deepEqual(listProblems({ NOTIF_FCM_SERVICE_ACCOUNT: text }), ['NOTIF_FCM_SERVICE_ACCOUNT'], text)
  }
})
