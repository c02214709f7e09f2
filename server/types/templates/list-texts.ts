// Lists the texts of a content with their kinds, also those in lists and objects.

import type { Channel } from '#protocol'

import { FIELDS, type Field, type TemplateContent } from './content.ts'

export interface FieldText extends Field {
  /** With dots for elements of lists and objects. */
  readonly name: string
  readonly text: string
}

const OTHER_FIELD: Field = { isRequired: false, kind: 'text' }

export function listTexts(channel: Channel, content: TemplateContent): FieldText[] {
  const texts: FieldText[] = []
  for (const name of Object.keys(content)) {
    collect(content[name], { fields: FIELDS[channel], kindName: name, name }, texts)
  }
  return texts
}

interface Place {
  readonly fields: ReadonlyMap<string, Field>
  readonly name: string
  /** Without positions in lists: the name of the field in `fields`. */
  readonly kindName: string
  /** Of the list or object that contains the value. */
  readonly outer?: Field
}

function collect(value: unknown, { fields, kindName, name, outer }: Place, texts: FieldText[]): void {
  const field = fields.get(kindName) ?? outer ?? OTHER_FIELD
  if (typeof value === 'string') texts.push({ ...field, name, text: value })
  else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    for (const [key, member] of Object.entries(value)) {
      const place = { fields, kindName: isList ? kindName : `${kindName}.${key}`, name: `${name}.${key}` }
      collect(member, { ...place, outer: field }, texts)
    }
  }
}
