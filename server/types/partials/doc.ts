// The API reference of layouts and partials.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import type { PartialKind } from './partials.sql.ts'
import { partialBody } from './schema.ts'

const head = { id: z.string(), updatedAt: instant }
const whole = z.object({ ...head, text: z.string() })

const WORDS = {
  layouts: {
    example: 'brand',
    one: 'Layout',
    removal: 'deleteLayout',
    text: '<main>{{ content_for_layout }}</main>'
  },
  partials: {
    example: 'button',
    one: 'Partial',
    removal: 'deletePartial',
    text: '<a href="{{ url }}">{{ label }}</a>'
  }
} as const

export function partialDocs(kind: PartialKind): { list: Doc; read: Doc; put: Doc; delete: Doc } {
  const { example, one, removal, text } = WORDS[kind]
  const what = `a ${one.toLowerCase()}`
  const params = { partialId: example }
  const none = { name: 'Unknown id', params: { partialId: 'nothing' }, status: 404 }
  return {
    delete: {
      conditional: true,
      description: 'Rendering a template that still uses it fails.',
      examples: [{ name: 'Delete', params, status: 204 }, none],
      operationId: removal,
      summary: `Delete ${what}`,
      tag: 'types'
    },
    list: {
      answer: z.object({ [kind]: z.array(z.object(head)) }),
      examples: [{ name: 'All', status: 200 }],
      impersonal: true,
      operationId: `list${one}s`,
      summary: `List the ${kind} of the environment, without their text`,
      tag: 'types'
    },
    put: {
      answer: whole,
      body: partialBody,
      conditional: true,
      description:
        kind === 'layouts'
          ? "A template that begins with `{% layout 'brand' %}` is inserted at `{{ content_for_layout }}` of the layout."
          : "A template inserts the partial with `{% render 'button', url: link, label: 'Open' %}`. A partial can read the values of its template and those that are passed.",
      examples: [
        { body: { text }, name: 'Create', params, status: 201 },
        { body: { text }, name: 'Replace', params, status: 200 },
        { body: { text: '{% if a %}' }, name: 'Syntax error', params, status: 422 }
      ],
      operationId: `put${one}`,
      summary: `Create or replace ${what}`,
      tag: 'types'
    },
    read: {
      answer: whole,
      examples: [{ name: 'Read', params, status: 200 }, none],
      impersonal: true,
      operationId: `get${one}`,
      summary: `Get ${what}`,
      tag: 'types'
    }
  }
}
