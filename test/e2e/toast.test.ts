// Toasts with the real server: which of two tabs shows one, how many, and when none does.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BrowserContext, Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { CLIENT, createUserId, watchComplaints } from './site.ts'

const BODY = '<notif-popup></notif-popup><notif-toast></notif-toast>'

const TOASTS = 'notif-toast article'
const toast = (page: Page, title: string) => page.locator(TOASTS, { hasText: title })

/** Every toast that a page has shown, also those that have left. */
const watchToasts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const titles = new Set<string>()
    Object.assign(globalThis, { titles })
    const look = (): void => {
      const root = document.querySelector('notif-toast')?.shadowRoot
      for (const article of root?.querySelectorAll('article') ?? []) titles.add(article.textContent!)
      requestAnimationFrame(look)
    }
    look()
  })

async function hasShown(page: Page, title: string): Promise<boolean> {
  const titles = await page.evaluate(() => [...(globalThis as unknown as { titles: Set<string> }).titles])
  return titles.some(text => text.includes(title))
}

/** A page of this user, connected. */
async function open(context: BrowserContext, userId: string): Promise<Page> {
  const page = await context.newPage()
  await watchToasts(page)
  await page.goto(site.page({ body: BODY, userId }))
  await page.waitForLoadState('networkidle')
  return page
}

/** Opens the inbox, which removes all toasts, and closes it. Escape closes only what is open, so it waits for that. */
async function openAndClose(page: Page): Promise<void> {
  const heading = page.locator('notif-popup .heading')
  await page.locator('notif-popup .bell').click()
  await heading.waitFor()
  await page.keyboard.press('Escape')
  await heading.waitFor({ state: 'hidden' })
}

/** @returns the page that shows it */
async function sendAndSee(userId: string, title: string, pages: readonly Page[]): Promise<Page> {
  await site.send(userId, { title })
  return Promise.any(
    pages.map(async page => {
      await toast(page, title).waitFor()
      return page
    })
  )
}

test('exactly one of two tabs shows each toast, at most three at a time', async () => {
  const userId = createUserId()
  await using context = await browser.newContext()
  const pages = [await open(context, userId), await open(context, userId)]
  const complaints = pages.map(page => watchComplaints(page))
  // So many that one of the tabs gets more than three.
  const titles = Array.from({ length: 7 }, (_, i) => `Boat ${11 + i}`)
  // At once: a toast that has left makes room for one that comes later.
  await Promise.all(titles.map(title => site.send(userId, { title })))
  for (const page of pages) await page.locator('notif-popup .badge', { hasText: '7' }).waitFor()
  // What comes after the third waits behind a line.
  await Promise.any(pages.map(page => page.locator('notif-toast .rest').waitFor()))
  for (const page of pages) assert.ok((await page.locator(TOASTS).count()) <= 3)
  // The tabs decide in turn, so both have decided about these when one shows the next.
  for (const page of pages) await openAndClose(page)
  await sendAndSee(userId, 'Next', pages)
  for (const title of titles) {
    const shownBy = await Promise.all(pages.map(page => hasShown(page, title)))
    // The inbox opened before some had their turn.
    assert.ok(shownBy.filter(Boolean).length <= 1, title)
  }
  assert.deepEqual(complaints.flat(), [])
})

test('there is no toast while the inbox is open, while the page is hidden, nor for a type that is off', async () => {
  const userId = createUserId()
  await using context = await browser.newContext()
  const page = await open(context, userId)
  await sendAndSee(userId, 'Before', [page])

  await page.locator('notif-popup .bell').click()
  await page.locator(TOASTS).waitFor({ state: 'detached' })
  await site.send(userId, { title: 'Inbox is open' })
  await page.locator('notif-popup article', { hasText: 'Inbox is open' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('notif-popup .heading').waitFor({ state: 'hidden' })

  const setHidden = (isHidden: boolean): Promise<void> =>
    page.evaluate(hidden => {
      Object.defineProperties(document, {
        hidden: { configurable: true, value: hidden },
        visibilityState: { configurable: true, value: hidden ? 'hidden' : 'visible' }
      })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await setHidden(true)
  await site.send(userId, { title: 'Page is hidden' })
  await page.locator('notif-popup .badge').waitFor()
  await setHidden(false)

  const muted = await site.post(`/${CLIENT}/users/${userId}/preferences`, {
    preferences: [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'quiet' }]
  })
  assert.equal(muted.status, 200, await muted.text())
  const discarded = await site.post(`/${CLIENT}/sender`, {
    inapp: { title: 'Type is off' },
    to: { id: userId },
    type: 'quiet'
  })
  assert.equal(discarded.status, 202)

  await sendAndSee(userId, 'After', [page])
  for (const title of ['Inbox is open', 'Page is hidden', 'Type is off'])
    assert.equal(await hasShown(page, title), false, title)
  assert.equal(await hasShown(page, 'Before'), true)
})
