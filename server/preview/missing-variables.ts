// Finds the variables of a template that have no value in the given data.

import type { VariablePath } from '../types/templates/liquid.ts'

/** Properties that Liquid computes from a value. */
const COMPUTED_PROPERTIES = new Set(['first', 'last', 'size'])

/** @returns the names as in a template (`order.lines[0].price`), distinct and sorted */
export function findMissingVariables(
  paths: readonly VariablePath[],
  data: Readonly<Record<string, unknown>>
): string[] {
  const names = new Set<string>()
  for (const path of paths) {
    const last = path.at(-1)
    const isComputed = path.length > 1 && COMPUTED_PROPERTIES.has(String(last))
    const stored = isComputed ? path.slice(0, -1) : path
    if (valueAt(stored, data) == null) names.add(formatPath(stored))
  }
  return [...names].sort()
}

function valueAt(path: VariablePath, data: unknown): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    // A negative index counts from the end, as in Liquid.
    const key = Array.isArray(value) && Number(part) < 0 ? value.length + Number(part) : part
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}

const formatPath = (path: VariablePath): string =>
  path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`
      return i === 0 ? part : `.${part}`
    })
    .join('')
