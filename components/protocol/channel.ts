// Names of channels and deliveries.

/** Every channel of the interface document, plus SLACK, which some clients of it know. */
export const CHANNELS = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK'] as const
export type Channel = (typeof CHANNELS)[number]

/** How often a type is sent on a channel: immediately, in a digest, or not at all. */
export const DELIVERIES = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'] as const
export type Delivery = (typeof DELIVERIES)[number]
