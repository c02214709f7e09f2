// `requestFilter`: conditions on the body of the original send request (spec/wire.md 4.3).
//
//   request.mergeTags.item = "sneaker*" && (request.to.email NOT EXISTS || $.parameters.price >= 10)

import { parseCondition, Reader, type Condition } from './condition.ts'
import { REQUEST_WORDS, type Field } from './fields.ts'
import { guarded, scan, type Wrong } from './tokens.ts'

const LONGEST = 1024

/** @param text - one condition; braces around it are allowed, as in the syntax that it looks like */
export const parseRequestFilter = (
  text: string
): { readonly ok: true; readonly value: Condition<Field> } | Wrong =>
  guarded(() => {
    const reader = new Reader(scan(text, LONGEST))
    const braced = reader.has('{')
    const condition = parseCondition(reader, REQUEST_WORDS)
    if (braced) reader.need('}')
    if (reader.token.kind !== 'end') throw reader.misfit('expected && or ||')
    return condition
  })
