// Explains what became of the in-app notification of a send: what its user did with it, how it was updated, and its webhooks. Pure.

import type { ChannelExplanation, MessageText } from '../client/logs.ts'
import type { ItemUpdates } from '../inbox/item.ts'
import type { DeliveryFacts, ItemFacts } from './delivery-facts.ts'
import { toContent } from './explain-delivery.ts'
import { explainWebhooks } from './explain-webhook.ts'

/** Of a notification that was added to the inbox. */
export function explainInApp({
  item,
  webhooks: facts
}: DeliveryFacts): Pick<
  ChannelExplanation,
  'clickedAt' | 'content' | 'explanation' | 'openedAt' | 'seenAt' | 'updates' | 'webhooks'
> {
  const webhooks = facts ? explainWebhooks(facts) : []
  const updates = item?.updates ? explainUpdates(item.updates) : undefined
  const content = describeItem(item)
  const sentences = [
    explainItem(item),
    ...(updates ? [updates.explanation] : []),
    ...webhooks.map(one => one.explanation)
  ]
  return {
    explanation: `INAPP_WEB: ${sentences.join(' ')}`,
    ...(content && { content }),
    ...(item && !item.removed && describeMarks(item)),
    ...(updates && { updates }),
    ...(webhooks.length > 0 && { webhooks })
  }
}

function describeItem(item: ItemFacts | undefined): MessageText | undefined {
  if (typeof item?.title !== 'string') return undefined
  return item.text ? toContent(item.title, item.text) : { text: item.title }
}

const describeMarks = ({ clickedAt, openedAt, seenAt }: ItemFacts) => ({
  ...(seenAt && { seenAt: seenAt.toISOString() }),
  ...(openedAt && { openedAt: openedAt.toISOString() }),
  ...(clickedAt && { clickedAt: clickedAt.toISOString() })
})

function explainItem(item: ItemFacts | undefined): string {
  if (!item) return 'it was added to the inbox, and deleted there when its retention ended.'
  if (item.removed) return 'it was added to the inbox, and retracted or expired later.'
  const marks = [
    ['seen', item.seenAt],
    ['opened', item.openedAt],
    ['clicked', item.clickedAt],
    ['first button pressed', item.actioned1At],
    ['second button pressed', item.actioned2At],
    ['archived', item.archivedAt]
  ] as const
  const told = [
    ...marks.flatMap(([name, at]) => (at ? [`${name} at ${at.toISOString()}`] : [])),
    ...(item.openedAt || item.archivedAt || item.clickedAt ? [] : ['not opened yet']),
    ...(item.snoozedUntil ? [`snoozed until ${item.snoozedUntil.toISOString()}`] : [])
  ]
  return `it is in the inbox, ${told.join(', ')}.`
}

function explainUpdates({
  at,
  count,
  fields,
  newAt
}: ItemUpdates): NonNullable<ChannelExplanation['updates']> {
  const times = count === 1 ? `once, at ${at}` : `${count} times, the last time at ${at}`
  const isNew = newAt === undefined ? '' : `, and became new again at ${newAt}`
  return {
    at,
    count,
    explanation: `The back end updated it ${times} (${fields.join(', ')})${isNew}.`,
    fields,
    ...(newAt !== undefined && { newAt })
  }
}
