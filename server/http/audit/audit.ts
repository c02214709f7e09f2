// Audits calls of operators: each is stored before it is executed, and its answer before it is sent.

import type { Clock } from '../../core/clock.ts'
import { uuidv7 } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { Problem, toProblem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { insertAnswer, insertCall, type AuditedCall } from './audit.sql.ts'

/** Name of the owner of the admin token, which changes with the token. @param tokenHash - sha256 of the token */
export const adminActor = (tokenHash: Buffer): string => `admin:${tokenHash.toString('hex', 0, 4)}`

export interface Audit {
  /**
   * Executes a call, with a row before and a row after.
   *
   * @param userDigest - returns the user that the body named, if the address names none
   * @throws Problem `unavailable` if one of the rows cannot be written. Without the first row, the call is not executed; without the
   *   second one, its answer is not sent
   */
  run(call: AuditedCall, work: () => Promise<Answer>, userDigest?: () => string | undefined): Promise<Answer>
}

/** Entries belong to no user, so their ids name no bucket. */
const NO_PLACEMENT = 0

/** Client ids are shorter, so a longer one exists nowhere. */
const MAX_CLIENT_ID_CHARACTERS = 255

const refuse =
  (what: string) =>
  (cause: unknown): never => {
    throw new Problem(
      'unavailable',
      `The audit log cannot be written, so ${what}. Retry in 5 seconds, with the same Idempotency-Key.`,
      { cause, headers: { 'retry-after': '5' } }
    )
  }

const refuseCall = refuse('calls with the admin token are refused')
const withholdAnswer = refuse('the answer to the executed call is withheld')

/** Returns the client id of an environment that the call created. */
const clientIdIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'clientId' in body && typeof body.clientId === 'string'
    ? body.clientId
    : undefined

/** @param clock - of the database, as its times are those of the entries */
export function openAudit(db: Db, clock: Clock): Audit {
  return {
    async run(call, work, userDigest = () => undefined) {
      const id = uuidv7(NO_PLACEMENT, clock())
      // Postgres stores no NUL.
      const clientId = call.clientId?.replaceAll('\0', '').slice(0, MAX_CLIENT_ID_CHARACTERS)
      await insertCall(db, id, { ...call, clientId }).catch(refuseCall)
      const end = (status: number, created?: string): Promise<void> =>
        insertAnswer(db, id, {
          clientId: clientId === undefined ? created : undefined,
          status,
          userDigest: call.userDigest === undefined ? userDigest() : undefined
        }).catch(withholdAnswer)
      let answer: Answer
      try {
        answer = await work()
      } catch (error) {
        await end(toProblem(error).status)
        throw error
      }
      await end(answer.status, clientIdIn(answer.body))
      return answer
    }
  }
}
