// Data for the completion of tags and attributes in editors: VS Code's custom data and JetBrains' web-types.

import { VERSION } from '../../server/process/version.ts'
import type { Element } from './elements.ts'

interface Named {
  readonly name: string
  readonly description?: string | undefined
  readonly type?: { readonly text: string } | undefined
}

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, word]) => word!)

/** Values that an editor offers: members of a union of texts; for a named type the values in the description. */
function words({ description = '', type }: Named): readonly string[] {
  const text = type?.text ?? ''
  return /^[A-Z]/.test(text) ? matches(description, /`([A-Z_]+)`/g) : matches(text, /'([^']*)'/g)
}

/** Without named types, which editors cannot resolve. */
const typeOf = (one: Named): string =>
  words(one)
    .map(word => `'${word}'`)
    .join(' | ') ||
  (one.type?.text ?? 'string')

/** Name and description of each, with the fields that `more` returns. */
const list = <T extends Named>(
  all: readonly T[] | undefined,
  more: (one: T) => object = () => ({})
): object[] =>
  (all ?? []).map(one => Object.assign({ description: one.description, name: one.name }, more(one)))

export const customData = (elements: readonly Element[]): object => ({
  version: 1.1,
  tags: elements.map(({ attributes, description, tagName }) => ({
    name: tagName,
    description,
    attributes: list(attributes, one => ({
      valueSet: one.type?.text === 'boolean' ? 'v' : undefined,
      values: words(one).map(name => ({ name }))
    }))
  }))
})

export const webTypes = (elements: readonly Element[]): object => ({
  $schema: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
  name: 'notif-kit',
  version: VERSION,
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: elements.map(element => ({
        name: element.tagName,
        description: element.description,
        attributes: list(element.attributes, one => ({ value: { type: typeOf(one) } })),
        slots: list(element.slots),
        js: {
          events: list(element.events),
          properties: list(
            element.members?.filter(({ kind }) => kind === 'field'),
            ({ type }) => ({ type: type?.text })
          )
        },
        css: { parts: list(element.cssParts), properties: list(element.cssProperties) }
      }))
    }
  }
})
