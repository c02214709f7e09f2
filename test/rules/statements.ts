// Finds SQL in TypeScript: tagged templates and the texts given to `unsafe`, with nested fragments flattened.

import type { Source } from './sources.ts'

export interface Statement {
  readonly path: string
  readonly line: number
  readonly sql: string
}

/** All in lower or all in upper case: a title such as "Delete a template" is no statement. */
const VERB =
  /^\s*(?:--[^\n]*\n\s*)*(?:with|select|insert|update|delete|merge|truncate|lock|WITH|SELECT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE|LOCK)\b/

/** The bucket guard of server/db/sql-helpers.ts: the one interpolated call of which rules must know what it writes. */
const GUARD = /^inGroup\(\s*\w+(?:,\s*'(\w+)')?\s*\)$/

/** What an interpolated expression without a template of its own stands for in the statement. */
function placeholder(expression: string): string {
  const guard = GUARD.exec(expression.trim())
  if (!guard) return '?'
  return guard[1] === undefined ? ' bucket ' : ` ${guard[1]}.bucket `
}

/** @returns the end of the template literal that starts after the backtick at `from`, and its text with every `${…}` as `?` */
function readTemplate(text: string, from: number): { end: number; sql: string } {
  let sql = ''
  let at = from
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') {
      sql += text[at + 1] ?? ''
      at += 2
    } else if (text.startsWith('${', at)) {
      let depth = 1
      let inner = ''
      at += 2
      const start = at
      while (at < text.length && depth > 0) {
        if (text[at] === '`') {
          const nested = readTemplate(text, at + 1)
          inner += ` ${nested.sql} `
          at = nested.end + 1
          continue
        }
        if (text[at] === '{') depth += 1
        if (text[at] === '}') depth -= 1
        at += 1
      }
      sql += inner === '' ? placeholder(text.slice(start, at - 1)) : inner
    } else {
      sql += text[at]
      at += 1
    }
  }
  return { end: at, sql }
}

/** @returns every statement of a file that reads or writes rows; DDL belongs to no user and is left out */
export function statements({ path, text }: Source): Statement[] {
  if (path.endsWith('.sql')) {
    return text
      .replaceAll(/--[^\n]*/g, '')
      .split(';')
      .map(sql => ({ line: 1, path, sql: sql.trim() }))
      .filter(({ sql }) => VERB.test(sql))
  }
  const found: Statement[] = []
  let at = 0
  while ((at = text.indexOf('`', at)) !== -1) {
    const { end, sql } = readTemplate(text, at + 1)
    if (VERB.test(sql)) found.push({ line: text.slice(0, at).split('\n').length, path, sql })
    at = end + 1
  }
  return found
}
