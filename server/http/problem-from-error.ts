// Turns a thrown error into the problem that the client gets.

import { classifyFailure } from '../db/failure.ts'
import { Problem } from './problem.ts'

const RETRY_IN_1_S = { headers: { 'retry-after': '1' } }
const RETRY_IN_5_S = { headers: { 'retry-after': '5' } }

const PROBLEMS = {
  unavailable: [
    'unavailable',
    'The database does not answer. Retry in 5 seconds, with the same Idempotency-Key.',
    RETRY_IN_5_S
  ],
  conflict: [
    'unavailable',
    'Other requests are changing the same data. Retry in a second, with the same Idempotency-Key.',
    RETRY_IN_1_S
  ],
  full: [
    'storage-full',
    'The database has no space left, so nothing was stored. Retry when the operator has made room.',
    RETRY_IN_5_S
  ],
  standby: [
    'unavailable',
    'The database is read-only at the moment. Retry in 5 seconds, with the same Idempotency-Key.',
    RETRY_IN_5_S
  ],
  unknown: ['internal', 'The request failed. Quote the instance when you report this.', {}],
  value: [
    'invalid-request',
    'A value cannot be stored: a number is out of range, or a text is not valid Unicode.',
    {}
  ]
} as const

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const [type, detail, options] = PROBLEMS[classifyFailure(error) ?? 'unknown']
  return new Problem(type, detail, { ...options, cause: error })
}
