// From the items of a digest to the one send that its delivery brings along. Pure.
//
// A type that has a template with the id `digest` says with it what a digest says; a template that reads `_items` does so,
// too. Any other speaks of one notification, so each item is rendered by itself and all are put together.

import type { Channel } from '#protocol'

import { isOfId, pickTemplate } from '../../types/pick-template.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Attachment } from '../attachments/file.ts'
import { inlineContent, type Send } from '../send-request.ts'
import type { Part } from './digest.ts'

/** Id of a type's template for digests. */
const DIGEST_TEMPLATE = 'digest'

export interface Composed {
  /** The newest one's, with the parameters of all as `_items` and the attachments of all. */
  readonly send: Send
  readonly template: string | null
  /** To be rendered one by one; absent: the template knows what to do. */
  readonly items?: readonly Part[]
}

/**
 * @param parts - oldest first, at least one
 * @param stored - language of the user, where the send does not say it
 */
export function compose(
  channel: Channel,
  parts: readonly Part[],
  type: Pick<NotificationType, 'templates'> | undefined,
  stored?: string
): Composed {
  const newest = parts.at(-1)!
  const { send } = newest
  const attachments = parts.flatMap(part => part.send.options?.email?.attachments ?? [])
  const composed: Send = {
    ...send,
    ...optionsOf(send, attachments),
    parameters: { ...send.parameters, _items: parts.map(part => part.send.parameters ?? {}) }
  }
  const wish = { locale: send.to.locale ?? stored, templateId: DIGEST_TEMPLATE }
  const whole = pickTemplate(type?.templates.get(channel), wish)
  if (whole !== undefined && isOfId(whole, DIGEST_TEMPLATE)) return { send: composed, template: whole }
  const { template } = newest
  const content =
    template === null ? inlineContent(send, channel) : type?.templates.get(channel)?.get(template)
  if (parts.length === 1 || readsItems(content)) return { send: composed, template }
  return { items: parts.map(bare), send: composed, template }
}

const optionsOf = ({ options }: Send, attachments: readonly Attachment[]): Pick<Send, 'options'> =>
  attachments.length === 0
    ? { ...(options && { options }) }
    : { options: { ...options, email: { ...options?.email, attachments } } }

/** Files are attached to the whole. */
function bare({ send: { options, ...send }, template }: Part): Part {
  const { email: _, ...rest } = options ?? {}
  return { send: options ? { ...send, options: rest } : send, template }
}

const readsItems = (content: TemplateContent | undefined): boolean =>
  Object.values(content ?? {}).some(text => typeof text === 'string' && /\b_items\b/.test(text))
