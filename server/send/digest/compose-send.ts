// Composes the one send of a digest from its items. Pure.
//
// A template with the id `digest`, or one that reads `_items`, is written for a whole digest. Any other template is written
// for one notification, so each item is rendered separately and the results are merged.

import type { Channel } from '#protocol'

import { isVariantOf, pickTemplate } from '../../types/pick-template.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Attachment } from '../attachments/attachment.ts'
import { findContent, type Send } from '../send-request.ts'
import type { DigestPart } from './digest.ts'

const DIGEST_TEMPLATE = 'digest'

export interface ComposedDigest {
  /** The newest send, with the parameters of all items in `_items` and the attachments of all items. */
  readonly send: Send
  readonly template: string | null
  /** Items to render separately. Absent if the template is written for a whole digest. */
  readonly items?: readonly DigestPart[]
}

/**
 * @param parts - oldest first, at least one
 * @param storedLocale - language of the user if the send has none
 */
export function composeDigest(
  channel: Channel,
  parts: readonly DigestPart[],
  type: Pick<NotificationType, 'templates'> | undefined,
  storedLocale?: string
): ComposedDigest {
  const newest = parts.at(-1)!
  const { send } = newest
  const attachments = parts.flatMap(part => part.send.options?.email?.attachments ?? [])
  const composed: Send = {
    ...send,
    ...withAttachments(send, attachments),
    parameters: { ...send.parameters, _items: parts.map(part => part.send.parameters ?? {}) }
  }
  const wanted = { locale: send.to.locale ?? storedLocale, templateId: DIGEST_TEMPLATE }
  const digestTemplate = pickTemplate(type?.templates.get(channel), wanted)
  if (digestTemplate !== undefined && isVariantOf(digestTemplate, DIGEST_TEMPLATE)) {
    return { send: composed, template: digestTemplate }
  }
  const { template } = newest
  if (parts.length === 1 || readsItems(findContent(send, type, channel, template)))
    return { send: composed, template }
  return { items: parts.map(withoutEmailOptions), send: composed, template }
}

const withAttachments = ({ options }: Send, attachments: readonly Attachment[]): Pick<Send, 'options'> =>
  attachments.length === 0
    ? { ...(options && { options }) }
    : { options: { ...options, email: { ...options?.email, attachments } } }

/** Attachments belong to the whole digest. */
function withoutEmailOptions({ send: { options, ...send }, template }: DigestPart): DigestPart {
  const { email: _, ...rest } = options ?? {}
  return { send: options ? { ...send, options: rest } : send, template }
}

const readsItems = (content: TemplateContent | undefined): boolean =>
  Object.values(content ?? {}).some(text => typeof text === 'string' && /\b_items\b/.test(text))
