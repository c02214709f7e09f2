// What the reference says about layouts and partials.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import type { PieceKind } from './partials.sql.ts'
import { pieceBody } from './schema.ts'

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

export function pieceDocs(kind: PieceKind): { list: Doc; read: Doc; put: Doc; delete: Doc } {
  const { example, one, removal, text } = WORDS[kind]
  const what = `a ${one.toLowerCase()}`
  const params = { pieceId: example }
  const none = { name: 'There is none', params: { pieceId: 'nothing' }, status: 404 }
  return {
    delete: {
      description: 'A template that still names it fails when it is rendered.',
      examples: [{ name: 'Delete', params, status: 204 }, none],
      operationId: removal,
      summary: `Remove ${what}`,
      tag: 'types'
    },
    list: {
      answer: z.object({ [kind]: z.array(z.object(head)) }),
      examples: [{ name: 'All of them', status: 200 }],
      operationId: `list${one}s`,
      summary: `List the ${kind} of the environment, without their texts`,
      tag: 'types'
    },
    put: {
      answer: whole,
      body: pieceBody,
      description:
        kind === 'layouts'
          ? "A template begins with `{% layout 'brand' %}`; what follows stands at `{{ content_for_layout }}`."
          : "A template says `{% render 'button', url: link, label: 'Open' %}`. A partial sees what its template sees, and those values.",
      examples: [
        { body: { text }, name: 'Create', params, status: 201 },
        { body: { text }, name: 'Replace', params, status: 200 },
        { body: { text: '{% if a %}' }, name: 'It does not parse', params, status: 422 }
      ],
      operationId: `put${one}`,
      summary: `Create or replace ${what}`,
      tag: 'types'
    },
    read: {
      answer: whole,
      examples: [{ name: 'Read', params, status: 200 }, none],
      operationId: `get${one}`,
      summary: `Get ${what}`,
      tag: 'types'
    }
  }
}
