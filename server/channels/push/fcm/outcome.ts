// What Firebase answers, and what follows for the message, the device and the queue.

import type { Outcome } from '../../../queue/outcome.ts'
import { fateElsewhere } from '../../sms-call/provider-answer.ts'
import { objectIn } from '../../sms-call/signature.ts'

export interface FcmRefusal {
  readonly status: number
  /** Firebase's own code where it gave one, otherwise that of Google's interfaces. */
  readonly code: string
  readonly detail: string
  /** Names of the fields that are wrong. */
  readonly fields: readonly string[]
  /** Milliseconds that Google asked for. */
  readonly after: number | undefined
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(Object) : []

/** Google's error model (google.rpc.Status with details), as far as it is one. */
export function refusalOf(status: number, body: Buffer, after: number | undefined): FcmRefusal {
  // A proxy in between speaks HTML.
  const error = Object(objectIn(body)?.['error']) as Readonly<Record<string, unknown>>
  const { message, status: word } = error
  const details = listOf(error['details'])
  const code = details.map(({ errorCode }) => errorCode).find(one => typeof one === 'string') ?? word
  return {
    after,
    code: typeof code === 'string' ? code : String(status),
    detail: typeof message === 'string' ? message : `Firebase answered ${status}.`,
    fields: details
      .flatMap(({ fieldViolations }) => listOf(fieldViolations))
      .map(({ field }) => String(field)),
    status
  }
}

/** Pure. A device is forgotten only by what says that its token will never work again. */
export function outcomeOf({ status, code, detail, fields, after }: FcmRefusal): Outcome {
  const said = { code, detail }
  const wait = after === undefined ? {} : { after }
  const aboutToken = fields.includes('message.token') || /registration token/i.test(detail)
  // Without a word of Google's: a wrong address, or a proxy.
  const kind = code === String(status) ? fateElsewhere(status) : undefined
  if (kind) return { ...said, kind }
  if (code === 'UNREGISTERED') return { ...said, kind: 'gone' }
  if (code === 'INVALID_ARGUMENT' && aboutToken) return { ...said, kind: 'gone' }
  // A token of another project: it may be ours that is configured wrongly.
  if (code === 'SENDER_ID_MISMATCH') return { ...said, kind: 'dead' }
  // Firebase's own key for Apple: devices of Google work all the same.
  if (code === 'THIRD_PARTY_AUTH_ERROR') return { ...said, kind: 'retry' }
  if (status === 401 || status === 403) return { ...said, kind: 'pause' }
  if (status === 429 || status === 503) return { ...said, ...wait, kind: 'pause' }
  if (status >= 500) return { ...said, ...wait, kind: 'retry' }
  return { ...said, kind: 'dead' }
}
