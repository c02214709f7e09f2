// Idempotency-Key: the same request twice is done once and answered twice. The key's row is its lock.
//
// The answer is stored in the transaction that does the work, so a crash before the commit leaves no key behind and
// the repeated request does the work. A refused request (a thrown Problem) rolls back and stores nothing either.

import type { Group, Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import { insertKeys, nameOf, readKeys, updateKeys, type Claim } from './idempotency.sql.ts'
import { Problem } from './problem.ts'
import type { Answer, BackEndCall } from './route.ts'

export type { Claim } from './idempotency.sql.ts'

export type Verdict =
  /** Do the work, then {@link storeAnswers}. */
  | { readonly state: 'new' }
  /** Done before: this is the answer. */
  | { readonly state: 'replay'; readonly answer: Answer }
  /** Answer as the claim at position `of` of the same call, with {@link replayed}. */
  | { readonly state: 'twin'; readonly of: number }
  /** The key belongs to another request. */
  | { readonly state: 'reused' }

const REPLAYED = { 'idempotent-replayed': 'true' }

/** The same answer, marked as a repetition. */
export const replayed = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...REPLAYED }
})

export const keyReused = (): Problem =>
  new Problem('idempotency-key-reused', 'Use a new Idempotency-Key for a new request.')

/** The claim of a call, or undefined where it brought no key. */
export function claimOf(
  call: Pick<BackEndCall, 'env' | 'fingerprint' | 'idempotencyKey'>,
  userId: string,
  bucket: number
): Claim | undefined {
  if (call.idempotencyKey === undefined) return undefined
  return { bucket, envId: call.env.id, fingerprint: call.fingerprint, key: call.idempotencyKey, userId }
}

/**
 * First statement of a transaction: takes the keys, waiting for whoever holds them. All claims are of one group.
 *
 * @returns a verdict for each claim, in the same order
 */
export async function claimKeys(tx: Tx, claims: readonly Claim[]): Promise<Verdict[]> {
  if (claims.length === 0) return []
  const verdicts: Verdict[] = []
  const leaders = new Map<string, number>()
  const asked: number[] = []
  const rivals: { readonly i: number; readonly of: number }[] = []
  for (const [i, claim] of claims.entries()) {
    const leader = leaders.get(nameOf(claim))
    if (leader === undefined) {
      leaders.set(nameOf(claim), i)
      asked.push(i)
    } else if (claims[leader]!.fingerprint.equals(claim.fingerprint))
      verdicts[i] = { of: leader, state: 'twin' }
    else rivals.push({ i, of: leader })
  }
  await ask(tx, claims, asked, verdicts)
  for (const { i, of } of rivals) if (verdicts[of]!.state === 'new') verdicts[i] = { state: 'reused' }
  // Where the key is older than all of them, any of them may be its request.
  const late = rivals.filter(({ of }) => verdicts[of]!.state !== 'new').map(({ i }) => i)
  if (late.length > 0) await ask(tx, claims, late, verdicts)
  return verdicts
}

async function ask(tx: Tx, claims: readonly Claim[], asked: number[], verdicts: Verdict[]): Promise<void> {
  const fresh = await insertKeys(
    tx,
    asked.map(i => claims[i]!)
  )
  const old: number[] = []
  for (const [position, i] of asked.entries()) {
    if (fresh.has(position)) verdicts[i] = { state: 'new' }
    else old.push(i)
  }
  if (old.length === 0) return
  const stored = await readKeys(
    tx,
    old.map(i => claims[i]!)
  )
  const vanished: number[] = []
  for (const [position, i] of old.entries()) {
    const known = stored[position]
    if (known === undefined) vanished.push(i)
    else if (!known.fingerprint.equals(claims[i]!.fingerprint)) {
      verdicts[i] = { state: 'reused' }
    } else {
      const body = known.response === undefined ? {} : { body: known.response }
      verdicts[i] = { answer: replayed({ status: known.status, ...body }), state: 'replay' }
    }
  }
  // House-keeping deleted them between the two statements: they are free again.
  if (vanished.length > 0) await ask(tx, claims, vanished, verdicts)
}

/** Last statement of the same transaction, for every claim whose verdict was `new`. */
export async function storeAnswers(
  tx: Tx,
  answers: readonly { readonly claim: Claim; readonly answer: Answer }[]
): Promise<void> {
  if (answers.length === 0) return
  await updateKeys(
    tx,
    answers.map(({ claim, answer }) => ({
      claim,
      response: answer.body === undefined ? null : JSON.stringify(answer.body),
      status: answer.status
    }))
  )
}

/**
 * Runs `work` in a transaction of the group, once for each key. Conflicts with other transactions are tried again.
 *
 * @param claim - undefined: every call does the work
 * @throws Problem `idempotency-key-reused`, and whatever `work` throws (nothing is kept then)
 */
export async function once(
  group: Group,
  claim: Claim | undefined,
  work: (tx: Tx) => Promise<Answer>
): Promise<Answer> {
  return transact(group, tx => attempt(tx, claim, work))
}

async function attempt(tx: Tx, claim: Claim | undefined, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  if (claim === undefined) return work(tx)
  const [verdict] = await claimKeys(tx, [claim])
  if (verdict?.state === 'replay') return verdict.answer
  if (verdict?.state !== 'new') throw keyReused()
  const answer = await work(tx)
  await storeAnswers(tx, [{ answer, claim }])
  return answer
}
