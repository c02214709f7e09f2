// Templates of a type by key (`EMAIL/short@de`): what a key says, fields of a channel, and changes that give a new content.

import type { Template, TemplateFault, Templates, TypeContent } from '../api/types.ts'
import { CHANNELS, isChannel } from '../view/channel.ts'

export interface TemplateKey {
  readonly channel: string
  /** Sends choose the template by it; empty: the default one. */
  readonly id: string
  /** Empty: for everybody else. */
  readonly locale: string
}

export function parseKey(key: string): TemplateKey {
  const [, channel = '', id = '', locale = ''] = /^([^/@]*)(?:\/([^@]*))?(?:@(.*))?$/.exec(key) ?? []
  return { channel, id, locale }
}

export const formatKey = ({ channel, id, locale }: TemplateKey): string =>
  `${channel}${id ? `/${id}` : ''}${locale ? `@${locale}` : ''}`

/** By channel, then the default first. */
export const sortKeys = (templates: Templates): readonly string[] => {
  const order = (key: string): number => CHANNELS.findIndex(channel => channel === parseKey(key).channel)
  return Object.keys(templates).toSorted(
    (one, other) => order(one) - order(other) || (one < other ? -1 : one > other ? 1 : 0)
  )
}

interface ChannelFields {
  /** Single lines above the editor. */
  readonly lines: readonly string[]
  /** Texts in the editor, the most important first. */
  readonly texts: readonly string[]
}

const FIELDS: Readonly<Record<string, ChannelFields>> = {
  CALL: { lines: [], texts: ['message'] },
  EMAIL: { lines: ['senderName', 'subject', 'previewText'], texts: ['html', 'text'] },
  INAPP_WEB: { lines: ['title', 'redirectURL', 'imageURL'], texts: ['body'] },
  PUSH: { lines: ['title'], texts: ['message'] },
  SLACK: { lines: ['username'], texts: ['text'] },
  SMS: { lines: ['from'], texts: ['message'] },
  WEB_PUSH: { lines: ['title', 'url', 'icon'], texts: ['message'] }
}

export const fieldsOf = (channel: string): ChannelFields => FIELDS[channel] ?? { lines: [], texts: ['text'] }

/** What a new template says. */
export function createTemplate(channel: string, title: string): Template {
  if (channel === 'EMAIL') return { html: `<p>${title}</p>`, subject: title }
  if (channel === 'INAPP_WEB') return { title }
  if (channel === 'PUSH' || channel === 'WEB_PUSH') return { message: title, title }
  return channel === 'SLACK' ? { text: title } : { message: title }
}

export const readField = (template: Template | undefined, name: string): string => {
  const value = template?.[name]
  return typeof value === 'string' ? value : ''
}

export function setField(content: TypeContent, key: string, name: string, value: string): TypeContent {
  const { [name]: _, ...rest } = content.templates[key] ?? {}
  const template = value === '' ? rest : { ...rest, [name]: value }
  return { ...content, templates: { ...content.templates, [key]: template } }
}

/** A channel with a template is one of the type, if the type names its channels. */
export function addTemplate(content: TypeContent, key: string, template: Template): TypeContent {
  const { channel } = parseKey(key)
  const channels =
    content.channels.length === 0 || !isChannel(channel) || content.channels.includes(channel)
      ? content.channels
      : [...content.channels, channel]
  return { ...content, channels, templates: { ...content.templates, [key]: template } }
}

export function removeTemplate(content: TypeContent, key: string): TypeContent {
  const { [key]: _, ...templates } = content.templates
  return { ...content, templates }
}

/** Key and field that a pointer names; pointers escape the slash of a key. */
export function findFault(fault: TemplateFault): { readonly key: string; readonly field: string } {
  const [, key = '', field = ''] = /\/templates\/([^/]*)\/?([^/]*)/.exec(fault.pointer ?? '') ?? []
  return { field, key: decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~') }
}
