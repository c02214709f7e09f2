// Describes the state of a run that makes no progress: what waits for what.

import type { Sql } from '../../server/db/db.ts'
import type { ServerProcess } from '../support/process.ts'
import type { Callers } from './callers.ts'
import type { Ledger } from './ledger.ts'

export interface Scene {
  readonly sql: Sql
  readonly nodes: readonly ServerProcess[]
  readonly callers: Callers
  readonly ledger: Ledger
}

/** Characters of the last output of a node. */
const LAST = 1_000

const readyOf = async ({ base }: ServerProcess): Promise<string> => {
  const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2_000) })
  return `${answer.status} ${await answer.text()}`
}

/** Does not throw. */
export async function tell({ sql, nodes, callers, ledger }: Scene): Promise<string> {
  const queries = {
    backends: sql`
      select application_name, pid, state, wait_event, extract(epoch from now() - state_change)::int as seconds,
        pg_blocking_pids(pid)::text as blockers, left(query, 80) as query
      from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()`,
    nodes: Promise.all(
      nodes.map(async node => [node.base, await readyOf(node).catch(String), node.output().slice(-LAST)])
    ),
    queue: sql`
      select queue, leased, count(*)::int as rows, min(attempts_left) as tries,
        extract(epoch from min(run_at) - now())::int as due from outbox group by queue, leased order by queue`
  }
  const [backends, ready, queue] = await Promise.all(
    [queries.backends, queries.nodes, queries.queue].map(answer => Promise.resolve(answer).catch(String))
  )
  const callersOf = { accepted: callers.accepted.size, repeats: [...callers.repeats] }
  const providersOf = { met: [...ledger.met], faultMode: ledger.faultMode }
  return JSON.stringify(
    { backends, callers: callersOf, nodes: ready, providers: providersOf, queue },
    null,
    2
  )
}
