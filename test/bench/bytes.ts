// What pages load, as a browser asks for it: a launcher before anybody touches it, a counter beside it, everything in use.

import type { Page } from 'playwright-core'

import { ensureBuilt } from '../e2e/build.ts'
import { EVERYTHING, useEverything } from '../e2e/everything.ts'
import { gzipOf, isTransport, watchScripts, type Script } from '../e2e/scripts.ts'
import { testDb } from '../support/db.ts'
import { openBrowser, site } from './browser.ts'
import type { Measurement, Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash } from './server.ts'

const transferred = (scripts: readonly Script[]): number =>
  scripts.reduce((total, one) => total + one.transferred, 0)

export async function bytes({ say }: Say): Promise<Measurement[]> {
  await ensureBuilt()
  await using database = await testDb()
  await using server = await serve(database.url)
  const html = (body: string): string =>
    `<!doctype html><html lang="en"><title>Elements</title><link rel="icon" href="data:,">
      <script type="module" src="${server.base}/notif.js" data-client-id="${CLIENT}" data-user-id="ada"
        data-user-hash="${userHash('ada')}"></script>${body}</html>`
  await using host = await site({
    '/': html('<notif-launcher></notif-launcher>'),
    '/counter': html('<notif-launcher></notif-launcher><notif-counter></notif-counter>'),
    '/everything': html(EVERYTHING)
  })
  const send = (title: string): Promise<Response> =>
    fetch(`${server.base}/${CLIENT}/sender`, {
      body: JSON.stringify({ inapp: { title }, to: { id: 'ada' }, type: 'news' }),
      headers: { authorization: BACK_END, 'content-type': 'application/json' },
      method: 'POST'
    })
  const browser = await openBrowser()

  async function load(path: string, use?: (page: Page) => Promise<void>): Promise<readonly Script[]> {
    const page = await browser.newPage()
    const scripts = watchScripts(page)
    const socket = page.waitForEvent('websocket', { timeout: 20_000 })
    await page.goto(host.base + path, { waitUntil: 'load' })
    await socket
    await page.waitForLoadState('networkidle')
    await use?.(page)
    const loaded = await scripts()
    for (const { gzip, name, transferred } of loaded)
      say(`${path} ${name}: ${gzip} bytes gzip, ${transferred} transferred`)
    await page.close()
    return loaded
  }

  const measured = (
    name: string,
    loaded: readonly Script[],
    wanted: Pick<Measurement, 'floor' | 'goal'>
  ): Measurement => {
    const context = loaded.filter(one => !isTransport(one))
    return {
      better: 'below',
      facts: {
        requests: loaded.length,
        transferredBytes: transferred(context),
        transportGzipBytes: gzipOf(loaded.filter(isTransport))
      },
      name,
      ours: gzipOf(context),
      promised: 'value',
      unit: 'bytes gzip',
      ...wanted
    }
  }
  try {
    const launcher = await load('/')
    const counter = await load('/counter')
    await send('First')
    const everything = await load('/everything', page => useEverything(page, send))
    return [
      measured('page with a launcher, scripts before the first interaction', launcher, {
        floor: 14_000,
        goal: 12_000
      }),
      measured('page with a launcher and a counter, scripts before the first interaction', counter, {
        goal: 12_000
      }),
      measured('page with every element in use, scripts', everything, { goal: 25_000 })
    ]
  } finally {
    await browser.close()
  }
}
