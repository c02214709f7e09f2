// Decisions about one channel of a send, and the sentence with which an answer explains each of them.

import type { Channel } from '#protocol'

export type Decision =
  /** Queued for delivery, or stored in the inbox. */
  | 'sent'
  /** Queued for delivery when the pause or the quiet hours of the user end. */
  | 'held'
  /** Waits for a digest, as the user prefers. */
  | 'digest'
  /** Was delivered in a digest. */
  | 'digested'
  /** Was retracted while it waited. */
  | 'retracted'
  /** Waits for its time, when it is planned again. */
  | 'scheduled'
  /** Waits as its type says (`escalate`), and is planned again when its time comes. */
  | 'delayed'
  /** The user dealt with the in-app notification before. */
  | 'cancelled'
  /** Its schedule was deleted. */
  | 'deleted'
  /** The type allows no more sends to this user for now (server/send/rate-control). */
  | 'throttled'
  /** The same content was sent to this user recently. */
  | 'deduplicated'
  | 'type-off'
  /** The send has content for a channel that the type does not include. */
  | 'not-in-type'
  | 'preference-off'
  | 'environment-off'
  | 'default-off'
  /** `options.email.condition` is not met. */
  | 'condition-false'
  | 'no-template'
  | 'no-provider'
  | 'no-address'
  /** The send gives an address for the channel that is none. */
  | 'malformed-address'
  /** An email to the address bounced (server/channels/email). */
  | 'address-bounced'
  /** The files of the send are larger than an email may be. */
  | 'attachment-too-large'
  /** A text message of the send has too many segments. */
  | 'too-long'
  | 'render-failed'

/** Whether the channel is not discarded: it is delivered now, in a digest, or at its scheduled time. */
export const isOutgoing = (decision: Decision): boolean =>
  ['sent', 'held', 'digest', 'digested', 'scheduled', 'delayed'].includes(decision)

export const outgoingChannels = (decisions: ReadonlyMap<Channel, Decision>): Channel[] =>
  [...decisions].filter(([, decision]) => isOutgoing(decision)).map(([channel]) => channel)

const ADDRESS_NAMES: Partial<Record<Channel, string>> = {
  CALL: 'phone number',
  EMAIL: 'email address',
  PUSH: 'mobile device with push messages',
  SLACK: 'Slack connection',
  SMS: 'phone number',
  WEB_PUSH: 'browser with push messages'
}

/**
 * @param detail - time of the digest or delay, end of the hold, state and time of the in-app notification, reason of a failed rendering, exceeded limit, or date and code of a bounce
 * @returns undefined for decisions that need no explanation
 */
export function describeDecision(
  decision: Decision,
  channel: Channel,
  type: string,
  detail = ''
): string | undefined {
  const id = JSON.stringify(type)
  switch (decision) {
    case 'sent':
    case 'scheduled':
    case 'digested':
      return undefined
    case 'throttled':
      return `${channel} was discarded: the notification type ${id} is throttled, and this user has reached its limit.`
    case 'deduplicated':
      return `${channel} was discarded: the notification type ${id} is deduplicated, and the same content was sent to this user recently.`
    case 'held':
      return `${channel} is held ${detail}.`
    case 'digest':
      return `${channel} waits for a digest: the user receives it ${detail}.`
    case 'delayed':
      return `${channel} waits until ${detail}.`
    case 'cancelled':
      return `${channel} was discarded: the in-app notification was ${detail}.`
    case 'deleted':
      return `${channel} was discarded: its schedule was deleted.`
    case 'retracted':
      return `${channel} was discarded: it was retracted before it was sent.`
    case 'type-off':
      return `${channel} was discarded: the notification type ${id} is switched off.`
    case 'not-in-type':
      return `${channel} was discarded: the notification type ${id} does not include this channel. Add the channel to the type, or list it in forceChannels.`
    case 'preference-off':
      return `${channel} was discarded: the user has switched this channel off for ${id}.`
    case 'environment-off':
      return `${channel} was discarded: this channel is switched off for the environment.`
    case 'default-off':
      return `${channel} was discarded: this channel is off by default, and the user has not switched it on.`
    case 'condition-false':
      return `${channel} was discarded: its condition is not met.`
    case 'no-template':
      return `${channel} was discarded: the notification type ${id} has no default template for this channel, and the send has no content for it.`
    case 'no-provider':
      return `${channel} was discarded: no provider is configured for this channel.`
    case 'no-address':
      return `${channel} was discarded: the user has no ${ADDRESS_NAMES[channel] ?? 'address for this channel'}.`
    case 'malformed-address':
      return `${channel} was discarded: the ${ADDRESS_NAMES[channel]} in the send is malformed.`
    case 'address-bounced':
      return `${channel} was discarded: an email to the address of this user bounced${detail}. Identify the user with another address, or with \`"emailBounce": null\` if the address works again.`
    case 'attachment-too-large':
      return `${channel} was discarded: its attachments are too large. ${detail}`.trimEnd()
    case 'too-long':
      return `${channel} was discarded: its text is too long. ${detail}`.trimEnd()
    case 'render-failed':
      return `${channel} was discarded: ${detail}`
  }
}
