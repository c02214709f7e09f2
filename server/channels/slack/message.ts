// Builds messages to Slack, with all fields of its API that change their appearance.
//
// https://api.slack.com/methods/chat.postMessage

import { SLACK_CONNECTIONS } from '../../config/connections.ts'
import type { Json } from '../../db/db.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import type { Channel, Delivery, MessageResult } from '../channel.ts'
import { renderContent, rejectMessage, type ChannelOptions } from '../content.ts'
import { unescapeSlack } from './escape.ts'

export interface SlackMessage {
  /** Channel or member, by name or id. */
  readonly to: string
  readonly text: string
  /** Tracking id. */
  readonly reference: string
  /** Arguments of chat.postMessage besides `channel` and `text`. The sandbox shows them by this name. */
  readonly more: { readonly [name: string]: Json }
}

type Fields = Readonly<Record<string, string>>

/** An attempt may search for a member first. */
const TIMEOUT_MS = 30_000

/** Returns the content with rendered texts. Other values are not changed. */
function insertTexts(value: unknown, name: string, fields: Fields): Json {
  if (typeof value === 'string') {
    const text = fields[name] ?? ''
    return /url$/i.test(name) ? unescapeSlack(text) : text
  }
  if (Array.isArray(value)) return value.map((member, i) => insertTexts(member, `${name}.${i}`, fields))
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, insertTexts(member, `${name}.${key}`, fields)])
  )
}

/** The field `icon` is an address or an emoji, for which Slack has two arguments. */
const buildIcon = (icon: string): { readonly [name: string]: Json } =>
  /^https?:/.test(icon)
    ? { icon_url: unescapeSlack(icon) }
    : { icon_emoji: icon.startsWith(':') ? icon : `:${icon}:` }

/** Fields that are not arguments of the same name. */
const OWN_FIELDS = new Set(['icon', 'text'])

function buildArguments(content: TemplateContent, fields: Fields): SlackMessage['more'] {
  const args = Object.entries(content)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => [name, insertTexts(value, name, fields)] as const)
    .filter(([, value]) => value !== '')
  return { ...Object.fromEntries(args), ...(fields['icon'] && buildIcon(fields['icon'])) }
}

export function createSlackChannel({
  provider,
  ...context
}: ChannelOptions<SlackMessage>): Channel<SlackMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<SlackMessage>> {
      const { body, sendId } = delivery
      const rendered = await renderContent(context, 'SLACK', delivery, { slackChannel: body.to })
      if (!rendered.ok) return rendered
      // A digest of several items has text only: Slack would show the blocks of one item instead of all texts.
      const { content = {}, fields } = rendered
      const text = fields['text'] ?? ''
      if (text === '') return rejectMessage('empty', 'The message is empty.')
      return {
        message: { more: buildArguments(content, fields), reference: sendId, text, to: body.to },
        ok: true
      }
    },
    describe: ({ text }) => ({ text }),
    name: 'SLACK',
    provider,
    concurrency: SLACK_CONNECTIONS,
    timeoutMs: TIMEOUT_MS,
    // A repeated message disturbs less than a missing one.
    whenUncertain: 'retry'
  }
}
