// What every provider of SMS and calls does: sends both, and reads what the network reports back.

import type { IncomingHttpHeaders } from 'node:http'

import type { PhoneConfig } from '../../config/phone.ts'
import type { Clock } from '../../core/clock.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Provider } from '../channel.ts'

export interface SmsMessage {
  /** E.164. */
  readonly to: string
  /** Number or name; absent: that of the provider's own settings. */
  readonly from?: string
  readonly text: string
  /** Absolute addresses of pictures. */
  readonly mediaUrls: readonly string[]
  /** The same for every try. */
  readonly reference: string
  /** Where the network's reports go; absent: nobody could reach us there. */
  readonly statusUrl?: string
}

export interface CallMessage {
  /** E.164. */
  readonly to: string
  readonly from?: string
  /** What is said. */
  readonly text: string
  /** BCP 47. */
  readonly language: string
  readonly reference: string
  readonly statusUrl?: string
  /** Where a provider that asks gets what to say. */
  readonly answerUrl?: string
}

/** A request of the provider to us, as it came. */
export interface CallBack {
  /** As the provider was given it, with its query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Report =
  /** What became of a message or call. */
  | {
      readonly kind: 'receipt'
      readonly outcome: 'delivered' | 'undelivered'
      readonly ref: string
      readonly code?: string
      readonly detail?: string
    }
  /** Somebody answered. */
  | { readonly kind: 'inbound'; readonly id: string; readonly from: string; readonly text: string }
  /** Not the last word, or nothing that concerns us. */
  | { readonly kind: 'other' }

export interface PhoneKit {
  readonly clock: Clock
  readonly config: PhoneConfig
  /** The way to the provider, whose address is a setting. */
  readonly provider: Outbound
  /** The guarded one. */
  readonly outbound: Outbound
}

export interface Phone {
  readonly sms: Provider<SmsMessage>
  readonly call: Provider<CallMessage>
  /** Undefined: its signature is wrong. Never throws. */
  read(callBack: CallBack): Report | undefined
  /** Content type and body that say a text, for a provider that asks when the phone is picked up. */
  readonly say?: (text: string, language: string) => { readonly type: string; readonly body: string }
}

export const OTHER: Report = { kind: 'other' }
