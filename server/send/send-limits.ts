// The limits of a send (spec/interface.md "Limits") that its schema cannot hold, because each is a setting.

import type { Config } from '../config/config.ts'
import { pointerOf } from '../http/parse-input.ts'
import type { FieldProblem } from '../http/problem.ts'
import { encodedSize } from './attachments/size.ts'
import type { SendBody } from './schema.ts'

export type SendLimits = Pick<
  Config,
  'collapseIdBytes' | 'emailBytes' | 'mergeTagsLimit' | 'mergeTagsWarn' | 'scheduleLimitDays' | 'ttlSeconds'
>

const DAY = 86_400_000

/** @param now - milliseconds since 1970 */
export function limitFaults(
  { options, schedule }: SendBody,
  limits: SendLimits,
  now: number
): FieldProblem[] {
  const faults: FieldProblem[] = []
  const wrong = (detail: string, ...path: string[]): void => {
    faults.push({ detail, pointer: pointerOf(path) })
  }
  if (schedule !== undefined && Date.parse(schedule) > now + limits.scheduleLimitDays * DAY) {
    wrong(`Expected at most ${limits.scheduleLimitDays} days from now.`, 'schedule')
  }
  const { collapseId = '' } = options?.apn ?? {}
  if (Buffer.byteLength(collapseId) > limits.collapseIdBytes) {
    wrong(`Expected at most ${limits.collapseIdBytes} bytes of UTF-8.`, 'options', 'apn', 'collapseId')
  }
  const { ttl = 0 } = options?.fcm?.android ?? {}
  if (ttl > limits.ttlSeconds) {
    wrong(`Expected at most ${limits.ttlSeconds} seconds.`, 'options', 'fcm', 'android', 'ttl')
  }
  // Files by address are counted when they are there.
  const files = options?.email?.attachments ?? []
  const bytes = files.reduce(
    (sum, file) => sum + ('content' in file ? encodedSize(file.content.length) : 0),
    0
  )
  if (bytes > limits.emailBytes) {
    const detail = `Encoded for a mail they have ${bytes} bytes, at most ${limits.emailBytes} are allowed.`
    wrong(detail, 'options', 'email', 'attachments')
  }
  return faults
}
