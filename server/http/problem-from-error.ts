// From whatever was thrown to the problem that the caller sees.

import { classifyFailure } from '../db/failure.ts'
import { Problem } from './problem.ts'

/** Seconds after which a caller may try again. */
const SOON = { headers: { 'retry-after': '1' } }
const LATER = { headers: { 'retry-after': '5' } }

const PROBLEMS = {
  unavailable: ['unavailable', 'The database does not answer. Please try again.', LATER],
  conflict: ['unavailable', 'Others are changing the same data. Please try again.', SOON],
  full: ['storage-full', 'Nothing was stored.', LATER],
  standby: ['unavailable', 'The database is read-only now. Please try again.', LATER],
  unknown: ['internal', 'The request failed. Quote the instance when you report this.', {}],
  value: ['invalid-request', 'A value cannot be stored: it is out of range or not text.', {}]
} as const

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const [type, detail, options] = PROBLEMS[classifyFailure(error) ?? 'unknown']
  return new Problem(type, detail, { ...options, cause: error })
}
