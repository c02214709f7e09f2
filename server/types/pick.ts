// Which of a channel's templates a send gets.

import type { TemplateContent } from '../templates/content.ts'

/** @returns its id, `''` for the default one; undefined where there is none */
export function pickTemplate(
  templates: ReadonlyMap<string, TemplateContent> | undefined,
  templateId: string | undefined
): string | undefined {
  if (templateId !== undefined && templates?.has(templateId)) return templateId
  return templates?.has('') ? '' : undefined
}
