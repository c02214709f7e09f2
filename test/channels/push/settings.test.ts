// Keys of push providers are checked at the start, and never repeated in a message.

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

const wrong = (env: Readonly<Record<string, string>>): string[] => {
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

test('a key for Apple is one of P-256 with all that belongs to it', () => {
  const key = pem('ec')
  assert.deepEqual(wrong({ NOTIF_APNS_KEY: key, ...ids }), [])
  assert.deepEqual(wrong({ NOTIF_APNS_KEY: key.replaceAll('\n', String.raw`\n`), ...ids }), [])
  assert.deepEqual(wrong({ NOTIF_APNS_KEY: key }), Object.keys(ids))
  assert.deepEqual(wrong({ NOTIF_APNS_KEY: 'no-key-at-all', ...ids }), ['NOTIF_APNS_KEY'])
  assert.deepEqual(wrong({ NOTIF_APNS_KEY: pem('rsa'), ...ids }), ['NOTIF_APNS_KEY'])
})

test('a service account is the JSON that Google gives', () => {
  const account = { client_email: 'a@b.example', private_key: pem('rsa'), project_id: 'ferry' }
  const read = readConfig({ NOTIF_FCM_SERVICE_ACCOUNT: JSON.stringify(account) })
  assert.ok('config' in read)
  assert.equal(read.config.fcmAccount?.token_uri, 'https://oauth2.googleapis.com/token')
  for (const text of ['{"half', '{}', '[]', JSON.stringify({ ...account, project_id: '../x' })]) {
    assert.deepEqual(wrong({ NOTIF_FCM_SERVICE_ACCOUNT: text }), ['NOTIF_FCM_SERVICE_ACCOUNT'], text)
  }
})
