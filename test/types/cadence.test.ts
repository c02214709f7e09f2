// When digests are due: a table of special days, and random zones and changes of clocks against a model.
//
// node --test test/types/cadence.test.ts; TEST_CASES=100000 and TEST_SEED=… take others.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  parseCadence,
  parseHour,
  nextBoundary,
  parseWeekday,
  type Period
} from '../../server/types/cadence.ts'
import { nextByWall, transitionsOf, wallOf } from '../send/digest/cadence-model.ts'
import { testGenerated } from '../support/generated.ts'
import { caseCount, type Random } from '../support/random.ts'

const CASES = caseCount(5000)

/** What, now, zone, period, options, expected. */
const TABLE: readonly (readonly [string, string, string, Period, object, string])[] = [
  ['09:00 unless said', '2026-11-20T05:00Z', 'Europe/Berlin', 'daily', {}, '2026-11-20T08:00Z'],
  ['never the moment itself', '2026-11-20T14:00Z', 'EST', 'daily', {}, '2026-11-21T14:00Z'],
  ['a millisecond before', '2026-11-20T13:59:59.999Z', 'EST', 'daily', {}, '2026-11-20T14:00Z'],
  ['the night before summer', '2026-03-07T15:00Z', 'America/New_York', 'daily', {}, '2026-03-08T13:00Z'],
  ['the night before winter', '2026-10-31T14:00Z', 'America/New_York', 'daily', {}, '2026-11-01T14:00Z'],
  [
    'an hour that is skipped',
    '2026-03-08T05:00Z',
    'America/New_York',
    'daily',
    { hour: 2 },
    '2026-03-08T07:00Z'
  ],
  [
    'an hour that comes twice',
    '2026-11-01T04:00Z',
    'America/New_York',
    'daily',
    { hour: 1 },
    '2026-11-01T05:00Z'
  ],
  ['but not twice a day', '2026-11-01T05:00Z', 'America/New_York', 'daily', { hour: 1 }, '2026-11-02T06:00Z'],
  [
    'a midnight that is skipped',
    '2026-04-23T12:00Z',
    'Africa/Cairo',
    'daily',
    { hour: 0 },
    '2026-04-23T22:00Z'
  ],
  [
    'Havana skips midnight, too',
    '2026-03-07T12:00Z',
    'America/Havana',
    'daily',
    { hour: 0 },
    '2026-03-08T05:00Z'
  ],
  [
    'two hours are skipped',
    '2026-03-28T12:00Z',
    'Antarctica/Troll',
    'daily',
    { hour: '2' },
    '2026-03-29T02:00Z'
  ],
  ['a day that is skipped', '2011-12-30T08:00Z', 'Pacific/Apia', 'daily', {}, '2011-12-30T19:00Z'],
  ['and only one for both', '2011-12-30T19:00Z', 'Pacific/Apia', 'daily', {}, '2011-12-31T19:00Z'],
  ['a quarter of an hour', '2026-01-01T00:00Z', 'Asia/Kathmandu', 'daily', {}, '2026-01-01T03:15Z'],
  ['full hours of half-hour zones', '2026-01-01T00:10Z', 'Asia/Kolkata', 'hourly', {}, '2026-01-01T00:30Z'],
  ['half an hour is skipped', '2026-10-03T15:10Z', 'Australia/Lord_Howe', 'hourly', {}, '2026-10-03T16:00Z'],
  ['half an hour comes twice', '2026-04-04T14:40Z', 'Australia/Lord_Howe', 'hourly', {}, '2026-04-04T15:30Z'],
  [
    'half an hour that ends at midnight',
    '2018-05-04T14:37Z',
    'Asia/Pyongyang',
    'hourly',
    {},
    '2018-05-04T15:00Z'
  ],
  ['both of two equal hours', '2026-11-01T05:10Z', 'America/New_York', 'hourly', {}, '2026-11-01T06:00Z'],
  ['Monday unless said', '2026-11-20T05:00Z', 'Europe/Berlin', 'weekly', {}, '2026-11-23T08:00Z'],
  [
    'later on the same day',
    '2026-11-20T05:00Z',
    'Europe/Berlin',
    'weekly',
    { day: 'Friday' },
    '2026-11-20T08:00Z'
  ],
  [
    'a week later',
    '2026-11-20T08:00Z',
    'Europe/Berlin',
    'weekly',
    { day: '5', hour: '9' },
    '2026-11-27T08:00Z'
  ],
  ['Sunday by both numbers', '2026-11-20T05:00Z', 'UTC', 'weekly', { day: 0 }, '2026-11-22T09:00Z'],
  ['the first unless said', '2026-11-20T05:00Z', 'UTC', 'monthly', {}, '2026-12-01T09:00Z'],
  [
    'last day of February',
    '2026-02-01T00:00Z',
    'Europe/London',
    'monthly',
    { date: 'last' },
    '2026-02-28T09:00Z'
  ],
  ['in a leap year', '2028-02-01T00:00Z', 'Europe/London', 'monthly', { date: 'last' }, '2028-02-29T09:00Z'],
  [
    'and back to the 31st',
    '2026-02-28T10:00Z',
    'Europe/London',
    'monthly',
    { date: 'last' },
    '2026-03-31T08:00Z'
  ],
  ['over the new year', '2026-12-31T10:00Z', 'UTC', 'monthly', { date: 'last' }, '2027-01-31T09:00Z']
]

for (const [what, now, zone, period, said, expected] of TABLE) {
  test(`${period} in ${zone}: ${what}`, () => {
    const next = nextBoundary(Date.parse(now), zone, parseCadence(period, { ...said }))
    assert.equal(new Date(next).toISOString(), new Date(expected).toISOString())
  })
}

test('parses the time of a digest in a type, and ignores other values', () => {
  assert.deepEqual(
    [parseHour('0'), parseHour(23), parseHour('24'), parseHour('9.5'), parseHour(undefined)],
    [0, 23, undefined, undefined, undefined]
  )
  assert.deepEqual(['mon', 'SUNDAY', '7', 0, 'x', 'su', 8].map(parseWeekday), [
    1,
    7,
    7,
    7,
    undefined,
    undefined,
    undefined
  ])
})

const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'EST', 'UTC', 'US/Pacific', 'Etc/GMT+12'])]
/** Zones with half and quarter hours, and with skipped midnights and days: a quarter of all cases. */
const ODD = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Havana',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham'
]
const FROM = Date.UTC(2011, 0, 1)
const TO = Date.UTC(2038, 0, 1)
const PERIODS: readonly Period[] = ['hourly', 'daily', 'weekly', 'monthly']
const LONGEST: Readonly<Record<Period, number>> = { daily: 24, hourly: 1, monthly: 31 * 24, weekly: 7 * 24 }
const HOUR = 3_600_000

const known = new Map<string, readonly number[]>()

/** Half of them within two days of a change of clocks, if the zone has any. */
function instantNear(next: Random, zone: string): number {
  let transitions = known.get(zone)
  if (!transitions) known.set(zone, (transitions = transitionsOf(zone, FROM, TO)))
  if (transitions.length > 0 && next(2) === 0) {
    const minutes = [180, 2880][next(2)]!
    return (
      transitions[next(transitions.length)]! + (next(2 * minutes) - minutes) * 60_000 + [0, 1, -1][next(3)]!
    )
  }
  return FROM + next((TO - FROM) / 60_000) * 60_000 + next(60_000)
}

testGenerated('every zone agrees with the clock on the wall', next => {
  for (let i = 0; i < CASES; i++) {
    const zones = next(4) === 0 ? ODD : ZONES
    const zone = zones[next(zones.length)]!
    const now = instantNear(next, zone)
    const period = PERIODS[next(PERIODS.length)]!
    const cadence = parseCadence(period, {
      date: ['first', 'last'][next(2)],
      day: next(8),
      hour: next(4) === 0 ? 9 : next(24)
    })
    const said = `${new Date(now).toISOString()} ${zone} ${JSON.stringify(cadence)}`
    const boundary = nextBoundary(now, zone, cadence)
    assert.equal(boundary, nextByWall(now, zone, cadence), said)
    assert.ok(boundary > now && boundary - now <= (LONGEST[period] + 25) * HOUR, said)
    if (period === 'hourly') assert.equal(wallOf(boundary, zone) % HOUR, 0, said)
  }
})
