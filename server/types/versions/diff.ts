// Compares two texts line by line, as a unified diff. Pure.

import { createTwoFilesPatch } from 'diff'

export interface TextDiff {
  /** Unified diff; an empty text if nothing differs. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

/** Texts that differ in more lines, or take longer, are compared roughly: all between the first and the last difference. */
const MAX_EDIT_LINES = 5000
const DIFF_TIMEOUT_MS = 50
const CONTEXT_LINES = 3

const FILE_HEADER_LINES = 3

export function diffTexts(before: string, after: string, names: readonly [string, string]): TextDiff {
  if (before === after) return { added: 0, diff: '', removed: 0 }
  const patch = createTwoFilesPatch(names[0], names[1], before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LINES,
    timeout: DIFF_TIMEOUT_MS
  })
  // Without the line of `=` that the library begins with.
  const diff = patch?.replace(/^=+\n/, '') ?? diffRoughly(before, after, names)
  const lines = diff.split('\n').slice(FILE_HEADER_LINES - 1)
  return {
    added: lines.filter(line => line.startsWith('+')).length,
    diff,
    removed: lines.filter(line => line.startsWith('-')).length
  }
}

/** One change from the first line that differs to the last one. */
function diffRoughly(before: string, after: string, names: readonly [string, string]): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, now.length - end)
  return [
    `--- ${names[0]}`,
    `+++ ${names[1]}`,
    `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`,
    ...removed.map(line => `-${line}`),
    ...added.map(line => `+${line}`),
    ''
  ].join('\n')
}
