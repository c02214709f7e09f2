// What a provider's answer over HTTP means. What it says itself about the message counts first, then the status.

import { parseRetryAfter } from '../../core/retry-after.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import type { Outcome } from '../../queue/outcome.ts'
import { objectIn } from './signature.ts'

export type Body = Readonly<Record<string, unknown>>

export interface Reader {
  /** The provider's id of what it has taken; undefined: this is no answer of the provider. `body`: undefined for no JSON object. */
  readonly ref: (body: Body | undefined, text: string) => string | undefined
  /** Its own code and words for an error; undefined: this is no answer of the provider. */
  readonly fault: (body: Body) => { readonly code: string; readonly detail: string } | undefined
  /** Codes of errors that concern the account or come from elsewhere, and pass. */
  readonly passing?: ReadonlySet<string>
}

/** Statuses about the account or the address that we call, whatever the message is. */
const ACCOUNT = new Set([401, 402, 403, 404, 405, 407])

/** Something else than the provider has answered, or the account is wrong: no message fares better. */
export const isForAll = (status: number): boolean => status < 400 || ACCOUNT.has(status)

/**
 * Of an answer that is not the provider's. A proxy that filters refuses what one message says in this way: that one must not
 * hold up the others for ever, and where it is all of them the queue rests soon enough.
 *
 * @returns undefined: the status says nothing more than what it always does
 */
export const fateElsewhere = (status: number): 'pause' | 'retry' | undefined => {
  if (status === 403 || status === 405) return 'retry'
  return isForAll(status) ? 'pause' : undefined
}

export function outcomeOf(result: OutboundResult, reader: Reader, now: number): Outcome {
  if (!result.ok) {
    const { code, detail, reached } = result
    return { code, detail, kind: reached ? 'uncertain' : 'pause' }
  }
  const { body, headers, status } = result
  const object = objectIn(body)
  if (status >= 200 && status < 300) {
    const ref = reader.ref(object, body.toString())
    if (ref) return { kind: 'sent', ref: ref.slice(0, 200) }
    return { code: 'unreadable', detail: `Status ${status} without an id.`, kind: 'uncertain' }
  }
  const fault = object && reader.fault(object)
  const { code, detail } = fault ?? { code: String(status), detail: `Status ${status}.` }
  const after = parseRetryAfter(headers['retry-after'], now)
  const wait = after === undefined ? {} : { after }
  if (isForAll(status) || status === 429) return { code, detail, kind: 'pause', ...wait }
  // A gateway between us and the provider does not know what became of it.
  const unknown = status === 408 || (status >= 500 && status !== 503 && !fault)
  if (unknown) return { code, detail, kind: 'uncertain' }
  const passes = status >= 500 || reader.passing?.has(code)
  return passes ? { code, detail, kind: 'retry', ...wait } : { code, detail, kind: 'dead' }
}
