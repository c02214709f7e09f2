// Outbox rows for tests, and queues without logs and with short pauses.

import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db, DatabaseGroup, Json } from '../../server/db/db.ts'
import { attemptLog, logLostAttempts } from '../../server/logs/attempt-log.sql.ts'
import { openQueues, type OpenQueues } from '../../server/queue/open-queues.ts'
import { enqueue, type ClaimedRow, type NewOutboxRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import type { DeliveryJob, QueueOptions, Attempt } from '../../server/queue/queue-job.ts'
import { attachmentCleanup } from '../../server/send/attachments/attachments.sql.ts'

export const ENV = 'queue-test'

/** What the server records of attempts beside the outbox. */
export const RECORDS = { finishParts: [attemptLog, attachmentCleanup], logLostAttempts }

export function newRow(user: string, body: Json = { notificationId: 'hello', to: user }): NewOutboxRow {
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

export const put = (db: Db, rows: readonly NewOutboxRow[]): Promise<void> =>
  db.groups[0]!.sql.begin(tx => enqueue(tx, rows)) as Promise<void>

export const onlyGroup = (db: Db): DatabaseGroup => db.groups[0]!

export interface AttemptRow {
  outcome: string
  claim_count: number
  code: string | null
  user_id: string
}

export const readAttempts = (db: Db): Promise<AttemptRow[]> =>
  onlyGroup(db).sql<AttemptRow[]>`select outcome, claim_count, code, user_id from attempts order by id`

export interface Waiting {
  id: string
  claim_count: number
  attempts_left: number
  leased: boolean
  due_in: number
}

/** `due_in`: seconds. */
export const waitingIn = (db: Db): Promise<Waiting[]> => onlyGroup(db).sql<Waiting[]>`
  select id, claim_count, attempts_left, leased, extract(epoch from run_at - now())::float8 as due_in from outbox order by id`

export const deadIn = (db: Db): Promise<{ id: string; code: string; detail: string | null; body: Json }[]> =>
  onlyGroup(db).sql`select id, code, detail, body from dead_letters order by id`

/** Does not fake the database's clock: moves the rows. Citus computes with columns only in a part that reads. */
export const passTime = ({ control }: Pick<Db, 'control'>, seconds: number): Promise<unknown> => control`
  with moved as materialized (
    select bucket, id, run_at - make_interval(secs => ${seconds}) as due_at from outbox where bucket >= 0)
  update outbox o set run_at = moved.due_at from moved
  where o.bucket >= 0 and o.bucket = moved.bucket and o.id = moved.id`

export function deliver(
  send: (row: ClaimedRow, call: Attempt) => Promise<Outcome>,
  over: Partial<DeliveryJob> = {}
): DeliveryJob {
  return {
    kind: 'delivery',
    queue: 'EMAIL',
    prepare: () => send,
    concurrency: 10,
    timeoutMs: 5000,
    whenUncertain: 'retry',
    ...over
  }
}

export function openTestQueues(db: Db, options: Partial<QueueOptions> = {}): OpenQueues & AsyncDisposable {
  const queues = openQueues(db, {
    ...RECORDS,
    clock: Date.now,
    log: createLog('silent'),
    pollMs: 50,
    random: () => 0.5,
    ...options
  })
  return Object.assign(queues, { [Symbol.asyncDispose]: () => queues.stop(0) })
}

/** A promise to be settled from outside. */
export const signal = <T = void>(): PromiseWithResolvers<T> => Promise.withResolvers<T>()
