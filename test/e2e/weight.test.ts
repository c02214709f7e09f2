// What a page loads may not grow unseen: the limits are what was reached and at most two per cent. The hashes in names of
// files weigh some 30 bytes more or less with each change of any of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { EVERYTHING, useEverything } from './everything.ts'
import { gzipOf, isTransport, watchScripts, type Script } from './scripts.ts'
import { someone } from './site.ts'
import { browser, site } from './stage.ts'

/** Bytes gzip. */
const MOST = {
  /** Scripts of a page with only a launcher, before anybody touches it. */
  launcher: 11_500,
  /** The same with a counter beside it. */
  counter: 11_500,
  /** Socket and what keeps it open. */
  transport: 3_805,
  /** Every element, opened and in use, without the way to the server. */
  whole: 53_100
}

/** Until its socket is open and nothing is under way any more. */
async function open(
  body: string,
  userId = someone()
): Promise<{ page: Page; scripts: () => Promise<readonly Script[]> }> {
  const page = await browser.newPage()
  const scripts = watchScripts(page)
  const socket = page.waitForEvent('websocket')
  await page.goto(site.page({ body, userId }))
  await socket
  await page.waitForLoadState('networkidle')
  return { page, scripts }
}

function check(scripts: readonly Script[], most: number): void {
  const list = scripts.map(({ gzip, name }) => `${name} ${gzip}`).join(', ')
  assert.ok(gzipOf(scripts) <= most, `${gzipOf(scripts)} bytes instead of at most ${most}: ${list}`)
  assert.ok(gzipOf(scripts) > most / 2, `${gzipOf(scripts)} bytes cannot be all: ${list}`)
}

test('a page with a launcher', async () => {
  const { page, scripts } = await open('<notif-launcher></notif-launcher>')
  const all = await scripts()
  check(
    all.filter(one => !isTransport(one)),
    MOST.launcher
  )
  check(all.filter(isTransport), MOST.transport)
  await page.close()
})

test('a page with a launcher and a counter', async () => {
  const { page, scripts } = await open('<notif-launcher></notif-launcher><notif-counter></notif-counter>')
  check(
    (await scripts()).filter(one => !isTransport(one)),
    MOST.counter
  )
  await page.close()
})

test('a page with every element, all of them in use', async () => {
  const userId = someone()
  const send = (title: string): Promise<unknown> => site.send(userId, { title })
  await send('First')
  const { page, scripts } = await open(EVERYTHING, userId)
  await useEverything(page, send)
  check(
    (await scripts()).filter(one => !isTransport(one)),
    MOST.whole
  )
  await page.close()
})
