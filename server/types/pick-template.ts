// Picks the template of a channel for a send: first by the template id of the send, then by the language of the user.

import { localeFallbacks } from '../core/locale.ts'
import type { TemplateContent } from './templates/content.ts'
import { readVariant } from './variant.ts'

/** Without a template of the id, a default template is picked. */
export interface TemplateChoice {
  readonly templateId?: string | undefined
  /** BCP 47: `de-AT` picks `@de-AT`, else `@de`, else the template without a language. */
  readonly locale?: string | undefined
}

/** @returns the name of the template, `''` for the default; undefined if there is none */
export function pickTemplate(
  templates: ReadonlyMap<string, TemplateContent> | undefined,
  { templateId, locale }: TemplateChoice
): string | undefined {
  if (!templates) return undefined
  const suffixes = [...(locale === undefined ? [] : localeFallbacks(locale).map(name => `@${name}`)), '']
  for (const id of templateId ? [templateId, ''] : ['']) {
    const suffix = suffixes.find(one => templates.has(id + one))
    if (suffix !== undefined) return id + suffix
  }
  return undefined
}

export const isVariantOf = (picked: string, templateId: string): boolean =>
  picked === templateId || readVariant(picked).id === templateId
