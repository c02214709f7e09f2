// Decides for each channel what a send becomes: delivered now, put into a digest, or discarded. Pure.

import type { Channel } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment-settings.ts'
import { parseCadence, isPeriod, nextBoundary, type Period } from '../../types/cadence.ts'
import { findDelay } from '../../types/escalation.ts'
import { isVariantOf, pickTemplate } from '../../types/pick-template.ts'
import { isAdHoc, type NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import { describeHold, findHold, type Hold } from '../../users/preferences/hold.ts'
import { resolveFrequency, type ResolvedFrequency } from '../../users/preferences/resolve.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { DigestTime } from '../digest/digest.ts'
import { inlineChannels, inlineContent, type Recipient, type Send } from '../send-request.ts'
import { describeDecision, isOutgoing, type Decision } from './decision.ts'
import { findTooLarge, type MessageLimits } from './message-limits.ts'
import type { Plan, PlannedContent, PlannedDelay, PlannedDelivery, PlannedDigest } from './planned.ts'
import {
  describeBounce,
  hasMalformedAddress,
  isBounced,
  mergeStoredContact,
  resolveTargets,
  resolveTimeZone,
  storedReader,
  type Target
} from './recipient.ts'

export interface PlanInput {
  readonly send: Send
  readonly type: NotificationType
  readonly contact: Contact
  readonly environment: EnvironmentSettings
  /** Devices of the user; used only if {@link needsDevices}. */
  readonly devices: readonly Device[]
  /** Channels with a provider. The inbox needs none. */
  readonly providers: ReadonlySet<Channel>
  /** Time of the send: milliseconds since 1970. */
  readonly now: number
  /** Time zone if neither user nor environment has one. */
  readonly zone: string
  readonly limits: MessageLimits
  /** A channel whose delay is over: only this one is planned. Default: all, and those with a delay wait. */
  readonly delayed?: Channel
}

type ChannelPlan =
  | {
      readonly decision: 'sent'
      readonly template: string | null
      /** Each device gets a delivery of its own. Empty for the inbox. */
      readonly targets: readonly Target[]
    }
  | {
      readonly decision: 'digest'
      readonly template: string | null
      readonly period: Period
    }
  | { readonly decision: Exclude<Decision, 'digest' | 'sent'>; readonly detail?: string | undefined }

export function plan(input: PlanInput): Plan {
  const { send, type, contact } = input
  const own = mergeStoredContact(send.to, contact)
  const zone = resolveTimeZone(own.timezone, input.environment, input.zone)
  const { reader } = storedReader(send.to, contact, zone)
  const user = { ...own, ...reader }
  const decisions = new Map<Channel, Decision>()
  const details = new Map<Channel, string>()
  const deliveries: PlannedDelivery[] = []
  const digests: PlannedDigest[] = []
  const delays: PlannedDelay[] = []
  const messages: string[] = []
  let inApp: PlannedContent | undefined
  const topic = { notificationId: send.type, subNotificationId: send.subNotificationId ?? '' }
  const rules = {
    channelsOff: contact.settings?.channelsOff,
    environment: input.environment,
    preferences: contact.preferences,
    type
  }

  const channels = resolveChannels(send, type)
  const { delayed } = input
  const considered = new Set(delayed ? [delayed] : [...channels, ...inlineChannels(send)])
  if (considered.size === 0) {
    messages.push(`Nothing was sent: the notification type ${JSON.stringify(send.type)} has no channels.`)
  }
  const holdAt = (at: number): Hold | undefined =>
    contact.settings &&
    findHold(contact.settings, {
      isUrgent: type.settings.urgent === true,
      now: at,
      zone: resolveTimeZone(contact.timezone, input.environment, input.zone)
    })
  const holdNow = holdAt(input.now)
  for (const channel of considered) {
    const wanted = resolveFrequency(channel, topic, rules)
    const planned: ChannelPlan = channels.has(channel)
      ? planChannel(channel, wanted, user, input, messages)
      : { decision: 'not-in-type' }
    // A send that an operator repeats does not wait again.
    const delay = delayed || send.resendOf ? undefined : findDelay(type.settings, channel)
    if (delay && (planned.decision === 'sent' || planned.decision === 'digest')) {
      const { ms, unless } = delay
      const until = { at: input.now + ms, ...(unless && { unless }) }
      const message = describeDecision('delayed', channel, send.type, describeDelay(until))!
      decisions.set(channel, 'delayed')
      delays.push({ ...until, channel, message, template: planned.template })
      messages.push(message)
      continue
    }
    decisions.set(channel, planned.decision)
    if (planned.decision === 'digest') {
      const { period, template } = planned
      const time = nextDigestTime(channel, period, own.timezone, input)
      const hold = holdAt(time.at)
      const at = new Date(hold?.until ?? time.at).toISOString()
      const detail = `${wanted.delivery} and gets it at ${at}`
      const message = describeDecision('digest', channel, send.type, detail)!
      messages.push(message)
      digests.push({ channel, message, period, template, time, ...(hold && { hold }) })
    } else if (planned.decision !== 'sent') {
      const { detail } = planned
      if (detail !== undefined) details.set(channel, detail)
      const message = describeDecision(planned.decision, channel, send.type, detail)
      if (message !== undefined) messages.push(message)
    } else if (channel === 'INAPP_WEB') inApp = { template: planned.template }
    else {
      if (holdNow) {
        const detail = describeHold(holdNow)
        decisions.set(channel, 'held')
        details.set(channel, detail)
        messages.push(describeDecision('held', channel, send.type, detail)!)
      }
      const base = {
        channel,
        template: planned.template,
        ...(reader && { reader }),
        ...(holdNow && { hold: holdNow })
      }
      for (const target of planned.targets) deliveries.push({ ...base, ...target })
    }
  }
  return { decisions, delays, deliveries, details, digests, messages, user, ...(inApp && { inApp }) }
}

/** Until when a channel waits, as the sentences about it say it. */
export const describeDelay = ({ at, unless }: Pick<PlannedDelay, 'at' | 'unless'>): string =>
  `${new Date(at).toISOString()}${unless ? `, unless the in-app notification is ${unless} by then` : ''}`

/** Time of the next digest of a type for a user. @param own - time zone of the user, if any */
export function nextDigestTime(
  channel: Channel,
  period: Period,
  own: string | undefined,
  { environment, now, type, zone: serverZone }: Pick<PlanInput, 'environment' | 'now' | 'type' | 'zone'>
): DigestTime {
  const zone = resolveTimeZone(own, environment, serverZone)
  const cadence = parseCadence(period, type.settings.options[channel]?.[period])
  const at = nextBoundary(now, zone, cadence)
  return { at, next: nextBoundary(at, zone, cadence), zone }
}

function resolveChannels(send: Send, type: NotificationType): ReadonlySet<Channel> {
  const inline = inlineChannels(send)
  const ofType = inline.length > 0 && isAdHoc(type) ? inline : type.channels
  return new Set(send.forceChannels ?? ofType)
}

/** Whether the plan needs the user's devices. Most sends do not, which saves a query. */
export function needsDevices(send: Send, type: NotificationType): boolean {
  const channels = resolveChannels(send, type)
  return channels.has('PUSH') || channels.has('WEB_PUSH')
}

/** Whether at least one channel was considered and all of them go out. */
export const areAllOutgoing = (decisions: ReadonlyMap<Channel, Decision>): boolean =>
  decisions.size > 0 && [...decisions.values()].every(isOutgoing)

/** Decision for a channel that is off, by what switched it off. */
export const OFF_DECISIONS = {
  default: 'default-off',
  environment: 'environment-off',
  user: 'preference-off'
} as const

function planChannel(
  channel: Channel,
  { delivery, source }: ResolvedFrequency,
  user: Recipient,
  { contact, send, type, providers, devices, limits }: PlanInput,
  messages: string[]
): ChannelPlan {
  if (!type.settings.enabled) return { decision: 'type-off' }
  if (delivery === 'off') return { decision: OFF_DECISIONS[source] }
  const template = resolveTemplate(channel, send, type, user.locale, messages)
  if (template === undefined) return { decision: 'no-template' }
  if (channel === 'INAPP_WEB') return { decision: 'sent', targets: [], template }
  if (hasMalformedAddress(channel, user)) return { decision: 'malformed-address' }
  if (!providers.has(channel)) return { decision: 'no-provider' }
  const targets = resolveTargets(channel, user, devices)
  if (targets.length === 0) return { decision: 'no-address' }
  if (targets.every(target => isBounced(channel, target, contact))) {
    return { decision: 'address-bounced', detail: describeBounce(contact) }
  }
  const tooLarge = findTooLarge(channel, send, type, template, limits)
  if (tooLarge) return tooLarge
  if (isPeriod(delivery)) return { decision: 'digest', period: delivery, template }
  return { decision: 'sent', targets, template }
}

/** @returns undefined if there is neither content nor a template for the channel */
function resolveTemplate(
  channel: Channel,
  send: Send,
  type: NotificationType,
  locale: string | undefined,
  messages: string[]
): string | null | undefined {
  if (inlineContent(send, channel)) return null
  const { templateId } = send
  const picked = pickTemplate(type.templates.get(channel), { locale, templateId })
  if (picked !== undefined && templateId !== undefined && !isVariantOf(picked, templateId)) {
    messages.push(
      `${channel}: the template ${JSON.stringify(templateId)} does not exist, so the default template was used.`
    )
  }
  return picked
}
