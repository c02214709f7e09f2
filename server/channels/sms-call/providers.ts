// Opens the configured provider of SMS and calls, or the sandbox, and builds the addresses for its callbacks.

import type { Config } from '../../config/config.ts'
import { chooseSmsProvider, type PhoneConfig, type PhoneProviderName } from '../../config/phone.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import { withoutTrailingSlash } from '../../http/path-prefix.ts'
import { openOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { Provider } from '../channel.ts'
import { openSandbox } from '../sandbox/provider.ts'
import type { CallMessage, PhoneProvider, PhoneContext, SmsMessage } from './phone-provider.ts'
import { openPlivo } from './plivo.ts'
import { storeCallText } from './sms-call.sql.ts'
import { openTwilio } from './twilio.ts'
import { openVonage } from './vonage.ts'
import { openWebhook } from './webhook.ts'

const PROVIDERS: Readonly<Record<PhoneProviderName, (context: PhoneContext) => PhoneProvider>> = {
  plivo: openPlivo,
  twilio: openTwilio,
  vonage: openVonage,
  webhook: openWebhook
}

export interface PhoneOptions {
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  /** The guarded HTTP client. */
  readonly outbound: Outbound
}

/** @returns undefined if no provider is configured */
export function openPhoneProvider({
  clock,
  config,
  outbound
}: Omit<PhoneOptions, 'db'>): PhoneProvider | undefined {
  const name = chooseSmsProvider(config)
  return (
    name && PROVIDERS[name]({ clock, config, outbound, provider: openOutbound({ config, trusted: true }) })
  )
}

export const openSmsProvider = (options: PhoneOptions): Provider<SmsMessage> =>
  openPhoneProvider(options)?.sms ?? openSandbox(options.db, 'SMS')

export function openCallProvider(options: PhoneOptions): Provider<CallMessage> {
  const { db } = options
  const phone = openPhoneProvider(options)
  if (!phone) return openSandbox(db, 'CALL')
  if (!phone.toSpeech) return phone.call
  return {
    // Stores the text first, because the provider may request it from any node as soon as it knows the call.
    async send(message, delivery, attempt) {
      await storeCallText(db.of(delivery.bucket), delivery, message)
      return phone.call.send(message, delivery, attempt)
    }
  }
}

/** @returns an address for the provider, or undefined if `NOTIF_PUBLIC_URL` is not set */
export const callbackUrl = (config: PhoneConfig, path: string): string | undefined => {
  const name = chooseSmsProvider(config)
  if (config.publicUrl === undefined || name === undefined) return undefined
  return `${withoutTrailingSlash(config.publicUrl)}/callbacks/${name}/${path}`
}

/** @returns the address for delivery receipts of a send, or undefined if `NOTIF_PUBLIC_URL` is not set */
export const statusUrl = (config: PhoneConfig, channel: 'sms' | 'call', sendId: string): string | undefined =>
  callbackUrl(config, `${channel}/${sendId}`)

/** @returns the address for requests of the text of a call, or undefined if `NOTIF_PUBLIC_URL` is not set */
export const answerUrl = (config: PhoneConfig, deliveryId: string): string | undefined =>
  callbackUrl(config, `answer/${deliveryId}`)
