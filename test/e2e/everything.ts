// A page with every element of the kit, and a user who uses all of them.

import type { Page } from 'playwright-core'

import { chooseInMenu } from './site.ts'

/** The code of a provider is loaded also without a user of its own. */
export const EVERYTHING = `<notif-popup></notif-popup><notif-launcher></notif-launcher><notif-counter></notif-counter>
  <notif-feed></notif-feed><notif-preferences></notif-preferences>
  <notif-provider><p>Inside</p></notif-provider><notif-toast></notif-toast>`

/** Opens and reads everything once. @param send - sends a notification to the user of the page, who has one already */
export async function useEverything(page: Page, send: (title: string) => Promise<unknown>): Promise<void> {
  await page.locator('notif-feed article').first().waitFor()
  await page.locator('notif-preferences').getByRole('switch', { name: 'In app' }).first().waitFor()
  await send('Toast')
  await page.locator('notif-toast article', { hasText: 'Toast' }).waitFor()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article').first().waitFor()
  await send('Live')
  await page.locator('notif-popup article', { hasText: 'Live' }).waitFor()
  await chooseInMenu(page.locator('notif-popup'), 'Preferences')
  const dialog = page.getByRole('dialog', { name: 'Notification preferences' })
  await dialog.getByRole('switch', { name: 'In app' }).first().waitFor()
  await page.waitForLoadState('networkidle')
}
