// What the providers of SMS and calls have in common: messages, callbacks and their signatures, and spoken text.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { PhoneConfig } from '../../config/phone.ts'
import type { Clock } from '../../core/clock.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Provider } from '../channel.ts'

interface PhoneMessage {
  /** E.164. */
  readonly to: string
  /** Number or name. Default: that of the provider's account. */
  readonly from?: string
  readonly text: string
  /** The same for every attempt. */
  readonly reference: string
  /** Address for delivery receipts. Absent if `NOTIF_PUBLIC_URL` is not set. */
  readonly statusUrl?: string
}

export interface SmsMessage extends PhoneMessage {
  /** Absolute addresses of pictures. */
  readonly mediaUrls: readonly string[]
}

export interface CallMessage extends PhoneMessage {
  /** BCP 47. */
  readonly language: string
  /** Address at which some providers request the text when the call is answered. */
  readonly answerUrl?: string
}

/** A request of the provider to this server. */
export interface Callback {
  /** The address as the provider was given it, and the query of the request. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Report =
  | {
      readonly kind: 'receipt'
      readonly outcome: 'delivered' | 'undelivered'
      readonly ref: string
      readonly code?: string
      readonly detail?: string
    }
  /** A user replied to a message. */
  | { readonly kind: 'inbound'; readonly id: string; readonly from: string; readonly text: string }
  /** A status that is not final, or unknown. */
  | { readonly kind: 'other' }

export interface SignedReport {
  readonly report: Report
  /** Bytes of the verified signature: the same for every replay of the callback. */
  readonly signature: Buffer
  /** False if the signature is also valid for other bodies. */
  readonly isBodySigned: boolean
}

export const IGNORED_REPORT: Report = { kind: 'other' }

export interface PhoneContext {
  readonly clock: Clock
  readonly config: PhoneConfig
  /** For the provider's address, which is a setting. */
  readonly provider: Outbound
  /** The guarded HTTP client. */
  readonly outbound: Outbound
}

export interface PhoneProvider {
  readonly sms: Provider<SmsMessage>
  readonly call: Provider<CallMessage>
  /** Never throws. @returns undefined if the signature is wrong */
  readCallback(callback: Callback): SignedReport | undefined
  /** Answers a provider that requests the text of a call. */
  readonly toSpeech?: (text: string, language: string) => { readonly type: string; readonly body: string }
}

const DELIVERED_STATUSES = new Set(['delivered', 'read', 'completed'])
const UNDELIVERED_STATUSES = new Set([
  'busy',
  'cancel',
  'canceled',
  'cancelled',
  'failed',
  'no-answer',
  'rejected',
  'timeout',
  'unanswered',
  'undeliverable',
  'undelivered'
])

/** @param status - of a message or call; other statuses than the final ones of the providers, such as `queued`, are ignored */
export function toReceipt(
  ref: string,
  status: string,
  error: { readonly code?: string | undefined; readonly detail?: string | undefined }
): Report {
  if (DELIVERED_STATUSES.has(status)) return { kind: 'receipt', outcome: 'delivered', ref }
  if (!UNDELIVERED_STATUSES.has(status)) return IGNORED_REPORT
  const { code = status, detail } = error
  return { code, kind: 'receipt', outcome: 'undelivered', ref, ...(detail !== undefined && { detail }) }
}

export const computeHmac = (
  algorithm: 'sha1' | 'sha256',
  key: string | Buffer,
  data: string | Buffer
): Buffer => createHmac(algorithm, key).update(data).digest()

/** Compares a signature in constant time. @param given - a text that cannot be decoded does not match */
export function isSignature(
  given: string | string[] | undefined,
  expected: Buffer,
  encoding: 'base64' | 'base64url' | 'hex' = 'base64'
): boolean {
  const bytes = Buffer.from(String(given ?? ''), encoding)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** Escapes text for XML 1.0, without the characters that XML cannot contain (section 2.2). */
export const escapeXml = (text: string): string =>
  escapeHtml(
    text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
  )
    .replaceAll('&#34;', '&quot;')
    .replaceAll('&#39;', '&apos;')

/** Returns XML that reads a text aloud. Markup in the text is spoken and never executed. @param verb - `Say` (Twilio) or `Speak` (Plivo) */
export const toSpeechXml = (verb: 'Say' | 'Speak', text: string, language: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response><${verb} language="${escapeXml(language)}">${escapeXml(text)}</${verb}></Response>`
