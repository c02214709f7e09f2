// Budget for the scripts of the dashboard's first screen, and each screen in a chunk of its own.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { gzipOf, watchScripts } from '../scripts.ts'
import { browser, site } from './dashboard.ts'
import { ADMIN_TOKEN } from './sign-in.ts'

/** Bytes gzip. */
const MAX_FIRST_SCREEN_BYTES = 45_000

test('the first screen after a sign-in, with the sign-in itself', async () => {
  const page = await browser.newPage()
  const scripts = watchScripts(page)
  await page.goto(`${site.base}/admin`)
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Sign in with the token' }).click()
  await page.locator('notif-admin-now').waitFor()
  await page.waitForLoadState('networkidle')
  const loaded = await scripts()
  const list = loaded.map(({ gzip, name }) => `${name} ${gzip}`).join(', ')
  assert.ok(gzipOf(loaded) <= MAX_FIRST_SCREEN_BYTES, `${gzipOf(loaded)} bytes: ${list}`)
  assert.ok(loaded.length >= 3, list)
  assert.ok(!loaded.some(({ name }) => /^(?:send|sends|dead-letters|open)-/.test(name)), list)
  await page.close()
})
