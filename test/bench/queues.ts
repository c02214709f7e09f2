// How fast others' queues on Postgres drain the same number of jobs that do nothing, in turns with ours.
//
// Ours logs every try, as an operator wants to see it; graphile-worker keeps nothing and pg-boss keeps its jobs.

import { join } from 'node:path'

import { testDb } from '../support/db.ts'
import { ensureInstalled } from '../support/install-packages.ts'
import { output } from './child.ts'
import { drainQueue } from './drain.ts'
import { median, type Measurement, type Say } from './measure.ts'

const FOLDER = join(import.meta.dirname, 'peers-queues')
const PEERS = ['graphile-worker', 'pg-boss']
const ROWS = 20_000

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
  const seen: { readonly ours: number; readonly theirs: readonly Drained[] }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const theirs: Drained[] = []
    for (const name of PEERS) theirs.push(await drainPeer(name, t.url))
    seen.push({ ours: await drainQueue(t.db, ROWS), theirs })
  }
  return PEERS.map((name, i) => ({
    better: 'above',
    ceiling: { name, value: median(seen.map(({ theirs }) => theirs[i]!.perSecond)) },
    facts: { rows: ROWS, walBytesPerRowTheirs: median(seen.map(({ theirs }) => theirs[i]!.walPerRow)) },
    name: `outbox drain beside ${name}`,
    ours: median(seen.map(({ ours }) => ours)),
    ratio: median(seen.map(({ ours, theirs }) => ours / theirs[i]!.perSecond)),
    unit: 'rows/s'
  }))
}
