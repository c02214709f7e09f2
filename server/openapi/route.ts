// GET /openapi.json: the reference as clients and generators read it.

import { anyObject } from '../http/answers.ts'
import type { Doc } from '../http/doc.ts'
import { route, type Route } from '../http/route.ts'
import { openApi, type DocumentOptions } from './document.ts'

const documentDoc: Doc = {
  answer: anyObject,
  examples: [{ name: 'OpenAPI 3.1', status: 200 }],
  operationId: 'getOpenApi',
  summary: 'This document',
  tag: 'operations'
}

/** @param documented - all other routes */
export function openApiRoutes(documented: readonly Route[], options: DocumentOptions): Route[] {
  let text: string | undefined
  const own: Route = route('GET', '/openapi.json', 'anyone', documentDoc, async () => ({
    body: (text ??= JSON.stringify(openApi([...documented, own], options))),
    headers: { 'content-type': 'application/json; charset=utf-8' },
    status: 200
  }))
  return [own]
}
