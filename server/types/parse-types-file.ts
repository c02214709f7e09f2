// Parses a file of notification types to types, or to faults with line numbers.
//
// YAML or JSON: one type, a list of types, or several YAML documents. The fields are those of PUT /:clientId/notifications/:id. If a
// file contains one type, `id` may be absent; it is then the name of the file.
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
  /** If there are any, no type of the file is applied. */
  readonly faults: readonly FileFault[]
}

const EXTENSION = /\.(?:ya?ml|json)$/i

/** Ignores the temporary files of editors, such as `.comment.yaml.swp` and `#comment.yaml#`. */
export const isTypeFile = (name: string): boolean => EXTENSION.test(name) && !/^[.#~]/.test(name)

/** @param name - without the folder */
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

  const values = documents.flatMap(document => readValues(document, faults))
  for (const { document, path, value } of values) {
    const source = { document, lines }
    const parsed = safeParse(typeBody, value)
    for (const issue of parsed.error?.issues ?? []) {
      for (const fault of describeIssue(issue, path))
        faults.push({
          detail: `${pathPrefix(fault.path)}${fault.detail}`,
          line: findLine(source, fault.path)
        })
    }
    if (!parsed.success) continue
    const id = parsed.data.id ?? (values.length === 1 ? name.replace(EXTENSION, '') : undefined)
    if (id === undefined || !typeId.safeParse(id).success) {
      faults.push({
        detail: 'Expected an id, because the file contains several types.',
        line: findLine(source, path)
      })
    } else if (types.some(type => type.id === id)) {
      faults.push({
        detail: `The type ${id} is in this file twice.`,
        line: findLine(source, [...path, 'id'])
      })
    } else {
      faults.push(...liquidFaults(source, path, parsed.data, renderer))
      types.push(toNewType(id, parsed.data))
    }
  }
  return { faults, types }
}

interface FileValue {
  readonly document: Document
  readonly path: readonly PropertyKey[]
  readonly value: unknown
}

function readValues(document: Document, faults: FileFault[]): FileValue[] {
  try {
    const value: unknown = document.toJS()
    if (value === null || value === undefined) return []
    if (!Array.isArray(value)) return [{ document, path: [], value }]
    return value.map((item: unknown, i) => ({ document, path: [i], value: item }))
  } catch (error) {
    // Too many nested aliases.
    faults.push({ detail: (error as Error).message, line: 1 })
    return []
  }
}

interface Source {
  readonly document: Document
  readonly lines: LineCounter
}

function liquidFaults(
  source: Source,
  path: readonly PropertyKey[],
  { templates = [] }: TypeBody,
  renderer: Pick<Renderer, 'check'>
): FileFault[] {
  return templates.flatMap(entry => {
    const at = [...path, 'templates', entry.key]
    return templateFaults(renderer, entry).map(({ detail, pointer }) => {
      const field = [...at, ...pointer.slice(2).split('/')]
      const node = source.document.getIn(field, true)
      const position = /^Line (\d+), column \d+: /.exec(detail)
      // Only a literal block keeps its lines, so only there the exact line is known.
      const isExact = position && isScalar(node) && node.type === 'BLOCK_LITERAL'
      return {
        detail: `${pathPrefix(field)}${isExact ? detail.slice(position[0].length) : detail}`,
        line: findLine(source, field) + (isExact ? Number(position[1]) : 0)
      }
    })
  })
}

const pathPrefix = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? '' : `${path.map(String).join('.')}: `

/** @returns the line of the last part of the path that exists */
function findLine({ document, lines }: Source, path: readonly PropertyKey[]): number {
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
