// Finds what is incomplete in a notification type: channels and languages without a template. Pure.

import type { Channel } from '#protocol'

import { localeFallbacks } from '../../core/locale.ts'
import { readVariant } from '../../types/variant.ts'

export interface Incomplete {
  readonly code: 'missing-template' | 'missing-language' | 'missing-variables'
  readonly detail: string
  readonly channel?: Channel
  readonly locale?: string
}

export interface TypeTemplates {
  /** Channels that the type names. */
  readonly channels: readonly Channel[]
  /** Names of the templates of each channel (types/variant.ts). */
  readonly names: ReadonlyMap<Channel, readonly string[]>
}

/** Languages of the default templates, by channel; `''`: without a language. */
export const localesByChannel = (
  names: TypeTemplates['names']
): Partial<Record<Channel, readonly string[]>> =>
  Object.fromEntries(
    [...names].map(([channel, own]) => [
      channel,
      own
        .map(readVariant)
        .filter(({ id }) => id === '')
        .map(({ locale = '' }) => locale)
        .toSorted()
    ])
  )

export function findIncomplete({ channels, names }: TypeTemplates): Incomplete[] {
  // Sends of a type without templates have content of their own.
  if (names.size === 0) return []
  const locales = localesByChannel(names)
  const used = channels.length > 0 ? channels : [...names.keys()]
  const withDefault = used.filter(channel => (locales[channel]?.length ?? 0) > 0)
  const missing = used
    .filter(channel => !withDefault.includes(channel))
    .map((channel): Incomplete => ({
      channel,
      code: 'missing-template',
      detail: `${channel} has no default template.`
    }))
  const languages = new Set(
    withDefault.flatMap(channel => locales[channel] ?? []).filter(locale => locale !== '')
  )
  for (const locale of [...languages].toSorted()) {
    for (const channel of withDefault) {
      const own = locales[channel]!
      if (localeFallbacks(locale).some(name => own.includes(name))) continue
      const others = withDefault.filter(other => locales[other]!.includes(locale)).join(', ')
      const detail = `${channel} has no template for ${locale}, unlike ${others}.`
      missing.push({ channel, code: 'missing-language', detail, locale })
    }
  }
  return missing
}
