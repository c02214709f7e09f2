// Previews each channel of a notification type with sample data. Nothing is written and nothing is sent.

import { CHANNELS, type Channel } from '#protocol'

import type { StoredReader } from '../send/plan/recipient.ts'
import { templateData, type Send } from '../send/send-request.ts'
import { placeOf } from '../types/check-templates.ts'
import { isVariantOf, pickTemplate } from '../types/pick-template.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { EMAIL_LINKS } from '../types/templates/email.ts'
import { readVariant } from '../types/variant.ts'
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
  for (const channel of CHANNELS) {
    if (!(body.channels?.includes(channel) ?? templates.has(channel))) continue
    const own = templates.get(channel)
    for (const locale of localesOf(own, body, send.to.locale)) {
      const template = pickTemplate(own, { locale, templateId })
      if (template === undefined) {
        messages.push(`${channel}: the default template does not exist.`)
        break
      }
      if (templateId && !isVariantOf(template, templateId)) {
        messages.push(
          `${channel}: the template ${JSON.stringify(templateId)} does not exist, so the default template is used.`
        )
      }
      const read = { ...send, to: withLocale(send.to, locale) }
      const preview = await look(needs, channel, template, own!.get(template)!, read)
      previews.push({ channel, template, ...(locale !== undefined && { locale }), ...preview })
    }
  }
  return { messages: [...new Set(messages)], previews }
}

/** @param own - language of the user. @returns undefined for the template without a language */
function localesOf(
  templates: ReadonlyMap<string, TemplateContent> | undefined,
  { locales, templateId }: Pick<PreviewBody, 'locales' | 'templateId'>,
  own: string | undefined
): readonly (string | undefined)[] {
  if (locales !== 'all') return locales ?? [own]
  const variants = [...(templates?.keys() ?? [])].map(readVariant)
  const used = variants.filter(({ id }) => id === '' || id === templateId)
  // Without templates, once for the message that there are none.
  return used.length === 0 ? [undefined] : [...new Set(used.map(({ locale }) => locale))]
}

function withLocale(user: Send['to'], locale: string | undefined): Send['to'] {
  const { locale: _, ...others } = user
  return { ...others, ...(locale !== undefined && { locale }) }
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
    return { bytes: {}, fields: {}, missing, problem: { detail, field, ...placeOf(detail) }, warnings: [] }
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
