// Decides what a refusal of Firebase means for the message, the device and the queue.
//
// https://firebase.google.com/docs/cloud-messaging/error-codes

import type { Outcome } from '../../../queue/outcome.ts'
import { classifyForeignStatus, parseJsonObject, readText } from '../../provider-answer.ts'

export interface FcmRefusal {
  readonly status: number
  /** Error code of Firebase, else of Google's APIs, else the status. */
  readonly code: string
  readonly detail: string
  /** Names of the invalid fields. */
  readonly fields: readonly string[]
  readonly retryAfterMs: number | undefined
}

const toList = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(Object) : []

/** Reads Google's error model: https://cloud.google.com/apis/design/errors. A proxy may answer in another format. */
export function readRefusal(status: number, body: Buffer, retryAfterMs: number | undefined): FcmRefusal {
  const error = Object(parseJsonObject(body)?.['error']) as Readonly<Record<string, unknown>>
  const details = toList(error['details'])
  const errorCode = details.map(detail => detail['errorCode']).find(code => typeof code === 'string')
  return {
    code: errorCode ?? (readText(error, 'status') || String(status)),
    detail: readText(error, 'message') || `Firebase answered ${status}.`,
    fields: details
      .flatMap(({ fieldViolations }) => toList(fieldViolations))
      .map(({ field }) => String(field)),
    retryAfterMs,
    status
  }
}

/** Returns `gone`, which deletes the device, only if its token will never work again. */
export function toOutcome({ status, code, detail, fields, retryAfterMs }: FcmRefusal): Outcome {
  const failure = { code, detail }
  const isAboutToken = fields.includes('message.token') || /registration token/i.test(detail)
  const foreignKind = code === String(status) ? classifyForeignStatus(status) : undefined
  if (foreignKind) return { ...failure, kind: foreignKind }
  if (code === 'UNREGISTERED') return { ...failure, kind: 'gone' }
  if (code === 'INVALID_ARGUMENT' && isAboutToken) return { ...failure, kind: 'gone' }
  // The token belongs to another project. The device stays, because NOTIF_FCM_ACCOUNT may be wrong.
  if (code === 'SENDER_ID_MISMATCH') return { ...failure, kind: 'dead' }
  // Firebase's credentials for Apple are wrong. Android devices still work, so the queue is not paused.
  if (code === 'THIRD_PARTY_AUTH_ERROR') return { ...failure, kind: 'retry' }
  if (status === 401 || status === 403) return { ...failure, kind: 'pause' }
  if (status === 429 || status === 503) return { ...failure, kind: 'pause', retryAfterMs }
  if (status >= 500) return { ...failure, kind: 'retry', retryAfterMs }
  return { ...failure, kind: 'dead' }
}
