// Refuses reads with unknown query parameters: a misspelt filter would be ignored, and the answer would contain everything.

import { didYouMean } from '../core/did-you-mean.ts'
import { invalidFields, toPointer } from './parse-input.ts'
import type { Route } from './route.ts'

/** Mobile SDKs of the hosted product add the user hash to every address. The server reads it from the credentials. */
const IGNORED = new Set(['hashedUserId'])

/**
 * Checks reads that need credentials. Open pages and health checks ignore what mail programs and monitors add to their addresses.
 *
 * @throws Problem `invalid-request` with the nearest name of each unknown parameter
 */
export function refuseUnknownQuery(
  { access, doc, method }: Pick<Route, 'access' | 'doc' | 'method'>,
  query: URLSearchParams
): void {
  if (method !== 'GET' || access === 'anyone' || query.size === 0) return
  const known = Object.keys(doc?.query?.shape ?? {})
  const unknown = [...new Set(query.keys())].filter(name => !known.includes(name) && !IGNORED.has(name))
  if (unknown.length === 0) return
  const expected = known.length === 0 ? 'This address has none.' : `Expected one of ${known.join(', ')}.`
  throw invalidFields(
    unknown.map(name => {
      const suggestion = didYouMean(name, known)
      const hint = suggestion === undefined ? expected : `Did you mean ${suggestion}?`
      return { detail: `Unknown query parameter. ${hint}`, pointer: toPointer([name]) }
    })
  )
}
