// Checks the templates of a type, and converts the body of a type to the stored form.

import { toPointer } from '../http/parse-input.ts'
import type { FieldProblem } from '../http/problem.ts'
import type { TemplateEntry, TypeBody } from './schema.ts'
import type { Renderer } from './templates/render.ts'
import { typeSettings, type NewType } from './type.ts'

/** The place that the detail of a fault begins with. */
const PLACE = /^Line (\d+), column (\d+): /

/** @returns line and column of a fault, both from 1; nothing if its place is not known */
export function placeOf(detail: string): Pick<FieldProblem, 'line' | 'column'> {
  const [, line, column] = PLACE.exec(detail) ?? []
  return line === undefined ? {} : { column: Number(column), line: Number(line) }
}

/** @returns faults of Liquid; the pointer names the field, the detail begins with line and column */
export function templateFaults(
  renderer: Pick<Renderer, 'check'>,
  { channel, content }: Pick<TemplateEntry, 'channel' | 'content'>,
  path: readonly PropertyKey[] = []
): FieldProblem[] {
  return renderer.check(channel, content).map(({ field, detail }) => {
    const pointer = toPointer([...path, ...field.split('.')])
    return Object.assign({ detail, pointer }, placeOf(detail))
  })
}

export function templatesFaults(
  renderer: Pick<Renderer, 'check'>,
  { templates = [] }: Pick<TypeBody, 'templates'>
): FieldProblem[] {
  return templates.flatMap(entry => templateFaults(renderer, entry, ['templates', entry.key]))
}

export function toNewType(
  id: string,
  { channels, templates, title = id, ...settings }: Omit<TypeBody, 'id'>
): NewType {
  return {
    channels: channels ?? [],
    id,
    settings: typeSettings.parse(settings),
    title,
    ...(templates && { templates: templates.map(({ channel, content, id }) => ({ channel, content, id })) })
  }
}
