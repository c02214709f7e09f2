// Which provider the settings add up to, and what is said when they add up to none.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readConfig } from '../../server/config/config.ts'
import { phoneProviderOf } from '../../server/config/phone.ts'

const TWILIO = { NOTIF_TWILIO_ACCOUNT_SID: 'AC1', NOTIF_TWILIO_AUTH_TOKEN: 'x' }
const VONAGE = { NOTIF_VONAGE_API_KEY: 'k', NOTIF_VONAGE_API_SECRET: 's' }
const PLIVO = { NOTIF_PLIVO_AUTH_ID: 'M', NOTIF_PLIVO_AUTH_TOKEN: 't' }
const WEBHOOK = { NOTIF_SMS_WEBHOOK_SECRET: 'whsec_AAAA', NOTIF_SMS_WEBHOOK_URL: 'https://x.test/' }
const FROM = { NOTIF_SMS_FROM: '+12025550100' }

/** The provider, or the settings that are wrong. */
const outcome = (env: Readonly<Record<string, string>>) => {
  const read = readConfig(env)
  return 'config' in read ? phoneProviderOf(read.config) : read.problems.map(one => one.env)
}

test('the one that is configured is used; none: the sandbox', () => {
  assert.equal(outcome({}), undefined)
  assert.equal(outcome({ ...TWILIO, ...FROM }), 'twilio')
  assert.equal(outcome({ ...TWILIO, NOTIF_TWILIO_MESSAGING_SERVICE: 'MG1' }), 'twilio')
  assert.equal(outcome({ ...VONAGE, ...FROM }), 'vonage')
  assert.equal(outcome({ ...PLIVO, ...FROM, NOTIF_PUBLIC_URL: 'https://x.test' }), 'plivo')
  assert.equal(outcome(WEBHOOK), 'webhook')
})

test('two need a word', () => {
  assert.deepEqual(outcome({ ...TWILIO, ...VONAGE, ...FROM }), ['NOTIF_SMS_PROVIDER'])
  assert.equal(outcome({ ...TWILIO, ...VONAGE, ...FROM, NOTIF_SMS_PROVIDER: 'vonage' }), 'vonage')
})

test('what is missing is named', () => {
  assert.deepEqual(outcome({ NOTIF_TWILIO_ACCOUNT_SID: 'AC1' }), [
    'NOTIF_TWILIO_AUTH_TOKEN',
    'NOTIF_SMS_FROM'
  ])
  assert.deepEqual(outcome({ NOTIF_SMS_PROVIDER: 'webhook' }), [
    'NOTIF_SMS_WEBHOOK_URL',
    'NOTIF_SMS_WEBHOOK_SECRET'
  ])
  // It asks for the words of a call.
  assert.deepEqual(outcome({ ...PLIVO, ...FROM }), ['NOTIF_PUBLIC_URL'])
  assert.deepEqual(outcome({ ...VONAGE, ...FROM, NOTIF_VONAGE_APPLICATION_ID: 'a' }), [
    'NOTIF_VONAGE_PRIVATE_KEY'
  ])
  assert.deepEqual(outcome({ NOTIF_SMS_PROVIDER: 'pigeon' }), ['NOTIF_SMS_PROVIDER'])
})
