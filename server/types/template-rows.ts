// Groups the stored templates of a type by channel and name. Pure.

import { CHANNELS, type Channel } from '#protocol'

import type { TemplateContent } from './templates/content.ts'

export interface TemplateRow {
  readonly channel: string
  readonly id: string
  readonly content: TemplateContent
}

export const isChannel = (name: string): name is Channel => (CHANNELS as readonly string[]).includes(name)

/** Channels of a later version of the server are left out. */
export function templatesByChannel(rows: readonly TemplateRow[]): Map<Channel, Map<string, TemplateContent>> {
  const byChannel = new Map<Channel, Map<string, TemplateContent>>()
  for (const { channel, content, id } of rows) {
    if (!isChannel(channel)) continue
    const byName = byChannel.get(channel) ?? new Map<string, TemplateContent>()
    byChannel.set(channel, byName.set(id, content))
  }
  return byChannel
}
