// One attempt to close a push on a phone: best effort, with few attempts and without a dead letter.

import type { DatabaseGroup } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { Outcome } from '../queue/outcome.ts'
import type { Attempt } from '../queue/queue-job.ts'
import type { CloseBody } from '../send/after-read/close-body.ts'
import { forgetDevice } from '../users/devices.sql.ts'
import type { Channel } from './channel.ts'

const MAX_ATTEMPTS = 3

export async function closePush<Message>(
  { buildClose, provider }: Channel<Message>,
  { bucket, envId, id, userId }: ClaimedRow,
  body: CloseBody,
  group: DatabaseGroup,
  attempt: Attempt
): Promise<Outcome> {
  if (!buildClose) return { code: 'unsupported', detail: 'The channel cannot close messages.', kind: 'gone' }
  if (attempt.isTooLate()) return { kind: 'late' }
  const content = { ...body, template: null }
  const delivery = { body: content, bucket, envId, id, send: {}, sendId: body.close, userId }
  const outcome = await provider.send(buildClose(body), delivery, attempt)
  if (outcome.kind === 'gone') {
    await forgetDevice(group, delivery, { kind: body.device.kind, to: body.to }, outcome.asOf)
  }
  if (outcome.kind === 'sent' || outcome.kind === 'pause' || !('code' in outcome) || !outcome.code)
    return outcome
  const isOver = outcome.kind === 'dead' || attempt.number >= MAX_ATTEMPTS
  return isOver ? { code: outcome.code, detail: outcome.detail, kind: 'gone' } : outcome
}
