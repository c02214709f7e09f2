// Finds where a send reaches its user: contact details, time zone, addresses and devices. Pure.

import type { Channel } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment-settings.ts'
import { MALFORMED } from '../../core/contact.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { Device, DeviceInfo } from '../../users/device.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { Recipient } from '../send-request.ts'

/** Adds stored contact details where the send has none. */
export function mergeStoredContact(
  to: Recipient,
  { email, number, slack, timezone, locale }: Contact
): Recipient {
  const { slackChannel = slack?.channel, ...given } = to
  return {
    ...(email !== undefined && { email }),
    ...(number !== undefined && { number }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...given,
    // Without a Slack connection no message can be posted.
    ...(slack && slackChannel !== undefined && { slackChannel })
  }
}

/**
 * @param own - time zone of the send, or the stored one of the user; IANA name
 * @param serverZone - time zone of the installation (NOTIF_TIMEZONE)
 */
export const resolveTimeZone = (
  own: string | undefined,
  { defaultTimezone }: Pick<EnvironmentSettings, 'defaultTimezone'>,
  serverZone: string
): string => own ?? defaultTimezone ?? serverZone

/** Language and time zone that are stored for the user and missing in the send. */
export type StoredReader = Pick<Recipient, 'locale' | 'timezone'>

export function storedReader(
  to: Recipient,
  { locale, timezone }: Pick<Contact, 'locale' | 'timezone'>,
  fallbackZone: string
): { readonly reader?: StoredReader } {
  const zone = timezone ?? fallbackZone
  const reader = {
    ...(locale !== undefined && to.locale === undefined && { locale }),
    // Templates write dates in UTC by default.
    ...(zone !== 'UTC' && to.timezone === undefined && { timezone: zone })
  }
  return 'locale' in reader || 'timezone' in reader ? { reader } : {}
}

export interface Target {
  readonly to: string
  readonly device?: DeviceInfo
}

/** @returns one target, one for each device, or none if the channel does not reach the user */
export function resolveTargets(channel: Channel, user: Recipient, devices: readonly Device[]): Target[] {
  if (channel === 'PUSH' || channel === 'WEB_PUSH') {
    return devices
      .filter(({ kind }) => (kind === 'web') === (channel === 'WEB_PUSH'))
      .map(({ to, ...device }) => ({ device, to }))
  }
  const to = resolveAddress(channel, user)
  return to === undefined ? [] : [{ to }]
}

function resolveAddress(channel: Channel, user: Recipient): string | undefined {
  if (channel === 'EMAIL') return user.email
  if (channel === 'SMS' || channel === 'CALL') return user.number
  if (channel === 'SLACK') return user.slackChannel
  return user.id
}

/** Whether the send gives an address for the channel that is malformed. The stored one is not used instead. */
export const hasMalformedAddress = (channel: Channel, user: Recipient): boolean =>
  resolveAddress(channel, user) === MALFORMED

/** The queue of a channel has the name of the channel; mobile push has a queue for each provider. */
export const deliveryQueue = (channel: Channel, { device }: Target): QueueName =>
  channel === 'PUSH' ? (device?.kind === 'apn' ? 'APN' : 'FCM') : (channel as QueueName)

export const isBounced = (channel: Channel, { to }: Target, { bounce }: Contact): boolean =>
  channel === 'EMAIL' && bounce?.address === to.toLowerCase()

/** @returns date and code of the bounce, for the sentence about it; undefined if nothing bounced */
export const describeBounce = ({ bounce }: Contact): string | undefined =>
  bounce && ` on ${bounce.at.slice(0, 10)} (${bounce.code})`
