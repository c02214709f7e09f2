// The provider of SMS and calls, as the configuration says.

import type { Config } from '../../config/config.ts'
import { chooseSmsProvider, type PhoneConfig, type PhoneProviderName } from '../../config/phone.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import { withoutTrailingSlash } from '../../http/path-prefix.ts'
import { openOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { Provider } from '../channel.ts'
import { sandbox } from '../sandbox/provider.ts'
import { keepingWords } from './call-text.ts'
import type { CallMessage, Phone, PhoneKit, SmsMessage } from './phone-provider.ts'
import { plivo } from './plivo.ts'
import { twilio } from './twilio.ts'
import { vonage } from './vonage.ts'
import { webhook } from './webhook.ts'

const PHONES: Readonly<Record<PhoneProviderName, (context: PhoneKit) => Phone>> = {
  plivo,
  twilio,
  vonage,
  webhook
}

export interface PhoneOptions {
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  /** The guarded one. */
  readonly outbound: Outbound
}

/** Undefined: none is configured. */
export function openPhone({ clock, config, outbound }: Omit<PhoneOptions, 'db'>): Phone | undefined {
  const name = chooseSmsProvider(config)
  return name && PHONES[name]({ clock, config, outbound, provider: openOutbound({ config, trusted: true }) })
}

export const smsProvider = (options: PhoneOptions): Provider<SmsMessage> =>
  openPhone(options)?.sms ?? sandbox(options.db, 'SMS')

export function callProvider(options: PhoneOptions): Provider<CallMessage> {
  const phone = openPhone(options)
  if (!phone) return sandbox(options.db, 'CALL')
  return phone.say ? keepingWords(options.db, phone.call) : phone.call
}

/** Address of ours that a provider is given; undefined where nobody can reach us. */
export const place = (config: PhoneConfig, path: string): string | undefined => {
  const name = chooseSmsProvider(config)
  if (config.publicUrl === undefined || name === undefined) return undefined
  return `${withoutTrailingSlash(config.publicUrl)}/callbacks/${name}/${path}`
}

/** Where a provider reports what became of a send's message or call; undefined where nobody can reach us. */
export const statusUrl = (config: PhoneConfig, channel: 'sms' | 'call', sendId: string): string | undefined =>
  place(config, `${channel}/${sendId}`)

/** Where a provider that asks gets the words of a call. */
export const answerUrl = (config: PhoneConfig, deliveryId: string): string | undefined =>
  place(config, `answer/${deliveryId}`)
