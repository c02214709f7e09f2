// A browser and a site for the tests of the file that imports this, opened before the first and closed after the last.

import { after, before } from 'node:test'

import type { Browser } from 'playwright-core'

import { openBrowser, openSite, type Site } from './site.ts'

export let browser: Browser
export let site: Site

before(async () => {
  site = await openSite()
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})
