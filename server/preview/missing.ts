// Which variables of a template have no value in the data it is given, by their names.

import type { Path } from '../types/templates/liquid.ts'

/** What Liquid works out of a value itself. */
const WORKED_OUT = new Set(['first', 'last', 'size'])

/** @returns each name once, as it stands in a template (`order.lines[0].price`), sorted */
export function missingIn(paths: readonly Path[], data: Readonly<Record<string, unknown>>): string[] {
  const names = new Set<string>()
  for (const path of paths) {
    const last = path.at(-1)
    const asked = path.length > 1 && WORKED_OUT.has(String(last)) ? path.slice(0, -1) : path
    if (valueAt(asked, data) == null) names.add(nameOf(asked))
  }
  return [...names].sort()
}

function valueAt(path: Path, data: unknown): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    // Counted from the end, as Liquid does.
    const key = Array.isArray(value) && Number(part) < 0 ? value.length + Number(part) : part
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}

const nameOf = (path: Path): string =>
  path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`
      return i === 0 ? part : `.${part}`
    })
    .join('')
