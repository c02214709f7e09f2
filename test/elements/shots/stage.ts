// A stage for the states of the elements: the page of all scenes bundled once and served from memory, always at the same
// time of the same day, so that whatever is read off it is the same on every machine.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const ROOT = resolve(import.meta.dirname, '../../..')
// Only a page of this name or one with a certificate may do all that a page can do.
const ORIGIN = 'http://localhost'
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  svg: 'image/svg+xml'
}

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    format: 'esm',
    outdir: '/',
    splitting: true,
    target: 'es2022',
    tsconfig: join(ROOT, 'components/tsconfig.json'),
    write: false
  })
  const files = outputFiles.map(({ path, text }): [string, string] => [path, text])
  const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8')
  files.push(['/', html.replace('./page.ts', './page.js')])
  files.push(['/page.css', readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')])
  return new Map(files)
}

export interface Stage {
  /** Draws a scene of `page.ts` on an empty page. */
  show(scene: string): Promise<Page>
}

/** @returns a stage on a page of its own, which is closed with the browser */
export async function openStage(browser: Browser, options: BrowserContextOptions = {}): Promise<Stage> {
  const files = await bundle()
  const context = await browser.newContext({
    colorScheme: 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    viewport: { height: 800, width: 1280 },
    ...options
  })
  await context.route(`${ORIGIN}/**`, route => {
    const { pathname } = new URL(route.request().url())
    const body =
      files.get(pathname) ??
      (pathname.startsWith('/img/') ? readFileSync(join(ROOT, 'demo/public', pathname)) : undefined)
    if (body === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({ body, contentType: TYPES[pathname.split('.')[1] ?? 'html']! })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  // Whoever has answered is not asked again about web push; the scene `asked` begins before that.
  await page.addInitScript(() => {
    if (location.protocol === 'http:') localStorage.setItem('hideWebPushOptInMessage', 'true')
  })
  await page.clock.setFixedTime('2026-03-18T12:00:00Z')
  return {
    async show(scene) {
      // The same address with another fragment would be the same page.
      await page.goto('about:blank')
      await page.goto(`${ORIGIN}/#${scene}`)
      return page
    }
  }
}
