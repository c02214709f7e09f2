// The rules `escalate` of a type: times, limits, and conditions that can never hold.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findDelay, parseDelayMs } from '../../server/types/escalation.ts'
import { typeBody } from '../../server/types/schema.ts'

test('reads times of 1 second to 31 days', () => {
  assert.deepEqual(
    ['1s', '10m', '2h', '1d', '31d'].map(parseDelayMs),
    [1000, 600_000, 7_200_000, 86_400_000, 2_678_400_000]
  )
  for (const text of ['', '0m', '10', 'm', '-1m', '1.5h', '10 m', '10M', '32d', '99999999s', 'PT10M']) {
    assert.equal(parseDelayMs(text), undefined, text)
  }
})

/** @returns the paths of the faults */
const faults = (body: object): string[] =>
  typeBody.safeParse(body).error?.issues.map(({ path }) => path.join('/')) ?? []

const rule = (more: object = {}) => ({ after: '10m', channel: 'EMAIL', unless: 'read', ...more })

test('names the field of a wrong rule', () => {
  const channels = ['INAPP_WEB', 'EMAIL']
  assert.deepEqual(faults({ channels, escalate: [rule({ channel: 'email' })] }), [])
  assert.deepEqual(faults({ channels, escalate: [rule({ after: 'soon' })] }), ['escalate/0/after'])
  assert.deepEqual(faults({ channels, escalate: [rule({ unless: 'never' })] }), ['escalate/0/unless'])
  assert.deepEqual(faults({ channels, escalate: [rule({ channel: 'INAPP_WEB' })] }), ['escalate/0/channel'])
  assert.deepEqual(faults({ channels, escalate: [rule(), rule()] }), ['escalate/1/channel'])
  assert.deepEqual(faults({ escalate: Array.from({ length: 6 }, () => rule()) }).includes('escalate'), true)
})

test('refuses a condition of a type without an in-app channel', () => {
  assert.deepEqual(faults({ channels: ['EMAIL'], escalate: [rule()] }), ['escalate/0/unless'])
  assert.deepEqual(faults({ channels: ['EMAIL'], escalate: [rule({ unless: undefined })] }), [])
  const templates = { EMAIL: { html: 'x', subject: 'x' } }
  assert.deepEqual(faults({ escalate: [rule()], templates }), ['escalate/0/unless'])
  assert.deepEqual(faults({ escalate: [rule()], templates: { ...templates, INAPP_WEB: { title: 'x' } } }), [])
  // Its templates are already stored, or come later.
  assert.deepEqual(faults({ escalate: [rule()] }), [])
})

test('finds the delay of a channel', () => {
  const escalate = [{ after: '2h', channel: 'SMS', unless: 'seen' } as const]
  assert.deepEqual(findDelay({ escalate }, 'SMS'), { after: '2h', ms: 7_200_000, unless: 'seen' })
  assert.equal(findDelay({ escalate }, 'EMAIL'), undefined)
  assert.equal(findDelay({}, 'EMAIL'), undefined)
})
