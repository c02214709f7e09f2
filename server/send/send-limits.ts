// Checks the limits of a send that its schema cannot hold, because they depend on the clock, on bytes or on a setting.

import type { Config } from '../config/config.ts'
import { pointerOf } from '../http/parse-input.ts'
import type { FieldProblem } from '../http/problem.ts'
import { encodedSize } from './attachments/size.ts'
import type { SendBody } from './schema.ts'

export type SendLimits = Pick<Config, 'emailMaxBytes'>

/** apns-collapse-id (Apple, "Sending notification requests to APNs"). */
const MAX_COLLAPSE_ID_BYTES = 64

/** Four weeks, the longest that FCM keeps a message. */
const MAX_TTL_SECONDS = 2_419_200

/** A year and a leap day. */
const MAX_SCHEDULE_DAYS = 366

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
  if (schedule !== undefined && Date.parse(schedule) > now + MAX_SCHEDULE_DAYS * DAY) {
    wrong(`Expected at most ${MAX_SCHEDULE_DAYS} days from now.`, 'schedule')
  }
  const { collapseId = '' } = options?.apn ?? {}
  if (Buffer.byteLength(collapseId) > MAX_COLLAPSE_ID_BYTES) {
    wrong(`Expected at most ${MAX_COLLAPSE_ID_BYTES} bytes of UTF-8.`, 'options', 'apn', 'collapseId')
  }
  const { ttl = 0 } = options?.fcm?.android ?? {}
  if (ttl > MAX_TTL_SECONDS) {
    wrong(`Expected at most ${MAX_TTL_SECONDS} seconds.`, 'options', 'fcm', 'android', 'ttl')
  }
  // Files by address are counted when they are there.
  const files = options?.email?.attachments ?? []
  const bytes = files.reduce(
    (sum, file) => sum + ('content' in file ? encodedSize(file.content.length) : 0),
    0
  )
  if (bytes > limits.emailMaxBytes) {
    const detail = `Encoded for a mail they have ${bytes} bytes, at most ${limits.emailMaxBytes} are allowed.`
    wrong(detail, 'options', 'email', 'attachments')
  }
  return faults
}
