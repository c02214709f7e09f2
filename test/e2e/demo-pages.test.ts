// The strict page and the theming page of the demo: no violation of the policy, and tokens that apply to open elements.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { chooseInMenu, watchComplaints } from './site.ts'

/** Buttons, reply, progress, people, toast, tabs, snooze, undo and pause, each as a user has it. */
async function useEachKind(page: Page): Promise<void> {
  const feed = page.locator('notif-feed')
  const row = (text: string): Locator => feed.locator('article', { hasText: text })
  const send = (name: string): Promise<void> => page.getByRole('button', { exact: true, name }).click()
  await send('Approval')
  await page.locator('notif-toast .toast', { hasText: 'approve the winter fares' }).first().waitFor()
  await row('winter fares').getByRole('button', { name: 'Approve' }).click()
  await feed.getByText('You approved this').waitFor()

  await send('New comment')
  await row('Harbour map').getByRole('button', { name: 'Reply' }).click()
  await feed.locator('textarea').fill('By the weekend')
  await page.keyboard.press('Enter')
  await feed.getByText('By the weekend').waitFor()

  await send('Report')
  await row('September report').getByRole('progressbar').waitFor()
  await send('Several people')
  await row('4 others').waitFor()

  await row('4 others').hover()
  await row('4 others').getByRole('button', { name: 'Snooze' }).click()
  await feed.getByRole('menuitem').first().click()
  const undo = feed.locator('.undo-line').getByRole('button', { name: /Undo/ })
  await until(async () => {
    // The line of an action does not answer what may be a double click.
    if (await undo.isVisible()) await undo.click()
    return row('4 others').isVisible()
  }, 'the row is back')
  await row('Strict notification').hover()
  await row('Strict notification').getByRole('button', { name: 'Archive' }).click()
  await feed.locator('.undo-line', { hasText: 'Archived' }).waitFor()

  const popup = page.locator('notif-popup')
  await popup.locator('.bell').click()
  await popup.getByRole('button', { name: /^Approvals/ }).click()
  await popup.locator('article', { hasText: 'winter fares' }).waitFor()
  await chooseInMenu(popup, 'Pause')
  await popup.locator('.paused').getByRole('button').click()
  await popup.locator('.paused').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
}

test('the elements work under a strict policy without a violation', async () => {
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  const answer = await page.goto(`${site.base}/demo/strict`)
  assert.equal(
    answer!.headers()['content-security-policy'],
    "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
  )
  const rows = page.locator('notif-feed article')
  await page.getByRole('button', { name: 'Send a notification' }).click()
  await rows.filter({ hasText: 'Strict notification 1' }).waitFor()
  await page.locator('notif-counter .badge', { hasText: '1' }).waitFor()
  for (const bell of ['notif-popup', 'notif-launcher']) {
    await page.locator(`${bell} .bell`).click()
    await page.locator(`${bell} article`).first().waitFor()
    await page.keyboard.press('Escape')
  }
  await useEachKind(page)
  assert.equal(await page.locator('[data-violations]').textContent(), '0')
  assert.deepEqual(complaints, [])
  // The page counts violations: this one is forbidden.
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
  await page.locator('[data-violations]', { hasText: '1' }).waitFor()
  await page.close()
})

test('a theme applies to open elements in both schemes, and the page has its style sheet', async () => {
  const context = await browser.newContext()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.base })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await page.goto(`${site.base}/demo/theming`)
  const css = page.locator('[data-css]')
  const meter = page.locator('[data-meter] tr')
  await meter.first().waitFor()
  // A minifier may have written it in seconds.
  assert.equal(await page.getByLabel('Animation (ms)').inputValue(), '320')
  const background = (pane: string): Promise<string> =>
    page
      .locator(`[data-pane=${pane}] notif-popup .badge`)
      .evaluate(node => getComputedStyle(node).backgroundColor)
  const [light, dark] = [await background('light'), await background('dark')]
  assert.notEqual(light, dark)

  await page.getByLabel('Badge, light').fill('#118833')
  assert.equal(await background('light'), 'rgb(17, 136, 51)')
  assert.equal(await page.getByLabel('Badge, light').inputValue(), '#118833')
  assert.match((await css.textContent())!, /--notif-bubble: light-dark\(#118833, #[\da-f]{6}\);/)

  await page.getByText('Violet', { exact: true }).first().click()
  assert.equal(await background('light'), 'rgb(90, 79, 207)')
  assert.equal(await background('dark'), 'rgb(169, 162, 255)')
  assert.match((await css.textContent())!, /--notif-accent: light-dark\(#5a4fcf, #a9a2ff\);/)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await css.textContent())

  await page.getByLabel('Language').selectOption('de')
  await page.locator('[data-pane=light] notif-feed').getByText('Benachrichtigungen').first().waitFor()
  await page.getByLabel('Direction').selectOption('rtl')
  assert.equal(
    await page
      .locator('notif-popup .badge')
      .first()
      .evaluate(node => getComputedStyle(node).direction),
    'rtl'
  )

  await page.getByRole('button', { name: 'Reset' }).click()
  assert.equal(await background('light'), light)
  assert.match((await css.textContent())!, /^\/\*/)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('every set of the theming page has enough contrast, and the meter finds what has too little', async () => {
  const page = await browser.newPage()
  await page.goto(`${site.base}/demo/theming`)
  const sets = page.locator('.preset')
  await page.locator('[data-meter] tr').first().waitFor()
  assert.ok((await sets.count()) >= 5)
  for (const set of await sets.all()) {
    await set.click()
    assert.deepEqual(await page.locator('[data-enough=false]').allTextContents(), [], await set.innerText())
  }
  await page.getByLabel('Text, dark', { exact: true }).fill('#333333')
  await page
    .getByRole('row', { name: /^Text /u })
    .locator('[data-enough=false]')
    .first()
    .waitFor()
  await page.close()
})

test('in a high contrast theme fields have an edge and selection is visible', async () => {
  const page = await browser.newPage({ colorScheme: 'dark', forcedColors: 'active' })
  await page.goto(site.base)
  await page.locator('.status[data-state=online]').waitFor()
  const bare = await page.evaluate(() => {
    const seen = (element: Element): boolean => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(element)
      return borderTopStyle !== 'none' && borderTopWidth !== '0px'
    }
    const controls = document.querySelectorAll(
      '.field :is(input:not([type]), textarea, select), .button, .card'
    )
    return [...controls]
      .filter(element => !seen(element))
      .map(({ className, localName }) => `${localName}.${className}`)
  })
  assert.deepEqual(bare, [])
  const same = await page.evaluate(() => {
    const paint = (element: Element): string => {
      const { backgroundColor, outlineStyle } = getComputedStyle(element)
      return `${backgroundColor} ${outlineStyle}`
    }
    return [...document.querySelectorAll('.seg, .chips, .swatches')]
      .filter(group => {
        const [on, off] = [':checked', ':not(:checked)'].map(state => group.querySelector(`${state} + span`)!)
        return paint(on!) === paint(off!) && paint(on!).endsWith('none')
      })
      .map(({ className }) => className)
  })
  assert.deepEqual(same, [])
  await page.close()
})

test('the pages of the demo have one navigation, which marks where it is', async () => {
  const page = await browser.newPage()
  const links: string[] = []
  for (const path of ['/', '/demo/states', '/demo/theming', '/demo/strict']) {
    await page.goto(site.base + path)
    const bar = page.getByRole('navigation', { exact: true, name: 'Pages' })
    assert.equal(await bar.locator('[aria-current=page]').getAttribute('href'), path)
    links.push((await bar.locator('a').allTextContents()).join())
  }
  assert.equal(new Set(links).size, 1)
  await page.close()
})
