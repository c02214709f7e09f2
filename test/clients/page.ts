// Opens a page of another origin than the server in a real Chromium, with a script that is bundled as in an app.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { build, type BuildOptions } from 'esbuild'
import type { Page } from 'playwright-core'

import { openBrowser } from '../e2e/site.ts'

export interface Host {
  /** A new page with the script in it; its complaints fail the test when the host is closed. */
  open(): Promise<Page>
  /** Uncaught errors and console errors of all pages. */
  readonly complaints: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * @param script - source of the page's script; may import what node_modules has
 * @param folder - where its imports are looked up
 */
export async function openHost(script: string, folder: string, more: BuildOptions = {}): Promise<Host> {
  const { outputFiles } = await build({
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'iife',
    logLevel: 'error',
    outdir: 'out',
    stdin: { contents: script, loader: 'tsx', resolveDir: folder },
    write: false,
    ...more
  })
  const source = outputFiles!.find(({ path }) => path.endsWith('.js'))!.text
  const server = createServer((request, response) => {
    if (request.url === '/app.js') {
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(source)
    } else {
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(
          '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script src="/app.js"></script>'
        )
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await openBrowser()
  // The proxy has a self-signed certificate.
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const complaints: string[] = []
  return {
    async [Symbol.asyncDispose]() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
    complaints,
    async open() {
      const page = await context.newPage()
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      return page
    }
  }
}
