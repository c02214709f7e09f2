// When quiet hours end: a table, and random zones, days and times around changes of clocks against a model.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findHold } from '../../../server/users/preferences/hold.ts'
import { quietEnd } from '../../../server/users/preferences/quiet-hours.ts'
import { instantOf, transitionsOf, wallOf } from '../../send/digest/cadence-model.ts'
import { testGenerated } from '../../support/generated.ts'
import { caseCount, type Random } from '../../support/random.ts'

const DAY = 86_400_000
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Havana',
  'Pacific/Apia'
]

type Span = Parameters<typeof quietEnd>[1]

const NIGHT: Span = { days: EVERY_DAY, from: '22:00', to: '07:00', zone: 'Europe/Berlin' }

/** What, now, changes of {@link NIGHT}, expected end. */
const TABLE: readonly (readonly [string, string, Partial<Span>, string | undefined])[] = [
  ['evening', '2026-11-20T21:00Z', {}, '2026-11-21T06:00Z'],
  ['early morning', '2026-11-21T05:59Z', {}, '2026-11-21T06:00Z'],
  ['the end itself', '2026-11-21T06:00Z', {}, undefined],
  ['day', '2026-11-20T12:00Z', {}, undefined],
  ['the night into summer', '2026-03-28T23:00Z', {}, '2026-03-29T05:00Z'],
  ['the night into winter', '2026-10-24T23:00Z', {}, '2026-10-25T06:00Z'],
  ['an end that is skipped', '2026-03-29T00:30Z', { to: '02:30' }, '2026-03-29T01:30Z'],
  ['an end that comes twice', '2026-10-24T23:30Z', { to: '02:30' }, '2026-10-25T00:30Z'],
  ['Friday night only', '2026-11-21T05:00Z', { days: [5] }, '2026-11-21T06:00Z'],
  ['not Saturday night', '2026-11-21T22:00Z', { days: [5] }, undefined],
  ['whole weekend', '2026-11-21T12:00Z', { days: [6, 7], from: '00:00', to: '00:00' }, '2026-11-22T23:00Z']
]

test('ends at the local time on special days', () => {
  for (const [what, now, changes, expected] of TABLE) {
    const end = quietEnd(Date.parse(now), { ...NIGHT, ...changes })
    assert.equal(end, expected === undefined ? undefined : Date.parse(expected), what)
  }
})

const time = (next: Random): string =>
  `${String(next(24)).padStart(2, '0')}:${['00', '15', '30', '45'][next(4)]!}`
const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Ends of the spans that contain the time, one span after the other. */
function modelEnd(now: number, { days, from, to, zone }: Span): number | undefined {
  let end = now
  for (let i = 0; i < 8; i += 1) {
    const today = Math.floor(wallOf(end, zone) / DAY) * DAY
    const ends = [0, 1, 2].flatMap(back => {
      const day = today - back * DAY
      if (!days.includes(new Date(day).getUTCDay() || 7)) return []
      const begins = instantOf(day + minutes(from) * 60_000, zone)
      const last = instantOf(day + (to > from ? 0 : DAY) + minutes(to) * 60_000, zone)
      return begins <= end && end < last ? [last] : []
    })
    if (ends.length === 0) break
    end = ends[0]!
  }
  return end === now ? undefined : end
}

testGenerated('random zones, days and times agree with the model, also where clocks change', next => {
  for (let i = 0; i < caseCount(1500); i += 1) {
    const zone = ZONES[next(ZONES.length)]!
    const year = 2011 + next(16)
    const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
    const changes = next(2) === 0 ? transitionsOf(zone, from, to) : []
    const near =
      changes.length > 0 ? changes[next(changes.length)]! + (next(2880) - 1440) * 60_000 : undefined
    const now = near ?? from + next(365 * 24 * 60) * 60_000
    const span = { days: EVERY_DAY.filter(() => next(3) > 0), from: time(next), to: time(next), zone }
    const message = JSON.stringify([new Date(now).toISOString(), span])
    const end = quietEnd(now, span)
    assert.equal(end, modelEnd(now, span), message)
    if (end !== undefined) assert.ok(end > now, message)
  }
})

test('a pause and quiet hours hold one after the other, and urgent types pass', () => {
  const at = (text: string): number => Date.parse(text)
  const now = at('2026-11-20T19:00Z')
  const normal = { isUrgent: false, now, zone: 'Europe/Berlin' }
  const urgent = { ...normal, isUrgent: true }
  const quiet = { on: true }
  assert.equal(findHold(undefined, normal), undefined)
  assert.equal(findHold({ quiet }, normal), undefined)
  assert.deepEqual(findHold({ pausedUntil: null }, normal), { reason: 'pause', until: null })
  assert.equal(findHold({ pausedUntil: null }, urgent), undefined)
  assert.equal(findHold({ pausedUntil: now }, normal), undefined)
  const evening = at('2026-11-20T21:30Z')
  const morning = at('2026-11-21T06:00Z')
  assert.deepEqual(findHold({ pausedUntil: evening }, normal), { reason: 'pause', until: evening })
  // The pause ends in the quiet hours.
  assert.deepEqual(findHold({ pausedUntil: evening, quiet }, normal), { reason: 'pause', until: morning })
  // The quiet hours end in the pause, which ends in the next ones.
  const night = { ...normal, now: at('2026-11-20T22:00Z') }
  const later = at('2026-11-21T23:00Z')
  const next = { reason: 'quiet-hours', until: at('2026-11-22T06:00Z') }
  assert.deepEqual(findHold({ pausedUntil: later, quiet }, { ...night }), { ...next, reason: 'pause' })
  assert.equal(findHold({ quiet }, { ...night, isUrgent: true }), undefined)
  const strict = { quiet: { ...quiet, urgentPasses: false } }
  assert.deepEqual(findHold(strict, { ...night, isUrgent: true }), { reason: 'quiet-hours', until: morning })
})
