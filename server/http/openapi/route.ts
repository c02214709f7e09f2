// GET /openapi.json and GET /docs: the reference for programs and for people.

import { anyObject } from '../common-schemas.ts'
import type { Doc } from '../route-doc.ts'
import { route, type Route } from '../route.ts'
import { openApi, type DocumentOptions } from './document.ts'
import { DOCS_POLICY, docsPage, type Document } from './page.ts'

const documentDoc: Doc = {
  answer: anyObject,
  examples: [{ name: 'OpenAPI 3.1', status: 200 }],
  operationId: 'getOpenApi',
  summary: 'Get this reference as OpenAPI 3.1',
  tag: 'operations'
}

/**
 * Both are made when first asked for.
 *
 * @param documented - all other routes
 */
export function openApiRoutes(documented: readonly Route[], options: DocumentOptions): Route[] {
  // Bytes: as a text they would be encoded, and held, for each who asks.
  let made: { readonly json: Buffer; readonly page: Buffer } | undefined
  const make = () => {
    const document = openApi([...documented, json], options)
    // Through JSON and back: the page reads what everybody reads.
    const text = JSON.stringify(document)
    const html = docsPage(JSON.parse(text) as Document, options.server)
    return { json: Buffer.from(text), page: Buffer.from(html) }
  }
  const json: Route = route('GET', '/openapi.json', 'anyone', documentDoc, async () => ({
    body: (made ??= make()).json,
    headers: { 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' },
    status: 200
  }))
  const page = route('GET', '/docs', 'anyone', async () => ({
    body: (made ??= make()).page,
    headers: {
      'cache-control': 'no-cache',
      'content-security-policy': DOCS_POLICY,
      'content-type': 'text/html; charset=utf-8'
    },
    status: 200
  }))
  return [json, page]
}
