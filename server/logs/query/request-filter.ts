// Parses `requestFilter`: a condition on the body of the send (spec/wire.md 4.3).
//
//   request.mergeTags.item = "sneaker*" && (request.to.email NOT EXISTS || $.parameters.price >= 10)

import { parseCondition, Reader, type Condition } from './condition.ts'
import { REQUEST_VOCABULARY, type Field } from './fields.ts'
import { catchFilterError, tokenize, type FilterFailure } from './tokens.ts'

const MAX_CHARACTERS = 1024

/** @param text - one condition, which may be in braces */
export const parseRequestFilter = (
  text: string
): { readonly ok: true; readonly value: Condition<Field> } | FilterFailure =>
  catchFilterError(() => {
    const reader = new Reader(tokenize(text, MAX_CHARACTERS))
    const hasBraces = reader.has('{')
    const condition = parseCondition(reader, REQUEST_VOCABULARY)
    if (hasBraces) reader.need('}')
    if (reader.token.kind !== 'end') throw reader.misfit('expected && or ||')
    return condition
  })
