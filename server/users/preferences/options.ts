// What a user may choose for a channel of a type (spec/wire.md 7.3): only what is enabled, because existing clients
// offer every key that they find.

import { DELIVERIES, type Channel, type Delivery } from '#protocol'

import type { NotificationType } from '../../types/type.ts'

/** `{ defaultDeliveryOption, <delivery>: { enabled: true, … }, … }`. */
export type Options = { readonly defaultDeliveryOption: Delivery } & {
  readonly [D in Delivery]?: Readonly<Record<string, unknown>>
}

/** Offered unless the type switches it off; digests only where it switches them on. */
const BASE: readonly Delivery[] = ['off', 'instant']

/**
 * Always among the choices is what the user sees: callers may choose what the type does not offer, and so may links in mails.
 *
 * @param usual - what comes when the user says nothing
 * @param now - what applies, to the type and to its sub-notifications
 */
export function optionsFor(
  { settings }: Pick<NotificationType, 'settings'>,
  channel: Channel,
  usual: Delivery,
  now: ReadonlySet<Delivery>
): Options {
  const named: { readonly [name: string]: unknown } = settings.options[channel] ?? {}
  const offered: { [D in Delivery]?: Readonly<Record<string, unknown>> } = {}
  for (const delivery of channel === 'INAPP_WEB' ? BASE : DELIVERIES) {
    const said = named[delivery] as Readonly<Record<string, unknown>> | undefined
    const isOffered = said ? said['enabled'] !== false : BASE.includes(delivery)
    if (isOffered || delivery === usual || now.has(delivery)) offered[delivery] = { ...said, enabled: true }
  }
  return { defaultDeliveryOption: usual, ...offered }
}

/** What switching a channel on means: the first choice that is not off. */
export const firstChoice = (options: Options): Delivery =>
  DELIVERIES.find(delivery => delivery !== 'off' && options[delivery]) ?? 'instant'
