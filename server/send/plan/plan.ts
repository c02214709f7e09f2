// What a send comes to: pure, from the request, its type, what is stored about the user, and the environment.

import type { Channel } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment.ts'
import { cadenceOf, isPeriod, nextBoundary, type Period } from '../../types/cadence.ts'
import { isOfId, pickTemplate } from '../../types/pick-template.ts'
import { isAdHoc, type NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import { resolveFrequency, type ResolvedFrequency } from '../../users/preferences/resolve.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { Due } from '../digest/digest.ts'
import { inlineChannels, inlineContent, type Recipient, type Send } from '../send-request.ts'
import { isOut, sentenceOf, type Decision } from './decision.ts'
import { mergedUser, readerOf, type StoredReader } from './recipient.ts'
import { isBounced, targetsFor, whyBounced, type Target } from './target.ts'
import { zoneOf } from './zone.ts'

export interface PlanInput {
  readonly send: Send
  readonly type: NotificationType
  /** What is stored about the user. */
  readonly contact: Contact
  readonly environment: EnvironmentSettings
  /** Of the user; read only where {@link reachesDevices}. */
  readonly devices: readonly Device[]
  /** Channels that can deliver right now. The inbox is always one. */
  readonly providers: ReadonlySet<Channel>
  /** When it is sent: milliseconds since 1970. */
  readonly now: number
  /** Time zone where neither user nor environment says one. */
  readonly zone: string
}

/** One thing to deliver. `template`: id of the type's template, `''` the default one, null the send's own content. */
export interface Planned {
  readonly template: string | null
}

export interface PlannedDelivery extends Planned, Target {
  readonly channel: Channel
  readonly reader?: StoredReader
}

/** One thing that waits for a digest. */
export interface PlannedDigest extends Planned {
  readonly channel: Channel
  readonly period: Period
  readonly due: Due
}

export interface Plan {
  /** With what was stored where the send says nothing. */
  readonly user: Recipient
  readonly inApp?: Planned
  readonly deliveries: readonly PlannedDelivery[]
  readonly digests: readonly PlannedDigest[]
  /** Every channel that was considered, once. */
  readonly decisions: ReadonlyMap<Channel, Decision>
  readonly messages: readonly string[]
}

type Verdict =
  | {
      readonly out: true
      readonly decision: 'sent'
      readonly template: string | null
      /** At least one: each device gets a delivery of its own. */
      readonly targets: readonly Target[]
    }
  | {
      readonly out: true
      readonly decision: 'digest'
      readonly template: string | null
      readonly period: Period
    }
  | { readonly out: false; readonly decision: Decision }

export function plan(input: PlanInput): Plan {
  const { send, type, contact } = input
  const own = mergedUser(send.to, contact)
  const zone = zoneOf(own.timezone, input.environment, input.zone)
  const { reader } = readerOf(send.to, contact, zone)
  const user = { ...own, ...reader }
  const decisions = new Map<Channel, Decision>()
  const deliveries: PlannedDelivery[] = []
  const digests: PlannedDigest[] = []
  const messages: string[] = []
  let inApp: Planned | undefined
  const topic = { notificationId: send.type, subNotificationId: send.subNotificationId ?? '' }
  const rules = { environment: input.environment, preferences: contact.preferences, type }

  const inline = inlineChannels(send)
  const channels = channelsOf(send, type)
  const considered = new Set([...channels, ...inline])
  if (considered.size === 0) {
    messages.push(`Nothing was sent: the notification type ${JSON.stringify(send.type)} has no channels.`)
  }
  for (const channel of considered) {
    const delivery = resolveFrequency(channel, topic, rules)
    const verdict: Verdict = channels.has(channel)
      ? verdictOf(channel, delivery, user, input, messages)
      : { decision: 'not-in-type', out: false }
    decisions.set(channel, verdict.decision)
    const due =
      verdict.out && verdict.decision === 'digest'
        ? dueOf(channel, verdict.period, own.timezone, input)
        : undefined
    const detail = due
      ? `${delivery.delivery} and gets it at ${new Date(due.at).toISOString()}`
      : verdict.decision === 'address-bounced'
        ? whyBounced(contact)
        : undefined
    const sentence = sentenceOf(verdict.decision, channel, send.type, detail)
    if (sentence !== undefined) messages.push(sentence)
    if (!verdict.out) continue
    const { template } = verdict
    if (verdict.decision === 'digest') digests.push({ channel, due: due!, period: verdict.period, template })
    else if (channel === 'INAPP_WEB') inApp = { template }
    else {
      const base = { channel, template, ...(reader && { reader }) }
      for (const target of verdict.targets) deliveries.push({ ...base, ...target })
    }
  }
  return { decisions, deliveries, digests, messages, user, ...(inApp && { inApp }) }
}

/** When a digest of the type comes to a user. @param own - the zone of the user, if any */
export function dueOf(
  channel: Channel,
  period: Period,
  own: string | undefined,
  { environment, now, type, zone: usual }: Pick<PlanInput, 'environment' | 'now' | 'type' | 'zone'>
): Due {
  const zone = zoneOf(own, environment, usual)
  const cadence = cadenceOf(period, type.settings.options[channel]?.[period])
  const at = nextBoundary(now, zone, cadence)
  return { at, later: nextBoundary(at, zone, cadence), zone }
}

function channelsOf(send: Send, type: NotificationType): ReadonlySet<Channel> {
  const inline = inlineChannels(send)
  const usual = inline.length > 0 && isAdHoc(type) ? inline : type.channels
  return new Set(send.forceChannels ?? usual)
}

/** Whether the plan needs the user's devices: most sends do not. */
export function reachesDevices(send: Send, type: NotificationType): boolean {
  const channels = channelsOf(send, type)
  return channels.has('PUSH') || channels.has('WEB_PUSH')
}

/** Whether everything that was considered goes out. */
export const isComplete = (decisions: ReadonlyMap<Channel, Decision>): boolean =>
  decisions.size > 0 && [...decisions.values()].every(isOut)

/** Who switched it off. */
export const OFF = { default: 'default-off', environment: 'environment-off', user: 'preference-off' } as const

function verdictOf(
  channel: Channel,
  { source, delivery }: ResolvedFrequency,
  user: Recipient,
  { contact, send, type, providers, devices }: PlanInput,
  messages: string[]
): Verdict {
  if (!type.settings.enabled) return { decision: 'type-off', out: false }
  if (delivery === 'off') return { decision: OFF[source], out: false }
  const template = templateFor(channel, send, type, user.locale, messages)
  if (template === undefined) return { decision: 'no-template', out: false }
  if (channel === 'INAPP_WEB') return { decision: 'sent', out: true, targets: [], template }
  if (!providers.has(channel)) return { decision: 'no-provider', out: false }
  const targets = targetsFor(channel, user, devices)
  if (targets.length === 0) return { decision: 'no-address', out: false }
  if (targets.every(target => isBounced(channel, target, contact))) {
    return { decision: 'address-bounced', out: false }
  }
  if (isPeriod(delivery)) return { decision: 'digest', out: true, period: delivery, template }
  return { decision: 'sent', out: true, targets, template }
}

/** @returns undefined where there is nothing to say on the channel */
function templateFor(
  channel: Channel,
  send: Send,
  type: NotificationType,
  locale: string | undefined,
  messages: string[]
): string | null | undefined {
  if (inlineContent(send, channel)) return null
  const { templateId } = send
  const picked = pickTemplate(type.templates.get(channel), { locale, templateId })
  if (picked !== undefined && templateId !== undefined && !isOfId(picked, templateId)) {
    messages.push(
      `${channel}: there is no template ${JSON.stringify(templateId)}, so the default one was used.`
    )
  }
  return picked
}
