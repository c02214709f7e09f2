// GET /docs and its style and script, and GET /problems: the reference for people.

import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { route, type Answer, type CallOf, type Route } from '../route.ts'
import { problemsPage, referencePage } from './page.ts'
import type { Document } from './reference-document.ts'

/** The style sheet and the script are files of this server; the script requests nothing. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const assetRoute = (name: string, type: string): Route =>
  route('GET', `/docs/${name}`, 'anyone', async () => ({
    body: await readFile(new URL(name, import.meta.url), 'utf8'),
    headers: { 'cache-control': 'no-cache', 'content-type': `${type}; charset=utf-8` },
    status: 200
  }))

interface Page {
  readonly plain: Buffer
  readonly compressed: Buffer
}

// Stored as bytes, because a string would be encoded, and most of the page compressed, again for every request.
function toPage(html: string): Page {
  const plain = Buffer.from(html)
  return { compressed: gzipSync(plain), plain }
}

const toAnswer = ({ compressed, plain }: Page, { headers }: CallOf['anyone']): Answer => {
  const accepts = /\bgzip\b/.test(String(headers['accept-encoding']))
  return {
    body: accepts ? compressed : plain,
    headers: {
      'cache-control': 'no-cache',
      ...(accepts && { 'content-encoding': 'gzip' }),
      'content-security-policy': POLICY,
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept-encoding'
    },
    status: 200
  }
}

/** @param readDocument - returns the published OpenAPI document; called once, at the first request for the page */
export function referenceRoutes(readDocument: () => string): Route[] {
  let reference: Page | undefined
  const read = (): Page => toPage(referencePage(JSON.parse(readDocument()) as Document))
  return [
    route('GET', '/docs', 'anyone', async call => toAnswer((reference ??= read()), call)),
    assetRoute('style.css', 'text/css'),
    assetRoute('script.js', 'text/javascript'),
    assetRoute('samples.js', 'text/javascript')
  ]
}

export function problemsRoutes(): Route[] {
  const problems = toPage(problemsPage())
  return [route('GET', '/problems', 'anyone', async call => toAnswer(problems, call))]
}
