// A server with a dashboard, a browser, and members who sign in, for the tests of the file that imports this.

import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openBrowser, openSite, type Site } from '../site.ts'
import { ADMIN_TOKEN, signInWithToken, type Dashboard } from './sign-in.ts'

export let browser: Browser
export let site: Site

before(async () => {
  site = await openSite({ NOTIF_ADMIN_TOKEN: ADMIN_TOKEN })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

export const openDashboard = (path: string, options: BrowserContextOptions = {}): Promise<Dashboard> =>
  signInWithToken(browser, `${site.base}${path}`, options)

const AXE = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/**
 * Faults that axe finds in the page, shadow roots and open dialogs included.
 *
 * @param rules - default: all
 */
export async function findAxeFaults(page: Page, rules: readonly string[] = []): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async only => {
    type Node = { target: unknown; failureSummary: string }
    type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: Node[] }[] }> }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(
      only.length > 0 ? { runOnly: { type: 'rule', values: only } } : {}
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ failureSummary, target }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`)
    )
  }, rules)
}
