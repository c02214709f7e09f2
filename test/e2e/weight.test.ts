// Budgets for the scripts that a page loads. The hashes in names of files weigh some 30 bytes more or less with
// each change of any of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { EVERYTHING, useEverything } from './everything.ts'
import { gzipOf, isTransport, watchScripts, type Script } from './scripts.ts'
import { browser, site } from './shared-site.ts'
import { createUserId } from './site.ts'

/**
 * Bytes gzip. The goals for `connected` and `opened` are 15,500 and 47,000: Lit, @lit/context, nanostores and partysocket as
 * published need the rest.
 */
const MOST = {
  /** Scripts of a page with a launcher and a counter, before the connection. */
  bell: 11_550,
  /** The same with the connection. */
  connected: 21_000,
  /** A popup that was opened, with the way to the server, without web push. */
  opened: 59_500,
  /** Every element, opened and in use, with the way to the server. */
  everything: 94_600
}

/** Until its socket is open and nothing is under way any more. */
async function open(
  body: string,
  userId = createUserId()
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

test('a page with a launcher and a counter', async () => {
  const { page, scripts } = await open('<notif-launcher></notif-launcher><notif-counter></notif-counter>')
  const all = await scripts()
  check(
    all.filter(one => !isTransport(one)),
    MOST.bell
  )
  check(all, MOST.connected)
  await page.close()
})

test('a page with a popup that was opened', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'First' })
  const { page, scripts } = await open('<notif-popup></notif-popup>', userId)
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article').first().waitFor()
  await page.waitForLoadState('networkidle')
  // Without web push, which has files of its own: this browser shows its prompt, and allows it, so a change that arrives in time closes pushes.
  check(
    (await scripts()).filter(({ name }) => !/^(?:close-pushes|push-row|web-push|notes\.styles)-/.test(name)),
    MOST.opened
  )
  await page.close()
})

test('a page with every element, all of them in use', async () => {
  const userId = createUserId()
  const send = (title: string): Promise<unknown> => site.send(userId, { title })
  await send('First')
  const { page, scripts } = await open(EVERYTHING, userId)
  await useEverything(page, send)
  check(await scripts(), MOST.everything)
  await page.close()
})
