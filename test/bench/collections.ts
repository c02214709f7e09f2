// Garbage collections of the server with the V8 flags of `npm start`, beside the same server without them.
//
// Counts depend on what is allocated, not on how busy the machine is.

import { setTimeout as pause } from 'node:timers/promises'

import { testDb } from '../support/db.ts'
import { sendLoad } from './accept.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'
import { serve, START_FLAGS, type Server } from './server.ts'

/** V8 gives memory back while nothing is sent, and has to get it again in the next burst. */
const QUIET_MS = 10_000

const countOf = (log: string, kind: 'Mark-Compact' | 'Scavenge'): number =>
  log.split(`ms: ${kind}`).length - 1

interface Collections {
  readonly full: number
  readonly young: number
}

/** Per 10,000 sends of a burst after a quiet time. */
async function burst(server: Server, seconds: number): Promise<Collections> {
  await pause(QUIET_MS)
  const before = server.readLog()
  const { requests } = await sendLoad(server, 8, seconds, false)
  const log = server.readLog().slice(before.length)
  const per10k = (kind: 'Mark-Compact' | 'Scavenge'): number => (countOf(log, kind) / requests) * 10_000
  return { full: per10k('Mark-Compact'), young: per10k('Scavenge') }
}

export async function collections({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const start = (flags: readonly string[]): Promise<Server> =>
    serve(database.url, { NOTIF_ROLE: 'api' }, [...flags, '--trace-gc'])
  await using flagged = await start(START_FLAGS)
  await using plain = await start([])
  for (const server of [flagged, plain]) await sendLoad(server, 32, 5, false)
  const full: Record<'flagged' | 'plain', number[]> = { flagged: [], plain: [] }
  const measure = async (name: keyof typeof full, server: Server): Promise<number> => {
    const counted = await burst(server, seconds)
    full[name].push(counted.full)
    return counted.young
  }
  const young = await inTurns(
    rounds,
    () => measure('flagged', flagged),
    () => measure('plain', plain)
  )
  say(`${young.ours.toFixed(1)} collections of young objects, ${young.ceiling.toFixed(1)} without the flags`)
  return [
    {
      better: 'below',
      ceiling: { name: 'without the flags', value: young.ceiling },
      facts: { full: median(full.flagged), fullWithoutFlags: median(full.plain) },
      floor: 1,
      goal: 0.75,
      name: 'collections of young objects per 10,000 sends',
      ours: young.ours,
      ratio: young.ratio,
      unit: 'collections'
    }
  ]
}
