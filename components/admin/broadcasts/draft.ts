// The broadcast that is being written: what the form holds, and the request that it becomes. Knows no document.

import type { Audience, Broadcast, BroadcastRequest } from '../api/broadcasts.ts'

export type AudienceKind = 'everyone' | 'properties' | 'topic'
export type Timing = 'at' | 'local' | 'now'

export interface Draft {
  readonly kind: AudienceKind
  readonly topic: string
  readonly property: string
  readonly value: string
  readonly type: string
  readonly timing: Timing
  /** As a field of dates and times gives it: without a zone. */
  readonly time: string
  readonly title: string
  readonly body: string
  /** 0: as fast as it goes. */
  readonly perSecond: number
}

export const EMPTY_DRAFT: Draft = {
  body: '',
  kind: 'everyone',
  perSecond: 0,
  property: '',
  time: '',
  timing: 'now',
  title: '',
  topic: '',
  type: '',
  value: ''
}

/** Numbers and truth values are written without quotes. */
function toValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? text : value
  } catch {
    return text
  }
}

/** @returns undefined until something is chosen */
export function toAudience({ kind, property, topic, value }: Draft): Audience | undefined {
  if (kind === 'everyone') return { everyone: true }
  if (kind === 'topic') return topic === '' ? undefined : { topic }
  return property === '' || value === '' ? undefined : { properties: { [property]: toValue(value) } }
}

/** @returns undefined while something that is needed is missing */
export function toRequest(draft: Draft): BroadcastRequest | undefined {
  const to = toAudience(draft)
  const { body, perSecond, time, timing, title, type } = draft
  if (!to || type === '' || (timing !== 'now' && time === '')) return undefined
  return {
    to,
    type,
    ...(title !== '' && { inapp: { title, ...(body !== '' && { body }) } }),
    ...(timing === 'at' && { schedule: new Date(time).toISOString() }),
    ...(timing === 'local' && { localTime: time }),
    ...(perSecond > 0 && { perSecond })
  }
}

/** What a list calls an audience. */
export function nameAudience(to: Audience, everybody: string): string {
  if ('topic' in to) return to.topic
  if ('everyone' in to) return everybody
  return Object.entries(to.properties)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

/** Its title, or its type where templates have the title. */
export function nameBroadcast({ send }: Broadcast): string {
  const { inapp, type } = send as { readonly inapp?: { readonly title?: string }; readonly type: string }
  return inapp?.title ?? type
}
