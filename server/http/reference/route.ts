// GET /docs and its style and script, and GET /problems: the reference for people.

import { readFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { route, type Answer, type CallOf, type Route } from '../route.ts'
import { problemsPage, referencePage } from './page.ts'
import type { Document } from './reference-document.ts'

/** The style sheet and the script are files of this server; the script requests nothing but what a reader tries in a demo. */
const policyOf = (isDemo: boolean): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src ${isDemo ? "'self'" : "'none'"}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const assetRoute = (name: string, type: string): Route =>
  route('GET', `/docs/${name}`, 'anyone', async () => ({
    body: await readFile(new URL(name, import.meta.url), 'utf8'),
    headers: { 'cache-control': 'no-cache', 'content-type': `${type}; charset=utf-8` },
    status: 200
  }))

interface Page {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
  readonly policy: string
}

/** A higher one takes seconds for a page of this size. */
const BROTLI_QUALITY = 9

// Stored as bytes, because a string would be encoded, and most of the page compressed, again for every request.
function toPage(html: string, isDemo = false): Page {
  const plain = Buffer.from(html)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  return {
    br: brotliCompressSync(plain, { params }),
    gzip: gzipSync(plain, { level: 9 }),
    plain,
    policy: policyOf(isDemo)
  }
}

const toAnswer = (page: Page, { headers }: CallOf['anyone']): Answer => {
  const accepted = String(headers['accept-encoding'])
  const encoding = (['br', 'gzip'] as const).find(name => new RegExp(`\\b${name}\\b`).test(accepted))
  return {
    body: page[encoding ?? 'plain'],
    headers: {
      'cache-control': 'no-cache',
      ...(encoding && { 'content-encoding': encoding }),
      'content-security-policy': page.policy,
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept-encoding'
    },
    status: 200
  }
}

/**
 * @param readDocument - returns the published OpenAPI document; called once, at the first request for the page
 * @param people - of the demo, to whom readers may send; absent: this server is no demo
 */
export function referenceRoutes(readDocument: () => string, people?: readonly string[]): Route[] {
  let reference: Page | undefined
  const read = (): Page =>
    toPage(referencePage(JSON.parse(readDocument()) as Document, people), people !== undefined)
  return [
    route('GET', '/docs', 'anyone', async call => toAnswer((reference ??= read()), call)),
    assetRoute('style.css', 'text/css'),
    assetRoute('script.js', 'text/javascript'),
    assetRoute('samples.js', 'text/javascript'),
    ...(people ? [assetRoute('try.js', 'text/javascript')] : [])
  ]
}

export function problemsRoutes(): Route[] {
  const problems = toPage(problemsPage())
  return [route('GET', '/problems', 'anyone', async call => toAnswer(problems, call))]
}
