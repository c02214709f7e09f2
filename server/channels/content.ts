// Renders the content of a delivery: the inline content of the send, or the planned template.

import type { Channel } from '#protocol'

import type { Config } from '../config/config.ts'
import type { DigestPart } from '../send/digest/digest.ts'
import { renderMerged } from '../send/digest/merge-notifications.ts'
import { findContent, templateData, type Recipient, type Send } from '../send/send-request.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import type { RenderOrigin } from '../types/templates/render-pool.ts'
import type { Renderer } from '../types/templates/render.ts'
import type { Types } from '../types/type.ts'
import type { Delivery, DeliveryBody, Provider } from './channel.ts'
import { escapeSlackValues } from './slack/escape.ts'

export interface ContentContext {
  readonly renderer: Renderer
  readonly types: Pick<Types, 'get'>
  readonly caller?: RenderOrigin['caller']
}

/** Needed to create a channel. */
export interface ChannelOptions<Message> extends ContentContext {
  readonly config: Config
  readonly provider: Provider<Message>
}

export type ContentResult =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string>>
      /** Language of the template, if it is known. */
      readonly locale: string | undefined
      readonly send: Send
      /** The rendered content, if it is not merged from several digest items. */
      readonly content?: TemplateContent
    }
  | { readonly ok: false; readonly code: string; readonly detail: string }

type LinkBuilders = Readonly<Record<string, () => string>>

/**
 * @param recipient - overrides what the send and the outbox row say about the user
 * @param reserved - parameters that the send cannot override
 * @param links - parameters that the send can override. A link is built only if the content names it, because encrypting its
 * token takes longer than the search
 */
export async function renderContent(
  { caller, renderer, types }: ContentContext,
  channel: Channel,
  { body, envId, send: accepted }: Delivery,
  recipient: Partial<Recipient> = {},
  reserved: Readonly<Record<string, string>> = {},
  links: LinkBuilders = {}
): Promise<ContentResult> {
  const { notificationId } = body
  const send = accepted as unknown as Send
  const parts = listParts(body, send)
  const needsType = parts.some(part => part.template !== null)
  const type = needsType ? await types.get(envId, notificationId) : undefined
  if (needsType && !type) return rejectMessage('no-type', `The type ${notificationId} was deleted.`)
  const inputs = parts.flatMap(part => {
    const content = findContent(part.send, type, channel, part.template)
    if (!content) return []
    const user = { ...storedRecipient(body), ...part.send.to, ...recipient }
    const data = {
      ...buildNamedLinks(content, links),
      ...templateData(part.send, user, part.template),
      ...reserved
    }
    const replace = part.send.replace ?? {}
    const isTemplate = part.template !== null
    return channel === 'SLACK'
      ? {
          caller,
          channel,
          content,
          data: escapeSlackValues(data),
          envId,
          replace: escapeSlackValues(replace)
        }
      : { caller, channel, content, data, envId, isTemplate, replace }
  })
  if (inputs.length < parts.length) return rejectMessage('no-template', 'The template was deleted.')
  const rendered = await renderMerged(renderer, channel, inputs)
  return rendered.ok
    ? {
        fields: rendered.fields,
        locale: rendered.locale,
        ok: true,
        send,
        ...(inputs.length === 1 && { content: inputs[0]!.content })
      }
    : rejectMessage('template', `${rendered.field}: ${rendered.detail}`)
}

const buildNamedLinks = (content: TemplateContent, links: LinkBuilders) =>
  Object.fromEntries(
    Object.entries(links).flatMap(([name, build]) => {
      const isNamed = Object.values(content).some(text => typeof text === 'string' && text.includes(name))
      return isNamed ? [[name, build()]] : []
    })
  )

/** The send, or each item of a digest whose template knows only one item. */
const listParts = ({ items, template }: DeliveryBody, send: Send): readonly DigestPart[] =>
  (items as unknown as readonly DigestPart[] | undefined) ?? [{ send, template }]

export const rejectMessage = (code: string, detail: string) => ({ code, detail, ok: false }) as const

const storedRecipient = ({ locale, timezone }: DeliveryBody): Partial<Recipient> => ({
  ...(locale !== undefined && { locale }),
  ...(timezone !== undefined && { timezone })
})
