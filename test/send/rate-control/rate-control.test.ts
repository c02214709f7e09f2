// Gates without a database: which passes still count, how long they are remembered, and what counts as the same content.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  counting,
  forgottenAt,
  gatesOf,
  printOf,
  type Span
} from '../../../server/send/rate-control/rate-control.ts'
import type { Send } from '../../../server/send/send-request.ts'
import { typeSettings } from '../../../server/types/type.ts'
import { testGenerated } from '../../support/generated.ts'

const SECONDS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const

testGenerated(
  'a sliding stretch never holds more than it may, and holds back only where it is full',
  next => {
    for (let round = 0; round < 200; round++) {
      const unit = (['seconds', 'minutes', 'hours', 'days'] as const)[next(4)]!
      const period = 1 + next(5)
      const span: Span = { period, unit }
      const width = period * SECONDS[unit] * 1000
      const max = 1 + next(4)
      let now = 1_700_000_000_000 + next(1_000_000)
      let passed: readonly number[] = []
      const all: number[] = []
      for (let i = 0; i < 60; i++) {
        now += next(Math.ceil(width / 2))
        const kept = counting(passed, span, now)
        const full = all.filter(ms => ms > now - width).length >= max
        assert.equal(kept.length >= max, full, `${JSON.stringify(span)} max ${max}`)
        passed = kept
        if (full) continue
        passed = [...kept, now]
        all.push(now)
        assert.equal(forgottenAt(span, now), now + width)
      }
    }
  }
)

test('months have their own lengths, and nothing is forgotten while it counts', () => {
  const ms = (text: string) => Date.parse(text)
  const month: Span = { period: 1, unit: 'months' }
  assert.deepEqual(counting([ms('2026-02-28T11:00Z')], month, ms('2026-03-28T10:59Z')).length, 1)
  assert.deepEqual(counting([ms('2026-02-28T11:00Z')], month, ms('2026-03-28T11:00Z')).length, 0)
  for (let day = 0; day < 800; day++) {
    const passed = ms('2026-01-01T12:00Z') + day * 86_400_000
    const forgotten: number = forgottenAt(month, passed)!
    assert.deepEqual(counting([passed], month, forgotten), [], new Date(passed).toISOString())
  }
  assert.deepEqual(counting([1, 2], 'forever', Date.now()), [1, 2])
  assert.equal(forgottenAt('forever', 1), undefined)
})

const SEND: Send = {
  inapp: { title: 'x' },
  parameters: { a: 1, b: { c: [1, 2], d: null } },
  to: { id: 'u1' },
  type: 't'
}

test('the same content has the same print, whatever the order of its keys', () => {
  const print = printOf(SEND, ['EMAIL', 'INAPP_WEB'])
  const turned: Send = {
    type: 't',
    to: { email: 'a@b.example', id: 'u1' },
    parameters: { b: { d: null, c: [1, 2] }, a: 1 },
    inapp: { title: 'x' }
  }
  assert.equal(printOf(turned, ['INAPP_WEB', 'EMAIL']), print)
  const others: readonly Send[] = [
    { ...SEND, parameters: { a: 1, b: { c: [2, 1], d: null } } },
    { ...SEND, parameters: { a: '1', b: { c: [1, 2], d: null } } },
    { ...SEND, inapp: { title: 'y' } },
    { ...SEND, subNotificationId: 's' },
    { ...SEND, templateId: 's' },
    { ...SEND, replace: { x: 'y' } },
    { ...SEND, options: { email: { attachments: [{ filename: 'a', url: 'https://a.example' }] } } }
  ]
  const prints = [
    print,
    printOf(SEND, ['INAPP_WEB']),
    ...others.map(send => printOf(send, ['EMAIL', 'INAPP_WEB']))
  ]
  assert.equal(new Set(prints).size, prints.length)
  const expiry = { ...SEND, options: { apn: { expiry: 5 } } }
  assert.equal(printOf(expiry, ['EMAIL', 'INAPP_WEB']), print, 'what nobody reads is not content')
})

test('there is no gate where nothing asks for one, or nothing would go out', () => {
  const strict = typeSettings.parse({
    deduplication: { duration: 60 },
    throttling: { forever: true, max: 1 }
  })
  assert.deepEqual(gatesOf(typeSettings.parse({}), SEND, ['INAPP_WEB']), [])
  assert.deepEqual(gatesOf(strict, SEND, []), [])
  assert.deepEqual(
    gatesOf(strict, SEND, ['INAPP_WEB']).map(({ held, max, span }) => [held, max, span]),
    [
      ['deduplicated', 1, { period: 60, unit: 'seconds' }],
      ['throttled', 1, 'forever']
    ]
  )
})
