// Compiles the condition of a filter to one jsonpath and its variables. Both are parameters, so the SQL text is always the same.
//
// A leaf is true or false, never unknown, so that `not` is its opposite. For an array, a leaf is true if it is true for one
// element; for a missing field, only `not exists` is true.

import type { Json } from '../../db/db.ts'
import type { Condition, Leaf, Operator } from './condition.ts'
import { decisionsByLabel, type Field } from './fields.ts'
import { toRegex, type PatternPart } from './pattern.ts'

export interface FilterProgram {
  /** A jsonpath predicate (SQL:2016). */
  readonly path: string
  readonly vars: Readonly<Record<string, Json>>
  readonly needsAttempts: boolean
  readonly needsText: boolean
}

const OPERATORS: Readonly<Record<Operator, string>> = {
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '=': '==',
  '>': '>',
  '>=': '>='
}

export function compileFilter(condition: Condition<Field>): FilterProgram {
  const vars: Record<string, Json> = {}
  let needsAttempts = false
  let needsText = false
  const variable = (value: Json): string => {
    const name = `v${Object.keys(vars).length}`
    vars[name] = value
    return `$"${name}"`
  }

  const write = (node: Condition<Field>): string => {
    if (node.kind === 'and' || node.kind === 'or') {
      return `(${node.of.map(write).join(node.kind === 'and' ? ' && ' : ' || ')})`
    }
    if (node.kind === 'not') return `(!${write(node.of)})`
    const { field } = node
    needsAttempts ||= field.needsAttempts
    needsText ||= field.needsText === true
    const predicates = field.path === undefined ? [] : [leaf(field.path, node)]
    if (field.label) {
      const { channel, name } = field.label
      for (const [label, decisions] of decisionsByLabel(name)) {
        const decided = decisions.map(one => `$."decisions"."${channel}" == ${variable(one)}`).join(' || ')
        predicates.push(`((${decided}) && ${leaf(variable(label), node)})`)
      }
    }
    return `(${predicates.join(' || ')})`
  }

  const leaf = (value: string, node: Leaf<Field>): string => {
    if (node.kind === 'exists') return `(exists(${value}))`
    if (node.kind === 'is') return isTrue(`${value} == ${String(node.value)}`)
    if (node.kind === 'like') return isTrue(matching(value, node.pattern, node.ignoreCase))
    const operand = variable(node.value)
    if (node.op !== '!=') return isTrue(`${value} ${OPERATORS[node.op]} ${operand}`)
    return `(exists(${value}) && !${isTrue(`${value} == ${operand}`)})`
  }

  const path = write(condition)
  return { path, needsAttempts, needsText, vars }
}

/** An unknown result, such as a text compared with a number, counts as false. */
const isTrue = (predicate: string): string => `((${predicate}) && !((${predicate}) is unknown))`

const matching = (value: string, pattern: readonly PatternPart[], ignoreCase: boolean): string =>
  `${value} like_regex ${JSON.stringify(toRegex(pattern))} flag "${ignoreCase ? 'is' : 's'}"`
