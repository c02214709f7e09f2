// The rules of rate control without a database: the sliding window, the expiry of counters, and the content hash.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  expiryTime,
  filterWithinWindow,
  hashContent,
  rateRules,
  type RateWindow
} from '../../../server/send/rate-control/rate-control.ts'
import type { Send } from '../../../server/send/send-request.ts'
import { typeSettings } from '../../../server/types/type.ts'
import { testGenerated } from '../../support/generated.ts'

const SECONDS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const

testGenerated(
  'a sliding window never contains more than its limit, and blocks only when it is full',
  next => {
    for (let round = 0; round < 200; round++) {
      const unit = (['seconds', 'minutes', 'hours', 'days'] as const)[next(4)]!
      const period = 1 + next(5)
      const window: RateWindow = { period, unit }
      const windowMs = period * SECONDS[unit] * 1000
      const maxCount = 1 + next(4)
      let now = 1_700_000_000_000 + next(1_000_000)
      let sentAt: readonly number[] = []
      const all: number[] = []
      for (let i = 0; i < 60; i++) {
        now += next(Math.ceil(windowMs / 2))
        const counted = filterWithinWindow(sentAt, window, now)
        const isFull = all.filter(ms => ms > now - windowMs).length >= maxCount
        assert.equal(counted.length >= maxCount, isFull, `${JSON.stringify(window)} max ${maxCount}`)
        sentAt = counted
        if (isFull) continue
        sentAt = [...counted, now]
        all.push(now)
        assert.equal(expiryTime(window, now), now + windowMs)
      }
    }
  }
)

test('months have their own lengths, and no send expires while it counts', () => {
  const ms = (text: string) => Date.parse(text)
  const month: RateWindow = { period: 1, unit: 'months' }
  assert.deepEqual(filterWithinWindow([ms('2026-02-28T11:00Z')], month, ms('2026-03-28T10:59Z')).length, 1)
  assert.deepEqual(filterWithinWindow([ms('2026-02-28T11:00Z')], month, ms('2026-03-28T11:00Z')).length, 0)
  for (let day = 0; day < 800; day++) {
    const sentAt = ms('2026-01-01T12:00Z') + day * 86_400_000
    const expiresAt: number = expiryTime(month, sentAt)!
    assert.deepEqual(filterWithinWindow([sentAt], month, expiresAt), [], new Date(sentAt).toISOString())
  }
  assert.deepEqual(filterWithinWindow([1, 2], 'forever', Date.now()), [1, 2])
  assert.equal(expiryTime('forever', 1), undefined)
})

const SEND: Send = {
  inapp: { title: 'x' },
  parameters: { a: 1, b: { c: [1, 2], d: null } },
  to: { id: 'u1' },
  type: 't'
}

test('the same content has the same hash, whatever the order of its keys', () => {
  const contentHash = hashContent(SEND, ['EMAIL', 'INAPP_WEB'])
  const reordered: Send = {
    type: 't',
    to: { email: 'a@b.example', id: 'u1' },
    parameters: { b: { d: null, c: [1, 2] }, a: 1 },
    inapp: { title: 'x' }
  }
  assert.equal(hashContent(reordered, ['INAPP_WEB', 'EMAIL']), contentHash)
  const others: readonly Send[] = [
    { ...SEND, parameters: { a: 1, b: { c: [2, 1], d: null } } },
    { ...SEND, parameters: { a: '1', b: { c: [1, 2], d: null } } },
    { ...SEND, inapp: { title: 'y' } },
    { ...SEND, subNotificationId: 's' },
    { ...SEND, templateId: 's' },
    { ...SEND, replace: { x: 'y' } },
    { ...SEND, options: { email: { attachments: [{ filename: 'a', url: 'https://a.example' }] } } }
  ]
  const hashes = [
    contentHash,
    hashContent(SEND, ['INAPP_WEB']),
    ...others.map(send => hashContent(send, ['EMAIL', 'INAPP_WEB']))
  ]
  assert.equal(new Set(hashes).size, hashes.length)
  const expiry = { ...SEND, options: { apn: { expiry: 5 } } }
  assert.equal(hashContent(expiry, ['EMAIL', 'INAPP_WEB']), contentHash, 'delivery options are not content')
})

test('there are no rules without settings, or if no channel goes out', () => {
  const strict = typeSettings.parse({
    deduplication: { duration: 60 },
    throttling: { forever: true, max: 1 }
  })
  assert.deepEqual(rateRules(typeSettings.parse({}), SEND, ['INAPP_WEB']), [])
  assert.deepEqual(rateRules(strict, SEND, []), [])
  assert.deepEqual(
    rateRules(strict, SEND, ['INAPP_WEB']).map(({ reason, maxCount, window }) => [reason, maxCount, window]),
    [
      ['deduplicated', 1, { period: 60, unit: 'seconds' }],
      ['throttled', 1, 'forever']
    ]
  )
})
