// Which of a channel's templates a send gets: the id that it names comes before the language of its user.

import { localeFallbacks } from '../core/locale.ts'
import type { TemplateContent } from './templates/content.ts'
import { readVariant } from './variant.ts'

/** What was asked for; without a template of that id it is one of the default ones. */
export interface Wish {
  readonly templateId?: string | undefined
  /** BCP 47: `de-AT` takes `@de-AT`, else `@de`, else the one without a language. */
  readonly locale?: string | undefined
}

/** @returns its name, `''` for the default one; undefined where there is none */
export function pickTemplate(
  templates: ReadonlyMap<string, TemplateContent> | undefined,
  { templateId, locale }: Wish
): string | undefined {
  if (!templates) return undefined
  const ends = [...(locale === undefined ? [] : localeFallbacks(locale).map(name => `@${name}`)), '']
  for (const id of templateId ? [templateId, ''] : ['']) {
    const end = ends.find(one => templates.has(id + one))
    if (end !== undefined) return id + end
  }
  return undefined
}

/** Whether a template that was picked is of the id, in whatever language. */
export const isOfId = (picked: string, templateId: string): boolean =>
  picked === templateId || readVariant(picked).id === templateId
