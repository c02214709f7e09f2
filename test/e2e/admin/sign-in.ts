// Opens the dashboard of a server in a browser and signs in with the admin token.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { watchComplaints } from '../site.ts'

export const ADMIN_TOKEN = 'the-admin-token-of-heron-ferries'

export interface Dashboard extends AsyncDisposable {
  readonly page: Page
  /** What the page logged as error or warning, besides refused sessions before the sign-in. */
  readonly complaints: () => readonly string[]
}

/** @param url - of a page of the dashboard */
export async function signInWithToken(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {}
): Promise<Dashboard> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options
  })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await page.goto(url)
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Sign in with the token' }).click()
  await page.getByRole('navigation').first().waitFor()
  return {
    complaints: () => complaints.filter(text => !/status of (?:401|404)/.test(text)),
    page,
    [Symbol.asyncDispose]: () => context.close()
  }
}
