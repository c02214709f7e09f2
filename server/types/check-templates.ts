// From what was written to what is stored: the templates parsed, every fault named by its place.

import { toPointer } from '../http/parse-input.ts'
import type { FieldProblem } from '../http/problem.ts'
import type { TemplateEntry, TypeBody } from './schema.ts'
import type { Renderer } from './templates/render.ts'
import { typeSettings, type NewType } from './type.ts'

/** Faults of Liquid, with line and column inside the field that the pointer names. */
export function templateFaults(
  renderer: Pick<Renderer, 'check'>,
  { channel, content }: Pick<TemplateEntry, 'channel' | 'content'>,
  path: readonly PropertyKey[] = []
): FieldProblem[] {
  return renderer
    .check(channel, content)
    .map(({ field, detail }) => ({ detail, pointer: toPointer([...path, ...field.split('.')]) }))
}

export function typeFaults(
  renderer: Pick<Renderer, 'check'>,
  { templates = [] }: Pick<TypeBody, 'templates'>
): FieldProblem[] {
  return templates.flatMap(entry => templateFaults(renderer, entry, ['templates', entry.key]))
}

export function toNewType(
  id: string,
  { title, channels, templates, adHoc, deduplication, enabled, options, retention, throttling }: TypeBody
): NewType {
  return {
    channels: channels ?? [],
    id,
    settings: typeSettings.parse({ adHoc, deduplication, enabled, options, retention, throttling }),
    title: title ?? id,
    ...(templates && { templates: templates.map(({ channel, content, id }) => ({ channel, content, id })) })
  }
}
