// Reads the counts of an environment as series, from all groups.

import { bucketOfCounts } from '../../logs/counts.sql.ts'
import { readSteps, readUsual } from '../../logs/minutes.sql.ts'
import type { Context } from '../../process/context.ts'
import { LAST_HOUR, seriesEnd, seriesStart, toSeries, type Series } from './series.ts'

type SeriesContext = Pick<Context, 'clock' | 'db'>

export async function readSeries(
  { clock, db }: SeriesContext,
  envId: string,
  span: typeof LAST_HOUR
): Promise<Series> {
  const now = clock()
  const steps = { from: new Date(seriesStart(span, now)), minutes: span.minutes }
  const rows = await Promise.all(
    db.groups.map(group => readSteps(group, bucketOfCounts(group), envId, steps))
  )
  return toSeries(rows.flat(), span, now)
}

/** @returns the average of the same hour of the days before, by minute; undefined for an environment without such a day */
export async function readUsualRate({ clock, db }: SeriesContext, envId: string) {
  const now = clock()
  const [from, to] = [new Date(seriesStart(LAST_HOUR, now)), new Date(seriesEnd(LAST_HOUR, now))]
  const usual = await Promise.all(
    db.groups.map(group => readUsual(group, bucketOfCounts(group), envId, from, to))
  )
  const days = Math.max(...usual.map(one => one.days))
  if (days === 0) return undefined
  const perMinute = (name: 'sent' | 'failed'): number =>
    Math.round((10 * usual.reduce((sum, one) => sum + one[name], 0)) / (days * LAST_HOUR.count)) / 10
  return { failedPerMinute: perMinute('failed'), sentPerMinute: perMinute('sent') }
}
