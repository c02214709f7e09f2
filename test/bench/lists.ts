// 1,000 users in one request, beside the same sends one by one; and how long a single send of another environment takes beside both.

import { join } from 'node:path'

import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { warmUp } from './accept.ts'
import { output } from './child.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, type Server } from './server.ts'

const LIST = 1_000
const CONNECTIONS = 32
const USERS = 100_000
const OTHER = { id: 'other', secret: 'other-secret-0123456789abcdef' }

type Load = Partial<LoadOptions> & Pick<LoadOptions, 'connections' | 'seconds'>

async function load({ port }: Server, options: Load): Promise<LoadResult> {
  const whole: LoadOptions = {
    authorization: BACK_END,
    email: true,
    path: `/${CLIENT}/sender`,
    port,
    users: USERS,
    ...options
  }
  const text = await output(process.execPath, [join(import.meta.dirname, 'load.ts'), JSON.stringify(whole)])
  const result = JSON.parse(text) as LoadResult
  if (result.failures > 0) throw new Error(`${result.failures} requests were refused.`)
  return result
}

/** p99 of one connection of the other environment while the load runs. */
async function besideOf(server: Server, busy: Load): Promise<number> {
  const other: Load = {
    authorization: `Basic ${btoa(`${OTHER.id}:${OTHER.secret}`)}`,
    connections: 1,
    path: `/${OTHER.id}/sender`,
    seconds: busy.seconds
  }
  const [, single] = await Promise.all([
    load(server, { ...busy, seconds: busy.seconds + 0.5 }),
    load(server, other)
  ])
  return single.p99
}

export async function lists({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  await ensureEnvironment(database.db, TEST_ENCRYPTION, { ...OTHER, origins: [], secureMode: undefined })
  await using server = await serve(database.url, { NOTIF_ROLE: 'api' })
  await warmUp(server, say)
  const single: Load = { connections: CONNECTIONS, seconds }
  const list: Load = { connections: 1, list: LIST, seconds, what: 'list' }
  await load(server, list)
  const times: LoadResult[] = []
  const rates = await inTurns(
    rounds,
    async () => {
      const result = await load(server, list)
      times.push(result)
      return result.perSecond * LIST
    },
    async () => (await load(server, single)).perSecond
  )
  say(`lists: ${Math.round(rates.ours)} sends/s, one by one ${Math.round(rates.ceiling)}`)
  const waits = await inTurns(
    rounds,
    () => besideOf(server, list),
    () => besideOf(server, single)
  )
  say(
    `a single send beside lists: p99 ${waits.ours.toFixed(1)} ms, beside single sends ${waits.ceiling.toFixed(1)} ms`
  )
  return [
    {
      better: 'above',
      ceiling: { name: `one by one, ${CONNECTIONS} connections`, value: rates.ceiling },
      facts: { p50Ms: median(times.map(time => time.p50)) },
      floor: 0.8,
      goal: 1,
      name: `lists of ${LIST} users`,
      ours: rates.ours,
      ratio: rates.ratio,
      unit: 'sends/s'
    },
    {
      better: 'below',
      ceiling: { name: `beside ${CONNECTIONS} connections`, value: waits.ceiling },
      floor: 3,
      goal: 1.5,
      name: 'p99 of a single send of another environment beside lists',
      ours: waits.ours,
      ratio: waits.ratio,
      unit: 'ms'
    }
  ]
}
