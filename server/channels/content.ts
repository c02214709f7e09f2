// What a delivery says: the send's own content or the planned template, rendered with the data of the send.

import type { Channel } from '#protocol'

import type { DigestPart } from '../send/digest/digest.ts'
import { renderMerged } from '../send/digest/merge.ts'
import { inlineContent, templateData, type Recipient, type Send } from '../send/send-request.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import type { Renderer } from '../types/templates/render.ts'
import type { Types } from '../types/type.ts'
import type { Delivery, DeliveryBody } from './channel.ts'
import { quiet } from './slack/escape.ts'

export interface Desk {
  readonly renderer: Renderer
  readonly types: Pick<Types, 'get'>
}

export type Said =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string>>
      /** Language of the template, where it is known. */
      readonly locale: string | undefined
      readonly send: Send
      /** What was rendered, where that is one thing and not several together. */
      readonly content?: TemplateContent
    }
  | { readonly ok: false; readonly code: string; readonly detail: string }

/**
 * @param known - of the user, besides what the send says
 * @param words - reserved ones that templates may use
 * @param links - others that they may use where the send says nothing of the same name; made only for who names them
 */
export async function renderContent(
  { renderer, types }: Desk,
  channel: Channel,
  { body, envId, send: accepted }: Delivery,
  known: Partial<Recipient> = {},
  words: Readonly<Record<string, string>> = {},
  links: Readonly<Record<string, () => string>> = {}
): Promise<Said> {
  const { notificationId } = body
  const send = accepted as unknown as Send
  const parts = partsOf(body, send)
  const type = parts.some(part => part.template !== null) ? await types.get(envId, notificationId) : undefined
  if (!type && parts.some(part => part.template !== null)) {
    return unmakeable('no-type', `The type ${notificationId} is gone.`)
  }
  const inputs = parts.flatMap(part => {
    const content =
      part.template === null
        ? inlineContent(part.send, channel)
        : type?.templates.get(channel)?.get(part.template)
    if (!content) return []
    const user = { ...readerIn(body), ...part.send.to, ...known }
    const data = {
      ...namedIn(content, links),
      ...templateData(part.send, user, part.template),
      ...words
    }
    const replace = part.send.replace ?? {}
    return channel === 'SLACK'
      ? { channel, content, data: quiet(data), replace: quiet(replace) }
      : { channel, content, data, replace }
  })
  if (inputs.length < parts.length) return unmakeable('no-template', 'The template is gone.')
  const rendered = await renderMerged(renderer, channel, inputs)
  return rendered.ok
    ? {
        fields: rendered.fields,
        locale: rendered.locale,
        ok: true,
        send,
        ...(inputs.length === 1 && { content: inputs[0]!.content })
      }
    : unmakeable('template', `${rendered.field}: ${rendered.detail}`)
}

/** Encrypting an address up takes longer than looking its name up. */
const namedIn = (content: TemplateContent, links: Readonly<Record<string, () => string>>) =>
  Object.fromEntries(
    Object.entries(links).flatMap(([name, make]) => {
      const isNamed = Object.values(content).some(text => typeof text === 'string' && text.includes(name))
      return isNamed ? [[name, make()]] : []
    })
  )

/** What is rendered by itself: the whole, or each item of a digest whose template knows only one. */
const partsOf = ({ items, template }: DeliveryBody, send: Send): readonly DigestPart[] =>
  (items as unknown as readonly DigestPart[] | undefined) ?? [{ send, template }]

export const unmakeable = (code: string, detail: string) => ({ code, detail, ok: false }) as const

/** What is stored of the user and the send does not say. */
const readerIn = ({ locale, timezone }: DeliveryBody): Partial<Recipient> => ({
  ...(locale !== undefined && { locale }),
  ...(timezone !== undefined && { timezone })
})
