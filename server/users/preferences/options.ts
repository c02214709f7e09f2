// The frequencies that a user can choose for a channel of a type: enabled ones only, because legacy clients
// offer every key that they find.

import { DELIVERIES, type Channel, type Delivery, type DeliveryOptions } from '#protocol'

import type { NotificationType } from '../../types/type.ts'

/** Offered unless the type disables them. Digests are offered only if the type enables them. */
const OFFERED_BY_DEFAULT: readonly Delivery[] = ['off', 'instant']

/**
 * Frequencies in use are always offered: back ends and links in emails can choose frequencies that the type does not offer.
 *
 * @param usual - without a preference of the user
 * @param current - effective ones, of the type and of its sub-notifications
 */
export function frequencyOptions(
  { settings }: Pick<NotificationType, 'settings'>,
  channel: Channel,
  usual: Delivery,
  current: ReadonlySet<Delivery>
): DeliveryOptions {
  const configured: { readonly [name: string]: unknown } = settings.options[channel] ?? {}
  const offered: { [D in Delivery]?: Readonly<Record<string, unknown>> } = {}
  for (const delivery of channel === 'INAPP_WEB' ? OFFERED_BY_DEFAULT : DELIVERIES) {
    const option = configured[delivery] as Readonly<Record<string, unknown>> | undefined
    const isOffered = option ? option['enabled'] !== false : OFFERED_BY_DEFAULT.includes(delivery)
    if (isOffered || delivery === usual || current.has(delivery))
      offered[delivery] = { ...option, enabled: true }
  }
  return { defaultDeliveryOption: usual, ...offered }
}

/** The frequency of a channel that is switched on: the first one that is not off. */
export const firstEnabledFrequency = (options: DeliveryOptions): Delivery =>
  DELIVERIES.find(delivery => delivery !== 'off' && options[delivery]) ?? 'instant'
