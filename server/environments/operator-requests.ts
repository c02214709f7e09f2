// Idempotency of operators' requests, which belong to no user.

import type { Db, Tx } from '../db/db.ts'
import { runOnce, type IdempotencyKey } from '../http/idempotency.ts'
import type { Answer, CallOf } from '../http/route.ts'

/** Of the idempotency keys of operators, as `db.controlWithKeys` says. */
const BUCKET = 0

const operatorKey = ({ fingerprint, idempotencyKey: key }: CallOf['admin']): IdempotencyKey | undefined =>
  key === undefined ? undefined : { bucket: BUCKET, envId: '', fingerprint, key, userId: '' }

/** Executes a request in a transaction, once for each `Idempotency-Key`. Answers are stored, so they contain no secret. */
export const runOperatorRequest = (
  db: Db,
  call: CallOf['admin'],
  work: (tx: Tx) => Promise<Answer>
): Promise<Answer> => runOnce(db.controlWithKeys, operatorKey(call), work)
