// GET /openapi.json and GET /docs: the API reference for programs and for people.

import { readFileSync } from 'node:fs'

import { anyObject } from '../common-schemas.ts'
import type { Doc } from '../route-doc.ts'
import { route, type Route } from '../route.ts'
import { openApi, type DocumentOptions, type RecordedAnswers } from './document.ts'
import { DOCS_POLICY, docsPage, type Document } from './page.ts'

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
 * Returns the two routes. The first request builds both documents.
 *
 * @param documented - all other routes
 */
export function openApiRoutes(
  documented: readonly Route[],
  options: Omit<DocumentOptions, 'answers'>
): Route[] {
  // Stored as bytes, because a string would be encoded again for every request.
  let built: { readonly json: Buffer; readonly page: Buffer } | undefined
  const build = () => {
    const answers = JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8')) as RecordedAnswers
    const document = openApi([...documented, json], { ...options, answers })
    // The page is rendered from the published JSON, so both show the same.
    const text = JSON.stringify(document)
    const html = docsPage(JSON.parse(text) as Document, options.server)
    return { json: Buffer.from(text), page: Buffer.from(html) }
  }
  const json: Route = route('GET', '/openapi.json', 'anyone', documentDoc, async () => ({
    body: (built ??= build()).json,
    headers: { 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' },
    status: 200
  }))
  const page = route('GET', '/docs', 'anyone', async () => ({
    body: (built ??= build()).page,
    headers: {
      'cache-control': 'no-cache',
      'content-security-policy': DOCS_POLICY,
      'content-type': 'text/html; charset=utf-8'
    },
    status: 200
  }))
  return [json, page]
}
