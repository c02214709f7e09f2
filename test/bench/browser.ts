// A real browser and somebody else's site for the measurements of pages.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { build, type Plugin } from 'esbuild'
import { chromium, type Browser } from 'playwright-core'

import { squeeze } from '../../components/package/slim.ts'
import { findOrInstallChromium } from '../support/chromium.ts'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    executablePath: findOrInstallChromium(console.log)
  })

/** Templates without their indentation, as they are published: each line break would be a node in every row. */
const published: Plugin = {
  name: 'squeeze-templates',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/components\/.*\.ts$/ }, ({ path }) => ({
      contents: squeeze(readFileSync(path, 'utf8')),
      loader: 'ts'
    }))
}

/** A script of test/bench/pages with all that it imports, made for a page as it would be for production. */
export async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    entryPoints: [join(import.meta.dirname, 'pages', name)],
    format: 'esm',
    legalComments: 'none',
    loader: { '.css': 'text' },
    minify: true,
    plugins: [published],
    target: 'es2022',
    write: false
  })
  return outputFiles[0]!.text
}

export interface Site extends AsyncDisposable {
  readonly base: string
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.json': 'application/json' }

/** @param files - by path: HTML, or what the path ends on */
export async function site(files: Readonly<Record<string, string>>): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site')
    const content = files[pathname]
    const [ending = ''] = /\.\w+$/.exec(pathname) ?? []
    const type = TYPES[ending] ?? 'text/html; charset=utf-8'
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}
