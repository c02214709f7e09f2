// What the plan decides for one channel, and the sentence that the caller reads about it.

import type { Channel } from '#protocol'

export type Decision =
  /** Written for delivery, or in the inbox. */
  | 'sent'
  /** The user asked for a digest, where it waits. */
  | 'digest'
  /** It went out in a digest. */
  | 'digested'
  /** It waited, and was retracted. */
  | 'retracted'
  /** Planned for later, when all of this is decided again. */
  | 'scheduled'
  /** It was scheduled, and its schedule was deleted. */
  | 'cancelled'
  /** More of the type than it allows for a user (server/gates). */
  | 'throttled'
  /** The same was sent to the user a short time ago. */
  | 'deduplicated'
  | 'type-off'
  /** The send brings content for a channel that the type has not. */
  | 'not-in-type'
  | 'preference-off'
  | 'environment-off'
  | 'default-off'
  /** `options.email.condition` does not hold. */
  | 'condition-false'
  | 'no-template'
  | 'no-provider'
  | 'no-address'
  /** Mail to it came back (server/channels/bounce). */
  | 'address-bounced'
  | 'render-failed'

/** Whether the notification goes out on the channel, now or at its time. */
export const isOut = (decision: Decision): boolean =>
  ['sent', 'digest', 'digested', 'scheduled'].includes(decision)

const ADDRESS: Partial<Record<Channel, string>> = {
  CALL: 'phone number',
  EMAIL: 'e-mail address',
  PUSH: 'mobile device that takes push messages',
  SLACK: 'connection to Slack',
  SMS: 'phone number',
  WEB_PUSH: 'browser that takes push messages'
}

/**
 * @param detail - what the decision is about: how often and when a digest comes, why rendering failed, or why mail came back
 * @returns undefined where there is nothing to say
 */
export function sentenceOf(
  decision: Decision,
  channel: Channel,
  type: string,
  detail = ''
): string | undefined {
  const id = JSON.stringify(type)
  switch (decision) {
    case 'sent':
    case 'scheduled':
    case 'cancelled':
    case 'digested':
      return undefined
    case 'throttled':
      return `${channel} was discarded: the notification type ${id} is throttled, and this user has had as many as it allows for now.`
    case 'deduplicated':
      return `${channel} was discarded: the same was sent to this user a short time ago, and the notification type ${id} sends it once.`
    case 'digest':
      return `${channel} waits for a digest: the user asks for it ${detail}.`
    case 'retracted':
      return `${channel} was discarded: it was retracted before its digest was sent.`
    case 'type-off':
      return `${channel} was discarded: the notification type ${id} is switched off.`
    case 'not-in-type':
      return `${channel} was discarded: content was given, but the notification type ${id} has not this channel. Add it to the type or name it in forceChannels.`
    case 'preference-off':
      return `${channel} was discarded: the user has switched it off for ${id}.`
    case 'environment-off':
      return `${channel} was discarded: it is switched off for the environment.`
    case 'default-off':
      return `${channel} was discarded: it is off by default and the user has not switched it on.`
    case 'condition-false':
      return `${channel} was discarded: its condition does not hold.`
    case 'no-template':
      return `${channel} was discarded: the notification type ${id} has no default template for it, and no content was given.`
    case 'no-provider':
      return `${channel} was discarded: no provider is set up for it.`
    case 'no-address':
      return `${channel} was discarded: the user has no ${ADDRESS[channel] ?? 'address for it'}.`
    case 'address-bounced':
      return `${channel} was discarded: mail to the address of this user came back${detail}. Identify the user with another address, or with \`"emailBounce": null\` where it works again.`
    case 'render-failed':
      return `${channel} was discarded: ${detail}`
  }
}
