// What a delivery says: the send's own content or the planned template, rendered with the data of the send.

import type { Channel } from '#protocol'

import { inlineContent, templateData, type Recipient, type Send } from '../send/request.ts'
import type { Renderer } from '../templates/render.ts'
import type { Types } from '../types/type.ts'
import type { Delivery } from './channel.ts'

export interface Desk {
  readonly renderer: Renderer
  readonly types: Types
}

export type Said =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>>; readonly send: Send }
  | { readonly ok: false; readonly code: string; readonly detail: string }

/** @param known - of the user, besides what the send says */
export async function contentOf(
  { renderer, types }: Desk,
  channel: Channel,
  { body: { notificationId, template }, envId, send: accepted }: Delivery,
  known: Partial<Recipient> = {}
): Promise<Said> {
  const send = accepted as unknown as Send
  const type = template === null ? undefined : await types.get(envId, notificationId)
  if (template !== null && !type) return dead('no-type', `The type ${notificationId} is gone.`)
  const content =
    template === null ? inlineContent(send, channel) : type?.templates.get(channel)?.get(template)
  if (!content) return dead('no-template', 'The template is gone.')
  const rendered = await renderer.render({
    channel,
    content,
    data: templateData(send, { ...send.to, ...known }),
    replace: send.replace ?? {}
  })
  return rendered.ok
    ? { fields: rendered.fields, ok: true, send }
    : dead('template', `${rendered.field}: ${rendered.detail}`)
}

export const dead = (code: string, detail: string) => ({ code, detail, ok: false }) as const
