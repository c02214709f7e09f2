// Parses files of layouts and partials, and finds their faults with line numbers. Pure.
//
//   layouts/brand.liquid     {{ content_for_layout }} at the place of the content
//   partials/button.html     .liquid and .html mean the same

import type { Partials } from '../templates/expand.ts'
import { checkerWithPartials, partialTextFaults, type Checker } from './check-partials.ts'
import type { PartialKind } from './partials.sql.ts'
import { partialBody, partialId } from './schema.ts'

export interface PartialFile {
  /** File name with its folder. */
  readonly file: string
  readonly kind: PartialKind
  readonly id: string
  readonly text: string
}

export interface PartialFault {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly detail: string
}

const EXTENSION = /\.(?:liquid|html)$/i

/** Ignores the temporary files of editors. */
export const isPartialFile = (name: string): boolean => EXTENSION.test(name) && !/^[.#~]/.test(name)

/** @param name - without its folder */
export const toPartialFile = (kind: PartialKind, name: string, text: string): PartialFile => ({
  file: `${kind}/${name}`,
  id: name.replace(EXTENSION, ''),
  kind,
  // Editors add the last line break; a partial may be used within a line.
  text: text.replace(/\r?\n$/, '')
})

/**
 * Separates files with faults from valid ones. Files may use one another, so a file that uses a faulty one is faulty too, unless the
 * environment has stored a layout or partial of that name.
 */
export function findValidFiles(
  files: readonly PartialFile[],
  stored: Partials,
  renderer: Checker
): { readonly valid: readonly PartialFile[]; readonly faults: readonly PartialFault[] } {
  const faults: PartialFault[] = []
  let valid = files
  for (;;) {
    const checker = checkerWithPartials(renderer, addFiles(stored, valid))
    const found = valid.flatMap(one => fileFaults(one, valid, checker))
    if (found.length === 0) return { faults, valid }
    faults.push(...found)
    const faulty = new Set(found.map(({ file }) => file))
    valid = valid.filter(({ file }) => !faulty.has(file))
  }
}

const addFiles = (stored: Partials, files: readonly PartialFile[]): Partials => {
  const textsOfKind = (kind: PartialKind) =>
    new Map([
      ...stored[kind],
      ...files.filter(one => one.kind === kind).map(({ id, text }) => [id, text] as const)
    ])
  return { layouts: textsOfKind('layouts'), partials: textsOfKind('partials') }
}

function fileFaults(
  { file, id, kind, text }: PartialFile,
  files: readonly PartialFile[],
  checker: Checker
): PartialFault[] {
  const fault = (detail: string, line = 1): PartialFault => ({ detail, file, line })
  const parsedId = partialId.safeParse(id)
  if (!parsedId.success) return parsedId.error.issues.map(({ message }) => fault(`name: ${message}`))
  const body = partialBody.safeParse({ text })
  if (!body.success) return body.error.issues.map(({ message }) => fault(message))
  const other = files.find(one => one.kind === kind && one.id === id && one.file !== file)
  if (other) return [fault(`${other.file} has the same name.`)]
  return partialTextFaults(kind, text, checker).map(detail => {
    const [place = '', line = '1'] = /^Line (\d+), column \d+: /.exec(detail) ?? []
    return fault(detail.slice(place.length), Number(line))
  })
}
