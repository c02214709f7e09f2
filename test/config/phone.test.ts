// The choice of the SMS provider from the settings, and the errors of incomplete settings.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readConfig } from '../../server/config/config.ts'
import { chooseSmsProvider } from '../../server/config/phone.ts'

const TWILIO = { NOTIF_TWILIO_ACCOUNT_SID: 'AC1', NOTIF_TWILIO_AUTH_TOKEN: 'x' }
const VONAGE = { NOTIF_VONAGE_API_KEY: 'k', NOTIF_VONAGE_API_SECRET: 's' }
const PLIVO = { NOTIF_PLIVO_AUTH_ID: 'M', NOTIF_PLIVO_AUTH_TOKEN: 't' }
const WEBHOOK = { NOTIF_SMS_WEBHOOK_SECRET: 'whsec_AAAAAAAAAAAA', NOTIF_SMS_WEBHOOK_URL: 'https://x.test/' }
const FROM = { NOTIF_SMS_FROM: '+12025550100' }

/** The provider, or the settings that are wrong. */
const outcome = (env: Readonly<Record<string, string>>) => {
  const read = readConfig(env)
  return 'config' in read ? chooseSmsProvider(read.config) : read.problems.map(one => one.env)
}

test('uses the configured provider, or the sandbox', () => {
  assert.equal(outcome({}), undefined)
  assert.equal(outcome({ ...TWILIO, ...FROM }), 'twilio')
  assert.equal(outcome({ ...TWILIO, NOTIF_TWILIO_MESSAGING_SERVICE: 'MG1' }), 'twilio')
  assert.equal(outcome({ ...VONAGE, ...FROM }), 'vonage')
  assert.equal(outcome({ ...PLIVO, ...FROM, NOTIF_PUBLIC_URL: 'https://x.test' }), 'plivo')
  assert.equal(outcome(WEBHOOK), 'webhook')
})

test('requires NOTIF_SMS_PROVIDER if two providers are configured', () => {
  assert.deepEqual(outcome({ ...TWILIO, ...VONAGE, ...FROM }), ['NOTIF_SMS_PROVIDER'])
  assert.equal(outcome({ ...TWILIO, ...VONAGE, ...FROM, NOTIF_SMS_PROVIDER: 'vonage' }), 'vonage')
})

test('names missing settings of the provider', () => {
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
