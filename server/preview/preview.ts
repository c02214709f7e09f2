// Previews each channel of a notification type with sample data. Nothing is written and nothing is sent.

import { CHANNELS, type Channel } from '#protocol'

import type { StoredReader } from '../send/plan/recipient.ts'
import { templateData, type Send } from '../send/send-request.ts'
import { isVariantOf, pickTemplate } from '../types/pick-template.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { EMAIL_LINKS } from '../types/templates/email.ts'
import { CHANNEL_PREVIEWS, type PreviewContext } from './channel-previews.ts'
import { sampleSend } from './sample.ts'
import type { Preview, PreviewAnswer, PreviewBody } from './schema.ts'

type Templates = ReadonlyMap<Channel, ReadonlyMap<string, TemplateContent>>

export async function preview(
  needs: PreviewContext,
  type: string,
  templates: Templates,
  body: PreviewBody,
  reader: StoredReader
): Promise<PreviewAnswer> {
  const send = sampleSend(type, body, reader)
  const messages: string[] = []
  const previews: Preview[] = []
  const { templateId } = body
  const { locale } = send.to
  for (const channel of CHANNELS) {
    if (!(body.channels?.includes(channel) ?? templates.has(channel))) continue
    const template = pickTemplate(templates.get(channel), { locale, templateId })
    if (template === undefined) {
      messages.push(`${channel}: the default template does not exist.`)
      continue
    }
    if (templateId && !isVariantOf(template, templateId)) {
      messages.push(
        `${channel}: the template ${JSON.stringify(templateId)} does not exist, so the default template is used.`
      )
    }
    const content = templates.get(channel)!.get(template)!
    previews.push({ channel, template, ...(await look(needs, channel, template, content, send)) })
  }
  return { messages, previews }
}

async function look(
  needs: PreviewContext,
  channel: Channel,
  template: string,
  content: TemplateContent,
  send: Send
): Promise<Omit<Preview, 'channel' | 'template'>> {
  const data = { ...(channel === 'EMAIL' && EMAIL_LINKS), ...templateData(send, send.to, template) }
  const missing = [...needs.renderer.findMissing({ channel, content, data })]
  const replace = send.replace ?? {}
  const rendered = await needs.renderer.render({
    ...needs.origin,
    channel,
    content,
    data,
    isTemplate: true,
    replace
  })
  if (!rendered.ok) {
    const { detail, field } = rendered
    return { bytes: {}, fields: {}, missing, problem: { detail, field }, warnings: [] }
  }
  return {
    missing,
    ...(await CHANNEL_PREVIEWS[channel](needs, {
      content,
      fields: rendered.fields,
      locale: rendered.locale,
      send
    }))
  }
}
