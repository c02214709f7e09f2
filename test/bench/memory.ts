// Memory while mails with large files go through, all real: few as large as a mail may be, and a thousand of a tenth of
// that, because it must grow with neither. A thousand of 25 MB, in a named run of its own, take the better part of an hour.

import { readFileSync } from 'node:fs'

import type { Query } from '../../server/db/db.ts'
import { FILE_BYTES, flood } from '../send/attachments/flood.ts'
import { testDb } from '../support/db.ts'
import type { Measurement, Say } from './measure.ts'

const MANY = 1000
const FEW = 20
/** For one round, which is enough to see whether it grows. */
const QUICK = 100

const MIB = 2 ** 20

export const memory = async (how: Say): Promise<Measurement[]> => [
  await through(FEW, FILE_BYTES, '25 MB', how),
  await through(how.rounds === 1 ? QUICK : MANY, FILE_BYTES / 10, '2.5 MB', how)
]

export const memoryLong = async (how: Say): Promise<Measurement[]> => [
  await through(MANY, FILE_BYTES, '25 MB', how)
]

async function through(mails: number, bytes: number, size: string, { say }: Say): Promise<Measurement> {
  await using database = await testDb()
  const watched = watch(database.db.control)
  let told = 0
  const { before, mailed, milliseconds, most } = await flood(database.url, mails, bytes, {}, arrived => {
    if (arrived - told < mails / 20) return
    told = arrived
    say(`${arrived} of ${mails} mails`)
  })
  const { disk, resident } = await watched.end()
  return {
    better: 'below',
    ceiling: { name: 'MiB of mail', value: Math.round(mailed / MIB) },
    facts: {
      databaseDiskMostMiB: disk / MIB,
      databaseResidentMostMiB: resident / MIB,
      mails,
      mailsPerSecond: (mails * 1000) / milliseconds,
      residentBeforeMiB: before / MIB,
      residentMostMiB: most / MIB
    },
    floor: 256,
    goal: 200,
    name: `memory on top, ${mails.toLocaleString('en')} mails of ${size}`,
    ours: (most - before) / MIB,
    promised: 'value',
    unit: 'MiB'
  }
}

/** Bytes, the most that was seen. */
interface Watched {
  /** Memory of its own of each process of the database together; shared buffers are of a size that its operator sets. */
  readonly resident: number
  /** Where files wait for their mails. */
  readonly disk: number
}

/** Looks at the database once a second. */
function watch(sql: Query): { end(): Promise<Watched> } {
  const most = { disk: 0, resident: 0 }
  const look = async (): Promise<void> => {
    const rows = await sql<{ pid: number; size: number }[]>`
      select pid, pg_database_size(current_database())::float8 as size from pg_stat_activity`
    most.disk = Math.max(most.disk, rows[0]?.size ?? 0)
    most.resident = Math.max(
      most.resident,
      rows.reduce((sum, { pid }) => sum + privateOf(pid), 0)
    )
  }
  let looking: Promise<void> = look()
  const timer = setInterval(() => (looking = looking.then(look)), 1000)
  return {
    async end() {
      clearInterval(timer)
      await looking
      return most
    }
  }
}

/** 0 for one that has ended since, or that runs elsewhere. */
function privateOf(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
