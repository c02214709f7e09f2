// Idempotency-Key: executes requests with the same key once, and gives all of them the same answer. The row of a key is its lock.
//
// The answer is stored in the transaction that does the work. A crash before the commit leaves no key, so the repeated request does
// the work. A refused request (a thrown Problem) rolls back and stores no key either.
//
// Work of several transactions reserves the key first, and stores the answer at its end. A request that repeats it before does the
// work again, so each of these transactions has a key of its own.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import { insertKeys, primaryKey, readKeys, updateKeys, type IdempotencyKey } from './idempotency.sql.ts'
import { Problem } from './problem.ts'
import type { Answer, BackEndCall } from './route.ts'

export type { IdempotencyKey } from './idempotency.sql.ts'

export type KeyState =
  /** The caller does the work, or the rest of it if the key was reserved, then calls {@link storeAnswers}. */
  | { readonly state: 'new' }
  /** The request was executed before, with this answer. */
  | { readonly state: 'replay'; readonly answer: Answer }
  /** The same request as the one at position `of` of the same call: its answer, marked by {@link replayed}. */
  | { readonly state: 'twin'; readonly of: number }
  | { readonly state: 'reused' }

const REPLAYED = { 'idempotent-replayed': 'true' }

export const replayed = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...REPLAYED }
})

export const keyReused = (): Problem =>
  new Problem('idempotency-key-reused', 'Another request used this Idempotency-Key. Use a new key.')

/** @returns undefined if the call has no Idempotency-Key */
export function idempotencyKeyOf(
  call: Pick<BackEndCall, 'env' | 'fingerprint' | 'idempotencyKey'>,
  userId: string,
  bucket: number
): IdempotencyKey | undefined {
  if (call.idempotencyKey === undefined) return undefined
  return { bucket, envId: call.env.id, fingerprint: call.fingerprint, key: call.idempotencyKey, userId }
}

/**
 * Acquires the keys, in the first statement of a transaction. Waits for other transactions that hold one of them.
 *
 * @param keys - of one database group
 * @returns the state of each key, in the same order
 */
export async function acquireKeys(tx: Tx, keys: readonly IdempotencyKey[]): Promise<KeyState[]> {
  if (keys.length === 0) return []
  const states: KeyState[] = []
  const firstOf = new Map<string, number>()
  const first: number[] = []
  const rivals: { readonly i: number; readonly of: number }[] = []
  for (const [i, key] of keys.entries()) {
    const of = firstOf.get(primaryKey(key))
    if (of === undefined) {
      firstOf.set(primaryKey(key), i)
      first.push(i)
    } else if (keys[of]!.fingerprint.equals(key.fingerprint)) states[i] = { of, state: 'twin' }
    else rivals.push({ i, of })
  }
  await readStates(tx, keys, first, states)
  for (const { i, of } of rivals) if (states[of]!.state === 'new') states[i] = { state: 'reused' }
  // If the key is stored already, any of these requests may be the one that stored it.
  const others = rivals.filter(({ of }) => states[of]!.state !== 'new').map(({ i }) => i)
  if (others.length > 0) await readStates(tx, keys, others, states)
  return states
}

/** Inserts the keys at the given positions, and sets their states. */
async function readStates(
  tx: Tx,
  keys: readonly IdempotencyKey[],
  positions: readonly number[],
  states: KeyState[]
): Promise<void> {
  const inserted = await insertKeys(
    tx,
    positions.map(i => keys[i]!)
  )
  const old: number[] = []
  for (const [position, i] of positions.entries()) {
    if (inserted.has(position)) states[i] = { state: 'new' }
    else old.push(i)
  }
  if (old.length === 0) return
  const stored = await readKeys(
    tx,
    old.map(i => keys[i]!)
  )
  const deleted: number[] = []
  for (const [position, i] of old.entries()) {
    const record = stored[position]
    if (record === undefined) deleted.push(i)
    else if (!record.fingerprint.equals(keys[i]!.fingerprint)) {
      states[i] = { state: 'reused' }
    } else if (record.status === null) {
      states[i] = { state: 'new' }
    } else {
      const body = record.response === undefined ? {} : { body: record.response }
      states[i] = { answer: replayed({ status: record.status, ...body }), state: 'replay' }
    }
  }
  // Housekeeping deleted these keys between the two statements, so they can be inserted.
  if (deleted.length > 0) await readStates(tx, keys, deleted, states)
}

/** Stores the answers, in the last statement of the same transaction, for every key whose state was `new`. */
export async function storeAnswers(
  tx: Tx,
  answers: readonly { readonly key: IdempotencyKey; readonly answer: Answer }[]
): Promise<void> {
  if (answers.length === 0) return
  await updateKeys(
    tx,
    answers.map(({ key, answer }) => ({
      key,
      response: answer.body === undefined ? null : JSON.stringify(answer.body),
      status: answer.status
    }))
  )
}

/**
 * Stores the key before its work begins, so that no other request can use it.
 *
 * @returns the answer, if the work was done before
 * @throws Problem `idempotency-key-reused`
 */
export async function reserveKey(group: DatabaseGroup, key: IdempotencyKey): Promise<Answer | undefined> {
  const [acquired] = await transact(group, tx => acquireKeys(tx, [key]))
  if (acquired?.state === 'replay') return acquired.answer
  if (acquired?.state !== 'new') throw keyReused()
  return undefined
}

/** Stores the answer of a key that {@link reserveKey} stored. */
export const answerKey = (group: DatabaseGroup, key: IdempotencyKey, answer: Answer): Promise<void> =>
  transact(group, tx => storeAnswers(tx, [{ answer, key }]))

/** The key of a part of a request: a header cannot contain its line break, so no other request has it. */
export const partOfKey = (whole: IdempotencyKey, part: number, owner: UserKey): IdempotencyKey => ({
  ...owner,
  fingerprint: whole.fingerprint,
  key: `${whole.key}\n${part}`
})

/**
 * Runs `work` in a transaction of the group, once per key. Repeats the transaction after a conflict with another one.
 *
 * @param key - undefined: every call does the work
 * @throws Problem `idempotency-key-reused`, or any error of `work`, which then stores nothing
 */
export async function runOnce(
  group: Pick<DatabaseGroup, 'sql'>,
  key: IdempotencyKey | undefined,
  work: (tx: Tx) => Promise<Answer>
): Promise<Answer> {
  return transact(group, tx => runInTransaction(tx, key, work))
}

async function runInTransaction(
  tx: Tx,
  key: IdempotencyKey | undefined,
  work: (tx: Tx) => Promise<Answer>
): Promise<Answer> {
  if (key === undefined) return work(tx)
  const [acquired] = await acquireKeys(tx, [key])
  if (acquired?.state === 'replay') return acquired.answer
  if (acquired?.state !== 'new') throw keyReused()
  const answer = await work(tx)
  await storeAnswers(tx, [{ answer, key }])
  return answer
}
