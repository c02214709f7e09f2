// Rows to queue and queues to run them, quiet and quick.

import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db, Group, Json } from '../../server/db/db.ts'
import { openQueues, type OpenQueues } from '../../server/queue/open-queues.ts'
import { enqueue, type Claimed, type NewRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import type { Deliver, QueueOptions, Attempt } from '../../server/queue/queue-job.ts'

export const ENV = 'queue-test'

export function newRow(user: string, body: Json = { notificationId: 'hello', to: user }): NewRow {
  const place = placementHash(ENV, user)
  return {
    body,
    bucket: bucketOf(ENV, user),
    envId: ENV,
    id: uuidv7(place),
    queue: 'EMAIL',
    sendId: uuidv7(place),
    userId: user
  }
}

export const put = (db: Db, rows: readonly NewRow[]): Promise<void> =>
  db.groups[0]!.sql.begin(tx => enqueue(tx, rows)) as Promise<void>

export const groupOf = (db: Db): Group => db.groups[0]!

export interface AttemptRow {
  outcome: string
  claim_count: number
  code: string | null
  user_id: string
}

export const attemptsOf = (db: Db): Promise<AttemptRow[]> =>
  groupOf(db).sql<AttemptRow[]>`select outcome, claim_count, code, user_id from attempts order by id`

export interface Waiting {
  id: string
  claim_count: number
  attempts_left: number
  leased: boolean
  due_in: number
}

/** `due_in`: seconds. */
export const waitingIn = (db: Db): Promise<Waiting[]> => groupOf(db).sql<Waiting[]>`
  select id, claim_count, attempts_left, leased, extract(epoch from run_at - now())::float8 as due_in from outbox order by id`

export const deadIn = (db: Db): Promise<{ id: string; code: string; detail: string | null; body: Json }[]> =>
  groupOf(db).sql`select id, code, detail, body from dead_letters order by id`

/** Does not fake the database's clock: moves the rows. */
export const passTime = (db: Db, seconds: number): Promise<unknown> =>
  groupOf(db).sql`update outbox set run_at = run_at - make_interval(secs => ${seconds})`

export function deliver(
  send: (row: Claimed, call: Attempt) => Promise<Outcome>,
  over: Partial<Deliver> = {}
): Deliver {
  return {
    kind: 'deliver',
    name: 'EMAIL',
    prepare: () => send,
    slots: 10,
    timeout: 5000,
    uncertain: 'retry',
    ...over
  }
}

export function queuesOf(db: Db, options: Partial<QueueOptions> = {}): OpenQueues & AsyncDisposable {
  const queues = openQueues(db, {
    clock: Date.now,
    log: createLog('silent'),
    poll: 50,
    random: () => 0.5,
    ...options
  })
  return Object.assign(queues, { [Symbol.asyncDispose]: () => queues.stop(0) })
}

/** A promise to be settled from outside. */
export const signal = <T = void>(): PromiseWithResolvers<T> => Promise.withResolvers<T>()
