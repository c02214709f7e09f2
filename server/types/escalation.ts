// The rules `escalate` of a type: channels that wait, and what the user may do in the inbox meanwhile so that they are not needed.

import { z } from 'zod'

import { CHANNELS, type Channel } from '#protocol'

/** What cancels a waiting channel. Each includes the later ones: an item that was acted on is read, and one that is read was seen. */
export const ESCALATION_CONDITIONS = ['seen', 'read', 'actioned'] as const
export type EscalationCondition = (typeof ESCALATION_CONDITIONS)[number]

export const MAX_ESCALATIONS = 5

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
const MAX_DELAY_MS = 31 * UNIT_MS.d

/** @param text - a number and a unit, such as `30s`, `10m`, `2h` or `1d`. @returns undefined if it is none, or not up to 31 days */
export function parseDelayMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  if (count === undefined) return undefined
  const ms = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return ms > 0 && ms <= MAX_DELAY_MS ? ms : undefined
}

/** As stored with a type. */
export const escalation = z.object({
  channel: z.enum(CHANNELS),
  after: z.string(),
  unless: z.enum(ESCALATION_CONDITIONS).optional()
})

export type Escalation = z.output<typeof escalation>

/** The rules in a body or file. @param channel - schema of the name of a channel */
export const escalateBody = (channel: z.ZodType<Channel>) =>
  z
    .array(
      z.strictObject({
        channel: channel
          .refine(name => name !== 'INAPP_WEB', 'Expected a channel other than INAPP_WEB.')
          .describe('Channel that waits; each may be given once.'),
        after: z
          .string()
          .refine(
            text => parseDelayMs(text) !== undefined,
            'Expected a time of 1s to 31d, such as 10m, 2h or 1d.'
          )
          .describe('Time after the send: a number with `s`, `m`, `h` or `d`.'),
        unless: z
          .enum(ESCALATION_CONDITIONS, `Expected one of ${ESCALATION_CONDITIONS.join(', ')}.`)
          .optional()
          .describe(
            'The channel is not sent if the in-app notification is in this state by then. Absent: it is sent.'
          )
      })
    )
    .max(MAX_ESCALATIONS)
    .check(({ issues, value }) => {
      for (const [i, rule] of value.entries()) {
        if (value.findIndex(one => one.channel === rule.channel) === i) continue
        const message = 'This channel is given twice.'
        issues.push({ code: 'custom', input: value, message, path: [i, 'channel'] })
      }
    })
    .optional()
    .describe(
      'Channels that are sent some time after the send, unless the user has dealt with the in-app notification by then.'
    )

interface EscalatingType {
  readonly channels?: readonly Channel[] | undefined
  readonly escalate?: readonly Pick<Escalation, 'unless'>[] | undefined
  readonly templates?: readonly { readonly channel: Channel }[] | undefined
}

/**
 * Refuses conditions that can never hold, because the type has no in-app channel. A type that names neither channels nor
 * templates has those of its stored templates or of its sends, so all its rules pass.
 */
export function checkConditions({ issues, value }: z.core.ParsePayload<EscalatingType>): void {
  const { channels = [], escalate = [], templates = [] } = value
  const known = channels.length > 0 ? channels : templates.map(one => one.channel)
  if (known.length === 0 || known.includes('INAPP_WEB')) return
  for (const [i, { unless }] of escalate.entries()) {
    if (unless === undefined) continue
    const message =
      'The type has no INAPP_WEB, so nothing is seen or read. Add the channel, or remove unless.'
    issues.push({ code: 'custom', input: value, message, path: ['escalate', i, 'unless'] })
  }
}

/** How long a channel waits after the send. */
export interface ChannelDelay {
  readonly after: string
  readonly ms: number
  /** Absent: the channel is sent in any case. */
  readonly unless?: EscalationCondition
}

/** @returns undefined if the channel does not wait */
export function findDelay(
  { escalate }: { readonly escalate?: readonly Escalation[] | undefined },
  channel: Channel
): ChannelDelay | undefined {
  const rule = escalate?.find(one => one.channel === channel)
  const ms = rule && parseDelayMs(rule.after)
  return ms === undefined
    ? undefined
    : { after: rule!.after, ms, ...(rule!.unless !== undefined && { unless: rule!.unless }) }
}
