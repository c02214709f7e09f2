// How fast others' queues on Postgres drain the same number of jobs that do nothing, in turns with ours.
//
// Ours logs every try, as an operator wants to see it; graphile-worker keeps nothing and pg-boss keeps its jobs. So ours is
// measured without its log as well: that is the work of graphile-worker.

import { join } from 'node:path'

import { attachmentCleanup } from '../../server/send/attachments/attachments.sql.ts'
import { RECORDS } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { ensureInstalled } from '../support/install-packages.ts'
import { output } from './child.ts'
import { drainQueue } from './drain.ts'
import { median, type Measurement, type Say } from './measure.ts'

const FOLDER = join(import.meta.dirname, 'peers-queues')
const PEERS = ['graphile-worker', 'pg-boss']
const ROWS = 20_000
const WITHOUT_LOG = { ...RECORDS, finishParts: [attachmentCleanup] }

/** What one queue came to in one round. */
interface Drained {
  readonly perSecond: number
  /** Bytes of write-ahead log for each job, from its claim to its end; of whatever else writes there as well. */
  readonly walPerRow: number
}

/** In a process of its own, and after a small round that warms it up. */
async function drainPeer(name: string, url: string): Promise<Drained> {
  const env = { ...process.env, DATABASE_URL: url }
  const text = await output(process.execPath, [join(FOLDER, `${name}.mjs`), String(ROWS)], env)
  return JSON.parse(text) as Drained
}

export async function queues({ rounds, say }: Say): Promise<Measurement[]> {
  try {
    for (const name of PEERS) ensureInstalled(FOLDER, name)
  } catch (error) {
    say(`skipped: ${(error as Error).message.split('\n', 1)[0]}`)
    return []
  }
  await using t = await testDb()
  await drainQueue(t.db, 2000)
  const seen: { ours: number; unlogged: number; theirs: readonly Drained[] }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const theirs: Drained[] = []
    for (const name of PEERS) theirs.push(await drainPeer(name, t.url))
    const ours = await drainQueue(t.db, ROWS)
    seen.push({ ours, theirs, unlogged: await drainQueue(t.db, ROWS, WITHOUT_LOG) })
  }
  const beside = (i: number, side: 'ours' | 'unlogged', name: string): Measurement => ({
    better: 'above',
    ceiling: { name: PEERS[i]!, value: median(seen.map(({ theirs }) => theirs[i]!.perSecond)) },
    facts: { rows: ROWS, walBytesPerRowTheirs: median(seen.map(({ theirs }) => theirs[i]!.walPerRow)) },
    name: `${name} beside ${PEERS[i]}`,
    ours: median(seen.map(one => one[side])),
    ratio: median(seen.map(one => one[side] / one.theirs[i]!.perSecond)),
    unit: 'rows/s'
  })
  return [
    ...PEERS.map((_, i) => beside(i, 'ours', 'outbox drain')),
    { ...beside(0, 'unlogged', 'outbox drain without its log'), floor: 0.9, goal: 1 }
  ]
}
