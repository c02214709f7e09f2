// From the tree of a filter to one jsonpath and its variables: both are parameters, so the SQL text is always the same.
//
// A leaf is true or false, never unknown, so that `not` means what it says: of an array a leaf holds if it holds for
// any member, of a missing field no leaf holds but `not exists`.

import type { Json } from '../../db/db.ts'
import type { Condition, Leaf, Operator } from './condition.ts'
import { meanings, type Field } from './fields.ts'
import { toRegex, type Piece } from './pattern.ts'

export interface Program {
  /** jsonpath (SQL:2016) that says true or false. */
  readonly path: string
  readonly vars: Readonly<Record<string, Json>>
  /** It asks for what only the tries tell. */
  readonly state: boolean
  /** It asks for the request as text. */
  readonly text: boolean
}

const SIGNS: Readonly<Record<Operator, string>> = {
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '=': '==',
  '>': '>',
  '>=': '>='
}

export function compile(condition: Condition<Field>): Program {
  const vars: Record<string, Json> = {}
  let state = false
  let text = false
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
    state ||= field.state
    text ||= field.text === true
    const places = field.path === undefined ? [] : [leaf(field.path, node)]
    if (field.meaning) {
      const { channel, word } = field.meaning
      for (const [said, decisions] of meanings(word)) {
        const decided = decisions.map(one => `$."decisions"."${channel}" == ${variable(one)}`).join(' || ')
        places.push(`((${decided}) && ${leaf(variable(said), node)})`)
      }
    }
    return `(${places.join(' || ')})`
  }

  const leaf = (place: string, node: Leaf<Field>): string => {
    if (node.kind === 'exists') return `(exists(${place}))`
    if (node.kind === 'is') return sure(`${place} == ${String(node.value)}`)
    if (node.kind === 'like') return sure(matching(place, node.pattern, node.any))
    const operand = variable(node.value)
    if (node.op !== '!=') return sure(`${place} ${SIGNS[node.op]} ${operand}`)
    return `(exists(${place}) && !${sure(`${place} == ${operand}`)})`
  }

  const path = write(condition)
  return { path, state, text, vars }
}

/** Unknown (a text compared with a number) counts as no. */
const sure = (predicate: string): string => `((${predicate}) && !((${predicate}) is unknown))`

const matching = (place: string, pattern: readonly Piece[], any: boolean): string =>
  `${place} like_regex ${JSON.stringify(toRegex(pattern))} flag "${any ? 'is' : 's'}"`
