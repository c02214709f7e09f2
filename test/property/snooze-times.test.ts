// The times of a snooze in every kind of time zone, also on days when the clock changes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import * as fc from 'fast-check'

import {
  describeUntil,
  formatUntil,
  parsePicked,
  selectSnoozeTimes,
  toDayValue,
  toTimeValue
} from '../../components/inbox/base/snooze-times.ts'
import { checkProperty } from '../support/generated.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Casablanca'
]

const zone = process.env['TZ']
after(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

/** Node reads the zone again when it is set. */
const enter = (name: string): void => void (process.env['TZ'] = name)

const inZones = fc.record({
  name: fc.constantFrom(...ZONES),
  nowMs: fc.integer({ max: Date.UTC(2040, 0), min: Date.UTC(2015, 0) })
})

const read = (date: Date): readonly number[] => [date.getHours(), date.getMinutes()]
const countDays = (from: Date, to: Date): number =>
  (Date.UTC(to.getFullYear(), to.getMonth(), to.getDate()) -
    Date.UTC(from.getFullYear(), from.getMonth(), from.getDate())) /
  86_400_000

test('the times are 17:00 of today until 15:00, 08:00 of tomorrow and of the next Monday by the clock of the zone', async () => {
  await checkProperty(
    fc.property(inZones, ({ name, nowMs }) => {
      enter(name)
      const now = new Date(nowMs)
      const { later, nextWeek, tomorrow } = selectSnoozeTimes(nowMs)
      assert.equal(later !== undefined, now.getHours() < 15)
      if (later) assert.deepEqual([...read(later), countDays(now, later)], [17, 0, 0])
      assert.deepEqual([...read(tomorrow), countDays(now, tomorrow)], [8, 0, 1])
      assert.equal(nextWeek === undefined, now.getDay() === 0)
      if (nextWeek) {
        assert.deepEqual([...read(nextWeek), nextWeek.getDay()], [8, 0, 1])
        const days = countDays(now, nextWeek)
        assert.ok(days > 1 && days <= 7)
      }
      for (const date of [later, tomorrow, nextWeek]) assert.ok(!date || date.getTime() > nowMs)
    })
  )
})

test('what the fields show is what they pick, and only the future within the limit', async () => {
  const picks = fc.record({ zoned: inZones, minutes: fc.integer({ max: 500 * 1440, min: -1440 }) })
  await checkProperty(
    fc.property(picks, ({ minutes, zoned: { name, nowMs } }) => {
      enter(name)
      const date = new Date(nowMs + minutes * 60_000)
      date.setSeconds(0, 0)
      const picked = parsePicked(toDayValue(date), toTimeValue(date), nowMs, 366)
      // The hour that the clock repeats has one name for two times; the fields mean one of them.
      const isNear = picked === undefined || Math.abs(picked.getTime() - date.getTime()) <= 3_600_000
      assert.ok(isNear)
      if (picked) {
        assert.deepEqual(read(picked), read(date))
        assert.ok(picked.getTime() > nowMs && picked.getTime() <= nowMs + 366 * 86_400_000)
      } else {
        assert.ok(minutes <= 61 || minutes >= 366 * 1440 - 61)
      }
    })
  )
  assert.equal(parsePicked('', '09:30', 0, 366), undefined)
  assert.equal(parsePicked('2026-11-26', '', 0, 366), undefined)
})

test('the days on which the clock changes have their times by the clock', async () => {
  enter('Europe/Berlin')
  const before = new Date(2026, 2, 28, 12).getTime()
  assert.equal(selectSnoozeTimes(before).tomorrow.toISOString(), '2026-03-29T06:00:00.000Z')
  // 02:30 does not exist on this day.
  assert.equal(parsePicked('2026-03-29', '02:30', before, 366)?.toISOString(), '2026-03-29T01:30:00.000Z')
  assert.equal(formatUntil(new Date(2026, 2, 29, 8), before, 'de'), 'So., 08:00')
  assert.equal(
    describeUntil(new Date(2026, 2, 29, 8), before, 'en-GB', (day, time) => `${day}, ${time}`),
    'tomorrow, 08:00'
  )
})
