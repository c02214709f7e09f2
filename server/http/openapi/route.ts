// GET /openapi.json: the API reference for programs.

import { readFileSync } from 'node:fs'

import { anyObject } from '../common-schemas.ts'
import type { Doc } from '../route-doc.ts'
import { route, type Route } from '../route.ts'
import { openApi, type DocumentOptions, type RecordedAnswers } from './document.ts'

const documentDoc: Doc = {
  answer: anyObject,
  examples: [{ name: 'OpenAPI 3.1', status: 200 }],
  operationId: 'getOpenApi',
  summary: 'Get this reference as OpenAPI 3.1',
  tag: 'operations'
}

/** Read at the first request for the reference only. */
const RECORDED_ANSWERS = new URL('recorded-answers.json', import.meta.url)

/**
 * Returns the route, and a function that returns the published document. The first call or request builds it.
 *
 * @param documented - all other routes
 */
export function openApiRoute(
  documented: readonly Route[],
  options: Omit<DocumentOptions, 'answers'>
): { readonly route: Route; readonly read: () => string } {
  // Stored as bytes, because a string would be encoded again for every request.
  let built: Buffer | undefined
  const build = (): Buffer => {
    const answers = JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8')) as RecordedAnswers
    return Buffer.from(JSON.stringify(openApi([...documented, json], { ...options, answers })))
  }
  const json: Route = route('GET', '/openapi.json', 'anyone', documentDoc, async () => ({
    body: (built ??= build()),
    headers: { 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' },
    status: 200
  }))
  return { read: () => (built ??= build()).toString(), route: json }
}
