// What a page with only a launcher loads before anybody touches it, as a browser asks for it.

import { gzipSync } from 'node:zlib'

import { ensureBuilt } from '../e2e/build.ts'
import { testDb } from '../support/db.ts'
import { openBrowser, site } from './browser.ts'
import type { Measurement, Say } from './measure.ts'
import { CLIENT, serve, userHash } from './server.ts'

/** The way to the server, fetched once the element is painted. */
const TRANSPORT = /^(?:open|websocket)-/
/** Not needed for the first paint, but asked for beside it. */
const STORE = /^connect-/

interface Script {
  readonly name: string
  readonly gzip: number
  readonly transferred: number
}

export async function bytes({ say }: Say): Promise<Measurement[]> {
  await ensureBuilt()
  await using database = await testDb()
  await using server = await serve(database.url)
  await using host = await site({
    '/': `<!doctype html><html lang="en"><title>Launcher</title><link rel="icon" href="data:,">
      <script type="module" src="${server.base}/notif.js" data-client-id="${CLIENT}" data-user-id="ada"
        data-user-hash="${userHash('ada')}"></script><notif-launcher></notif-launcher></html>`
  })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const scripts: Promise<Script>[] = []
    page.on('response', response => {
      const url = new URL(response.url())
      if (!url.pathname.endsWith('.js')) return
      scripts.push(
        (async () => ({
          gzip: gzipSync(await response.body(), { level: 9 }).length,
          name: url.pathname.slice(url.pathname.lastIndexOf('/') + 1),
          transferred: Number((await response.allHeaders())['content-length'])
        }))()
      )
    })
    const socket = page.waitForEvent('websocket', { timeout: 20_000 })
    await page.goto(host.base, { waitUntil: 'load' })
    await socket
    await page.waitForLoadState('networkidle')
    const loaded = await Promise.all(scripts)
    for (const { name, gzip, transferred } of loaded) {
      say(`${name}: ${gzip} bytes gzip, ${transferred} transferred`)
    }
    const sum = (some: readonly Script[], key: 'gzip' | 'transferred'): number =>
      some.reduce((total, script) => total + script[key], 0)
    const first = loaded.filter(({ name }) => !TRANSPORT.test(name))
    const named = (pattern: RegExp): Script[] => loaded.filter(({ name }) => pattern.test(name))
    return [
      {
        better: 'below',
        facts: {
          requests: loaded.length,
          transferredBytes: sum(first, 'transferred'),
          storeGzipBytes: sum(named(STORE), 'gzip'),
          transportGzipBytes: sum(named(TRANSPORT), 'gzip')
        },
        floor: 14_000,
        goal: 12_000,
        name: 'page with a launcher, scripts before the first interaction',
        ours: sum(first, 'gzip'),
        promised: 'value',
        unit: 'bytes gzip'
      }
    ]
  } finally {
    await browser.close()
  }
}
