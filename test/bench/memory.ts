// Memory while a thousand mails of 25 MB go through: server, file host and mail server in processes of their own, all real.

import { FILE_BYTES, flood } from '../attachments/flood.ts'
import { testDb } from '../support/db.ts'
import type { Measurement, Say } from './measure.ts'

/** A whole run; `--quick` is enough to see whether it grows. */
const MAILS = 1000
const QUICK = 20

export async function memory({ rounds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const mails = rounds === 1 ? QUICK : MAILS
  let told = 0
  const { before, mailed, milliseconds, most } = await flood(database.url, mails, {}, arrived => {
    if (arrived - told < mails / 20) return
    told = arrived
    say(`${arrived} of ${mails} mails`)
  })
  return [
    {
      better: 'below',
      ceiling: { name: 'MiB of one such mail', value: Math.round((FILE_BYTES * 1.3685) / 2 ** 20) },
      facts: {
        mails,
        mailedMiB: mailed / 2 ** 20,
        mailsPerSecond: (mails * 1000) / milliseconds,
        residentBeforeMiB: before / 2 ** 20,
        residentMostMiB: most / 2 ** 20
      },
      floor: 256,
      goal: 200,
      name: 'memory on top, mails of 25 MB',
      ours: (most - before) / 2 ** 20,
      promised: 'value',
      unit: 'MiB'
    }
  ]
}
