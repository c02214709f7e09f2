// Warns about variables of the planned content that have no value: they are delivered as an empty text.

import type { Channel } from '#protocol'

import { EMAIL_LINKS } from '../../types/templates/email.ts'
import type { Renderer } from '../../types/templates/render.ts'
import type { NotificationType } from '../../types/type.ts'
import { composeDigest } from '../digest/compose-send.ts'
import { findContent, templateData, type Send } from '../send-request.ts'
import type { Plan, PlannedContent } from './planned.ts'

/** In one warning; the number of the others follows. */
const MAX_NAMES = 10

const NO_VALUE = 'no value and will be empty.'

/** @param warning - one of the warnings of a send */
export const isMissingVariableWarning = (warning: string): boolean => warning.includes(` ${NO_VALUE} `)

/** Adds one sentence for each outgoing channel whose content reads a variable that has no value. */
export function warnOfMissingVariables(
  renderer: Pick<Renderer, 'findMissing'>,
  { send, type }: { readonly send: Send; readonly type: Pick<NotificationType, 'templates'> },
  planned: Plan
): Plan {
  const warn = (channel: Channel, { template }: PlannedContent, from: Pick<Send, 'parameters'> = send) => {
    const content = findContent(send, type, channel, template)
    if (!content) return []
    const data = { ...(channel === 'EMAIL' && EMAIL_LINKS), ...templateData(from, planned.user, template) }
    const names = renderer.findMissing({ channel, content, data })
    return names.length > 0 ? [describe(channel, names)] : []
  }
  // The devices of a user get the same content.
  const deliveries = new Map(planned.deliveries.map(delivery => [delivery.channel, delivery]))
  const messages = [
    ...planned.messages,
    ...(planned.inApp ? warn('INAPP_WEB', planned.inApp) : []),
    ...[...deliveries].flatMap(([channel, delivery]) => warn(channel, delivery)),
    ...planned.delays.flatMap(delay => warn(delay.channel, delay)),
    ...planned.digests.flatMap(({ channel, template }) => {
      const composed = composeDigest(channel, [{ send, template }], type, planned.user.locale)
      return warn(channel, composed, composed.send)
    })
  ]
  return { ...planned, messages }
}

function describe(channel: Channel, names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMES).map(name => `{{ ${name} }}`)
  const others = names.length - listed.length
  const all = [listed.join(', '), ...(others > 0 ? [`and ${others} more`] : [])].join(' ')
  return `${channel}: ${all} ${names.length === 1 ? 'has' : 'have'} ${NO_VALUE} Give a value in parameters, or a default in the template: {{ name | default: "there" }}.`
}
