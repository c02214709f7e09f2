// The API reference of versions of types.

import { z } from 'zod'

import { instant, next } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { COMMENT, whole } from '../doc.ts'
import { diffQuery, draftBody, exportQuery, publishBody, versionsQuery } from './schema.ts'
import { MAX_TYPE_VERSIONS } from './version.ts'

const versionHead = z.object({
  number: z.int(),
  createdAt: instant,
  createdBy: z.string().meta({
    description:
      '`secret`, `key:` and the name of an API key, the name of an operator in the audit log, or `files`.'
  }),
  note: z.string().optional(),
  isPublished: z.boolean()
})

export const fieldFault = z.object({
  pointer: z.string(),
  detail: z.string(),
  line: z.int().optional(),
  column: z.int().optional()
})

const version = z.object({
  ...versionHead.shape,
  faults: z.array(fieldFault).meta({
    description: 'Templates that do not parse. A draft may have some; it cannot be published.'
  }),
  type: whole.omit({ managedBy: true, updatedAt: true, version: true })
})

const unknownType = { name: 'Unknown type', params: { id: 'nothing' }, status: 404 }

export const listDoc: Doc = {
  answer: z.object({
    versions: z.array(versionHead),
    publications: z
      .array(z.object({ at: instant, by: z.string(), version: z.int() }))
      .meta({ description: 'On the first page: when which version was published, newest first.' }),
    next
  }),
  description: `Newest first. A type keeps its last ${MAX_TYPE_VERSIONS} versions, and the published one.`,
  examples: [{ name: 'First page', query: { count: '10' }, status: 200 }, unknownType],
  operationId: 'listTypeVersions',
  query: versionsQuery,
  summary: 'List the saved versions of a type',
  tag: 'types'
}

export const readDoc: Doc = {
  answer: version,
  examples: [
    { name: 'Published', params: { version: 'published' }, status: 200 },
    { name: 'Unknown number', params: { version: '999' }, status: 404 }
  ],
  operationId: 'getTypeVersion',
  summary: 'Get a version of a type with its templates',
  tag: 'types'
}

export const draftDocs: { readonly read: Doc; readonly save: Doc } = {
  read: {
    answer: version,
    description:
      'The newest version, published or not. Its ETag, in `If-Match` of the next save, keeps two editors from overwriting each other. A type that a send created has the version 0 until it is saved.',
    examples: [{ name: 'Newest', status: 200 }, unknownType],
    operationId: 'getTypeDraft',
    summary: 'Get the newest version of a type',
    tag: 'types'
  },
  save: {
    answer: version,
    body: draftBody,
    conditional: true,
    description:
      'Saves a version that no send uses until it is published. Templates of an absent `templates` are those of the newest version. Content that equals the newest version adds none. Templates that do not parse are saved as well, and named in `faults`. The type must exist: create it with PUT, with `enabled: false` if nothing may be sent yet.',
    examples: [
      { body: { ...COMMENT, note: 'Shorter', title: 'Comment' }, name: 'Draft', status: 201 },
      { body: { ...COMMENT, title: 'Comment' }, name: 'Same as the newest version', status: 200 },
      {
        body: { templates: { SMS: { message: '{{ author' } } },
        name: 'Template with a fault',
        params: { id: 'mention' },
        status: 201
      },
      { ...unknownType, body: COMMENT },
      { body: { titel: 'Comment' }, name: 'Misspelt field', status: 422 }
    ],
    operationId: 'putTypeDraft',
    problems: [409],
    summary: 'Save a version of a type without publishing it',
    tag: 'types'
  }
}

export const publishDoc: Doc = {
  answer: whole,
  body: publishBody,
  conditional: true,
  description:
    'The next send uses the version; other nodes notice within seconds. `If-Match` is the ETag of the type. 422: a template does not parse, or uses a layout or partial that does not exist.',
  examples: [
    { body: { version: 1 }, name: 'Roll back', status: 200 },
    { body: { version: 999 }, name: 'Unknown number', status: 404 },
    { body: {}, name: 'No number', status: 422 }
  ],
  operationId: 'publishTypeVersion',
  problems: [409],
  summary: 'Publish a version of a type, or roll back to an older one',
  tag: 'types'
}

export const diffDoc: Doc = {
  answer: z.object({
    from: z.int(),
    to: z.int(),
    added: z.int().meta({ description: 'Lines.' }),
    removed: z.int(),
    diff: z.string().meta({ description: 'Unified diff of the file form; an empty text if nothing differs.' })
  }),
  examples: [
    { name: 'Draft against what is published', status: 200 },
    { name: 'Two versions', query: { from: '1', to: 'latest' }, status: 200 },
    { name: 'Wrong name', query: { from: 'old' }, status: 422 }
  ],
  operationId: 'diffTypeVersions',
  query: diffQuery,
  summary: 'Compare two versions of a type',
  tag: 'types'
}

export const exportDoc: Doc = {
  answer: z.object({ file: z.string(), text: z.string().meta({ description: 'YAML.' }) }),
  description: 'The text is a file of `NOTIF_TYPES_DIR`, and the body of a PUT in YAML.',
  examples: [{ name: 'Published', status: 200 }, unknownType],
  operationId: 'exportType',
  query: exportQuery,
  summary: 'Get a type as a file',
  tag: 'types'
}
