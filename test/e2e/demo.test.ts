// The first thing that a newcomer sees: the demo page, used as he would use it, under its strict policy.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { watchComplaints } from './site.ts'

const feed = (page: Page): Locator => page.locator('notif-feed article')
const bell = (page: Page): Locator => page.locator('.top notif-popup .bell')

async function demo(
  options: BrowserContextOptions = {},
  path = '/'
): Promise<{ page: Page; complaints: readonly string[]; [Symbol.asyncDispose](): Promise<void> }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints = watchComplaints(page)
  await page.goto(site.base + path)
  await page.locator('.status[data-state=online]').waitFor()
  await feed(page).first().waitFor()
  return { complaints, page, [Symbol.asyncDispose]: () => context.close() }
}

test('a send from the page arrives on the page, on the bell, and as email and SMS in the sandbox', async () => {
  await using visit = await demo()
  const { complaints, page } = visit
  const before = Number(await page.locator('.top notif-popup .badge').textContent())
  await page.getByLabel('Title').fill('Written in {{ braces }} <b>bold</b>')
  await page.getByRole('button', { exact: true, name: 'Send' }).click()
  await page.getByText('Arrived on this page').waitFor()
  await feed(page).filter({ hasText: 'Written in {{ braces }} <b>bold</b>' }).waitFor()
  await page
    .locator('.top notif-popup .badge')
    .filter({ hasText: String(before + 1) })
    .waitFor()

  await page.getByRole('button', { exact: true, name: 'Send' }).click()
  await page
    .locator('.top notif-popup .badge')
    .filter({ hasText: String(before + 2) })
    .waitFor()
  await page.getByText('Arrived on this page').waitFor()

  await page.getByText('SMS', { exact: true }).click()
  await page.getByRole('button', { exact: true, name: 'Send' }).click()
  await page.getByText('Arrived on this page').waitFor()
  await page
    .locator('.top notif-popup .badge')
    .filter({ hasText: String(before + 3) })
    .waitFor()
  assert.deepEqual(complaints, [])

  await page.getByRole('link', { name: 'Sandbox' }).click()
  await page.getByText('+12025550143').first().waitFor()
  await page.getByText('amara@heron.example').first().click()
  await page.getByRole('heading', { name: 'Written in {{ braces }} <b>bold</b>' }).waitFor()
})

test('another visitor has another user and inbox', async () => {
  await using amara = await demo()
  await using nour = await demo({}, '/?user=nour')
  await nour.page.getByRole('heading', { name: 'What Nour sees' }).waitFor()
  const mine = await feed(amara.page).count()
  await amara.page.locator('select[name=to]').selectOption('nour')
  await amara.page.getByLabel('Title').fill('Only for Nour')
  await amara.page.getByRole('button', { exact: true, name: 'Send' }).click()
  await amara.page.getByText('Accepted for Nour Haddad').waitFor()
  await feed(nour.page).filter({ hasText: 'Only for Nour' }).waitFor()
  assert.equal(await feed(amara.page).count(), mine)
})

test('popup, launcher and controls work', async () => {
  await using visit = await demo()
  const { complaints, page } = visit
  await bell(page).click()
  const popup = page.locator('.top notif-popup')
  await popup.locator('article').first().waitFor()
  await page.keyboard.press('Escape')
  await popup.locator('.heading').waitFor({ state: 'hidden' })
  await page.locator('notif-launcher .bell').click()
  await page.locator('notif-launcher article').first().waitFor()
  await page.keyboard.press('Escape')

  const accent = (): Promise<string> =>
    page.locator('.button').evaluate(button => getComputedStyle(button).backgroundColor)
  const cobalt = await accent()
  await page.locator('label[title=Rust]').click()
  await page.waitForFunction(
    before => getComputedStyle(document.querySelector('.button')!).backgroundColor !== before,
    cobalt
  )
  await page.locator('label[title=Dark]').click()
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
  assert.deepEqual(complaints, [])
})

test('the snippet works in another page', async () => {
  await using visit = await demo({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(code, await page.locator('[data-snippet]').textContent())
  const other = await page.context().newPage()
  await other.goto(site.host(`<!doctype html><html lang="en"><title>Shop</title>${code}`))
  await other.locator('notif-popup .bell').click()
  await other.locator('notif-popup article').first().waitFor()
})

test('the page links to every other page of the server, also on a phone', async () => {
  await using visit = await demo({ viewport: { height: 844, width: 390 } })
  const { page } = visit
  for (const path of ['/demo/theming', '/demo/states', '/demo/strict', '/sandbox', '/docs']) {
    await page.locator(`a[href="${path}"]:visible`).waitFor()
    assert.equal((await page.request.get(site.base + path)).status(), 200, path)
  }
})

test('from 320 to 1440 pixels nothing is wider than the window', async () => {
  await using visit = await demo()
  const { page } = visit
  for (const width of [320, 375, 480, 560, 768, 900, 1024, 1168, 1280, 1440]) {
    await page.setViewportSize({ height: 800, width })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${wide} px too wide at ${width}`)
    const launcher = await page.locator('notif-launcher .bell').boundingBox()
    assert.ok(launcher && launcher.x + launcher.width <= width, `the launcher is in the window at ${width}`)
  }
  await page.setViewportSize({ height: 800, width: 320 })
  for (const path of ['docs', 'problems', 'sandbox', 'demo/theming']) {
    await page.goto(`${site.base}/${path}`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${path} is ${wide} px too wide`)
  }
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the page, closed and open, ${colorScheme}`, async () => {
    // Transitions would be measured half way; the policy would refuse axe itself.
    await using visit = await demo({ bypassCSP: true, colorScheme, reducedMotion: 'reduce' })
    const { page } = visit
    await page.evaluate(axe)
    const check = async (state: string): Promise<void> => {
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run()
      )
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html}\n${node.failureSummary}`).join('\n')}`
      )
      assert.deepEqual(found, [], state)
    }
    await check('closed')
    await bell(page).click()
    await page.locator('.top notif-popup article').first().waitFor()
    await check('popup open')
    await page.keyboard.press('Escape')
    await page.locator('notif-launcher .bell').click()
    await page.locator('notif-launcher article').first().waitFor()
    await check('launcher open')
  })
}
