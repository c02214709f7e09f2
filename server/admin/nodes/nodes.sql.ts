// The processes of this installation, as each reports itself.

import type { Probe } from '../../channels/email/probe.ts'
import type { Query } from '../../db/db.ts'
import type { QueueName } from '../../queue/queues.ts'

/** What a process knows and its database does not. */
export interface NodeState {
  /** Open sockets and waiting polls. */
  readonly sockets: number
  /** Queues that wait for their provider. */
  readonly paused: readonly {
    readonly queue: QueueName
    readonly code: string
    readonly since: string
    readonly until: string
  }[]
  /** Results of the checks of the mail server; none of a process without workers. */
  readonly probes: readonly Probe[]
}

export interface NodeRow {
  readonly id: string
  readonly role: 'all' | 'api' | 'worker'
  readonly version: string
  readonly startedAt: Date
  readonly seenAt: Date
  readonly state: NodeState
}

export type ReportedNode = Omit<NodeRow, 'seenAt'>

export async function writeNode(
  query: Query,
  { id, role, startedAt, state, version }: ReportedNode
): Promise<void> {
  await query`
    insert into nodes (id, role, version, started_at, state)
    values (${id}, ${role}, ${version}, ${startedAt}, ${JSON.stringify(state)}::text::jsonb)
    on conflict (id) do update set seen_at = now(), state = excluded.state`
}

/** A process that was not seen for this time has ended, or has lost the database. */
const SEEN_SECONDS = 30

/** Returns the processes that run, the oldest first. */
export const readNodes = (query: Query): Promise<NodeRow[]> => query<NodeRow[]>`
  select id, role, version, started_at as "startedAt", seen_at as "seenAt", state from nodes
  where seen_at > now() - ${SEEN_SECONDS} * interval '1 second' order by started_at, id`

export async function deleteNode(query: Query, id: string): Promise<void> {
  await query`delete from nodes where id = ${id}`
}

/** Deletes processes that ended without a word. */
export async function deleteOldNodes(query: Query): Promise<number> {
  const gone = await query`delete from nodes where seen_at < now() - interval '1 day'`
  return gone.count
}
