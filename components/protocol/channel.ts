// The words for where a notification goes and how often.

/** Every channel of the interface document, plus SLACK, which some clients of it know. */
export const CHANNELS = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK'] as const
export type Channel = (typeof CHANNELS)[number]

/** How often a user wants a type on a channel: at once, in a digest, or not at all. */
export const DELIVERIES = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'] as const
export type Delivery = (typeof DELIVERIES)[number]
