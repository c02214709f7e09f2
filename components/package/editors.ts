// What editors ask for to complete tags and attributes: VS Code's custom data and JetBrains' web-types.

import type { Element } from './elements.ts'
import { VERSION } from '../../server/version.ts'

/** The words of a union of texts, which an editor can offer. */
const words = (type: string | undefined): readonly string[] =>
  [...(type ?? '').matchAll(/'([^']*)'/g)].map(([, word]) => word!)

interface Named {
  readonly name: string
  readonly description?: string | undefined
}

/** Name and words of each, and what else `more` says of it. */
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
    attributes: list(attributes, ({ type }) => ({
      valueSet: type?.text === 'boolean' ? 'v' : undefined,
      values: words(type?.text).map(name => ({ name }))
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
        attributes: list(element.attributes, ({ type }) => ({ value: { type: type?.text ?? 'string' } })),
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
