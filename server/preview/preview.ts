// How each channel of a type would look with sample data. Nothing is written and nothing is sent.

import { CHANNELS, type Channel } from '#protocol'

import type { StoredReader } from '../send/plan/recipient.ts'
import { templateData, type Send } from '../send/send-request.ts'
import { isOfId, pickTemplate } from '../types/pick-template.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { LOOKS, type LookNeeds } from './looks.ts'
import { missingIn } from './missing.ts'
import { SAMPLE_LINKS, sampleSend } from './sample.ts'
import type { Preview, PreviewAnswer, PreviewBody } from './schema.ts'

type Templates = ReadonlyMap<Channel, ReadonlyMap<string, TemplateContent>>

export async function preview(
  needs: LookNeeds,
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
      messages.push(`${channel}: there is no default template.`)
      continue
    }
    if (templateId && !isOfId(template, templateId)) {
      messages.push(
        `${channel}: there is no template ${JSON.stringify(templateId)}, so the default one is used.`
      )
    }
    const content = templates.get(channel)!.get(template)!
    previews.push({ channel, template, ...(await look(needs, channel, template, content, send)) })
  }
  return { messages, previews }
}

async function look(
  needs: LookNeeds,
  channel: Channel,
  template: string,
  content: TemplateContent,
  send: Send
): Promise<Omit<Preview, 'channel' | 'template'>> {
  const data = { ...(channel === 'EMAIL' && SAMPLE_LINKS), ...templateData(send, send.to, template) }
  const missing = missingIn(needs.renderer.variables(channel, content), data)
  const rendered = await needs.renderer.render({ channel, content, data, replace: send.replace ?? {} })
  if (!rendered.ok) {
    const { detail, field } = rendered
    return { bytes: {}, fields: {}, missing, problem: { detail, field }, warnings: [] }
  }
  return {
    missing,
    ...(await LOOKS[channel](needs, { content, fields: rendered.fields, locale: rendered.locale, send }))
  }
}
