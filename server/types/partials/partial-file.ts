// Layouts and partials as files: which they are, and what is wrong with them, with its line. Pure.
//
//   layouts/brand.liquid     {{ content_for_layout }} where the content stands
//   partials/button.html     .liquid and .html mean the same

import type { Pieces } from '../templates/expand.ts'
import { checkerOf, textFaults, type Checker } from './check-partials.ts'
import type { PieceKind } from './partials.sql.ts'
import { pieceBody, pieceId } from './schema.ts'

export interface PieceFile {
  /** With its folder. */
  readonly file: string
  readonly kind: PieceKind
  readonly id: string
  readonly text: string
}

export interface PieceFault {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly detail: string
}

const ENDING = /\.(?:liquid|html)$/i

/** Editors keep their own files beside the real ones. */
export const isPieceFile = (name: string): boolean => ENDING.test(name) && !/^[.#~]/.test(name)

/** @param name - without its folder */
export const pieceFile = (kind: PieceKind, name: string, text: string): PieceFile => ({
  file: `${kind}/${name}`,
  id: name.replace(ENDING, ''),
  kind,
  // The last line break is the editor's: a partial may stand within a line.
  text: text.replace(/\r?\n$/, '')
})

/**
 * What fits together, beside what the environment has already. Files may use one another, so what uses a wrong one is
 * wrong itself, as long as the environment has none of that name.
 */
export function soundOf(
  files: readonly PieceFile[],
  known: Pieces,
  renderer: Checker
): { readonly sound: readonly PieceFile[]; readonly faults: readonly PieceFault[] } {
  const faults: PieceFault[] = []
  let sound = files
  for (;;) {
    const pieces = withFiles(known, sound)
    const found = sound.flatMap(one => faultsOf(one, sound, checkerOf(renderer, pieces)))
    if (found.length === 0) return { faults, sound }
    faults.push(...found)
    const wrong = new Set(found.map(({ file }) => file))
    sound = sound.filter(({ file }) => !wrong.has(file))
  }
}

const withFiles = (known: Pieces, files: readonly PieceFile[]): Pieces => {
  const of = (kind: PieceKind) =>
    new Map([
      ...known[kind],
      ...files.filter(one => one.kind === kind).map(({ id, text }) => [id, text] as const)
    ])
  return { layouts: of('layouts'), partials: of('partials') }
}

function faultsOf(
  { file, id, kind, text }: PieceFile,
  files: readonly PieceFile[],
  renderer: Checker
): PieceFault[] {
  const fault = (detail: string, line = 1): PieceFault => ({ detail, file, line })
  const named = pieceId.safeParse(id)
  if (!named.success) return named.error.issues.map(({ message }) => fault(`name: ${message}`))
  const read = pieceBody.safeParse({ text })
  if (!read.success) return read.error.issues.map(({ message }) => fault(message))
  const other = files.find(one => one.kind === kind && one.id === id && one.file !== file)
  if (other) return [fault(`${other.file} has the same name.`)]
  return textFaults(kind, text, renderer).map(detail => {
    const [place = '', line = '1'] = /^Line (\d+), column \d+: /.exec(detail) ?? []
    return fault(detail.slice(place.length), Number(line))
  })
}
