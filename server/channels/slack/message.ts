// Slack: what a message says, with everything that Slack knows about how it looks (spec/wire.md 7.1).

import { SLACK_CONNECTIONS } from '../../config/connections.ts'
import type { Json } from '../../db/db.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../channel.ts'
import { renderContent, unmakeable, type Desk } from '../content.ts'
import { plain } from './escape.ts'

export interface SlackMessage {
  /** Channel or person, as somebody wrote it. */
  readonly to: string
  readonly text: string
  /** Tracking id. */
  readonly reference: string
  /** Arguments of chat.postMessage beside channel and text. */
  readonly more: { readonly [name: string]: Json }
}

interface SlackOptions extends Desk {
  readonly provider: Provider<SlackMessage>
}

type Fields = Readonly<Record<string, string>>

/** Milliseconds of one try: it may have to look for a person first. */
const TIMEOUT = 30_000

/** The content with its texts rendered, and all else as it was. */
function filled(value: unknown, name: string, fields: Fields): Json {
  if (typeof value === 'string') {
    const text = fields[name] ?? ''
    return /url$/i.test(name) ? plain(text) : text
  }
  if (Array.isArray(value)) return value.map((member, i) => filled(member, `${name}.${i}`, fields))
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, `${name}.${key}`, fields)])
  )
}

/** One field here, two at Slack. */
const iconOf = (icon: string): { readonly [name: string]: Json } =>
  /^https?:/.test(icon)
    ? { icon_url: plain(icon) }
    : { icon_emoji: icon.startsWith(':') ? icon : `:${icon}:` }

/** What goes under another name. */
const OWN = new Set(['icon', 'text'])

function moreOf(content: TemplateContent, fields: Fields): SlackMessage['more'] {
  const more = Object.entries(content)
    .filter(([name]) => !OWN.has(name))
    .map(([name, value]) => [name, filled(value, name, fields)] as const)
    .filter(([, value]) => value !== '')
  return { ...Object.fromEntries(more), ...(fields['icon'] && iconOf(fields['icon'])) }
}

export function slackChannel({ provider, ...desk }: SlackOptions): Channel<SlackMessage> {
  const makeMessage = async (delivery: Delivery): Promise<MessageResult<SlackMessage>> => {
    const { body, sendId } = delivery
    const said = await renderContent(desk, 'SLACK', delivery, { slackChannel: body.to })
    if (!said.ok) return said
    // Slack shows blocks instead of the text: of several together, only the text says all.
    const { content = {}, fields } = said
    const text = fields['text'] ?? ''
    if (text === '') return unmakeable('empty', 'The message says nothing.')
    return { message: { more: moreOf(content, fields), reference: sendId, text, to: body.to }, ok: true }
  }
  return {
    makeMessage,
    name: 'SLACK',
    provider,
    concurrency: SLACK_CONNECTIONS,
    timeoutMs: TIMEOUT,
    // Better twice than never.
    whenUncertain: 'retry'
  }
}
