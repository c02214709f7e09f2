// A file of notification types: from its text to types, or to faults with their lines.
//
// YAML or JSON. One type in a file, a list of them, or several YAML documents. The fields are those of
// PUT /:clientId/notifications/:id; `id` may be left out where the file holds one type, which then has the file's name.
//
//   # comment.yaml
//   title: New comment
//   retention: 30                      # days in the inbox
//   templates:
//     inapp:
//       title: '{{ author }} commented on {{ document.name }}'
//       url: /documents/{{ document.id }}
//     email:
//       subject: '{{ author }} commented on {{ document.name }}'
//       html: |
//         <p>{{ text }}</p>
//     email/de:                        # for sends with templateId: de
//       subject: ...

import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from 'yaml'

import { safeParse } from '../core/safe-parse.ts'
import { describeIssue } from '../http/parse-input.ts'
import { templateFaults, toNewType } from './check-templates.ts'
import { typeBody, type TypeBody } from './schema.ts'
import type { Renderer } from './templates/render.ts'
import { typeId } from './type-id.ts'
import type { NewType } from './type.ts'

export interface FileFault {
  /** From 1. */
  readonly line: number
  readonly detail: string
}

export interface TypeFile {
  readonly types: readonly NewType[]
  /** With any of these none of the types is to be applied. */
  readonly faults: readonly FileFault[]
}

const ENDING = /\.(?:ya?ml|json)$/i

/** Editors keep their own files beside the real ones: `.comment.yaml.swp`, `comment.yaml~`, `#comment.yaml#`. */
export const isTypeFile = (name: string): boolean => ENDING.test(name) && !/^[.#~]/.test(name)

/** @param name - of the file, without its folder */
export function parseTypeFile(name: string, text: string, renderer: Pick<Renderer, 'check'>): TypeFile {
  const lines = new LineCounter()
  // JSON is YAML as well.
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  if (!Array.isArray(documents)) return { faults: [], types: [] }
  const faults: FileFault[] = []
  const types: NewType[] = []
  for (const document of documents) {
    for (const { message, pos } of document.errors)
      faults.push({ detail: message, line: lines.linePos(pos[0]).line })
  }
  if (faults.length > 0) return { faults, types }

  const written = documents.flatMap(document => valuesOf(document, faults))
  for (const { document, path, value } of written) {
    const place = { document, lines }
    const read = safeParse(typeBody, value)
    for (const issue of read.error?.issues ?? []) {
      for (const fault of describeIssue(issue, path))
        faults.push({ detail: `${nameOf(fault.path)}${fault.detail}`, line: lineOf(place, fault.path) })
    }
    if (!read.success) continue
    const id = read.data.id ?? (written.length === 1 ? name.replace(ENDING, '') : undefined)
    if (id === undefined || !typeId.safeParse(id).success) {
      faults.push({ detail: 'Expected an id: the file holds several types.', line: lineOf(place, path) })
    } else if (types.some(type => type.id === id)) {
      faults.push({ detail: `The type ${id} stands here twice.`, line: lineOf(place, [...path, 'id']) })
    } else {
      faults.push(...liquidFaults(place, path, read.data, renderer))
      types.push(toNewType(id, read.data))
    }
  }
  return { faults, types }
}

interface Written {
  readonly document: Document
  readonly path: readonly PropertyKey[]
  readonly value: unknown
}

function valuesOf(document: Document, faults: FileFault[]): Written[] {
  try {
    const value: unknown = document.toJS()
    if (value === null || value === undefined) return []
    if (!Array.isArray(value)) return [{ document, path: [], value }]
    return value.map((item: unknown, i) => ({ document, path: [i], value: item }))
  } catch (error) {
    // Aliases of aliases of aliases.
    faults.push({ detail: (error as Error).message, line: 1 })
    return []
  }
}

interface Place {
  readonly document: Document
  readonly lines: LineCounter
}

function liquidFaults(
  place: Place,
  path: readonly PropertyKey[],
  { templates = [] }: TypeBody,
  renderer: Pick<Renderer, 'check'>
): FileFault[] {
  return templates.flatMap(entry => {
    const at = [...path, 'templates', entry.key]
    return templateFaults(renderer, entry).map(({ detail, pointer }) => {
      const field = [...at, ...pointer.slice(2).split('/')]
      const node = place.document.getIn(field, true)
      const within = /^Line (\d+), column \d+: /.exec(detail)
      // Of a text that keeps its lines we know the very line.
      const exact = within && isScalar(node) && node.type === 'BLOCK_LITERAL'
      return {
        detail: `${nameOf(field)}${exact ? detail.slice(within[0].length) : detail}`,
        line: lineOf(place, field) + (exact ? Number(within[1]) : 0)
      }
    })
  })
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? '' : `${path.map(String).join('.')}: `

/** Line of the last part of the path that is there. */
function lineOf({ document, lines }: Place, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const part of path) {
    let found: Node | undefined
    if (isMap(node)) {
      const pair = node.items.find(item => isScalar(item.key) && String(item.key.value) === String(part))
      found = pair?.key as Node | undefined
      node = pair?.value
    } else if (isSeq(node)) {
      found = node.items[Number(part)] as Node | undefined
      node = found
    }
    if (!found?.range) break
    offset = found.range[0]
  }
  return lines.linePos(offset).line
}
