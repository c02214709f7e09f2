// The strict page and the theming page of the demo: no violation of the policy, and tokens that apply to open elements.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { browser, site } from './shared-site.ts'
import { watchComplaints } from './site.ts'

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
  const row = rows.first()
  await row.hover()
  await row.getByRole('button', { name: /archive/i }).click()
  await page.waitForFunction(
    () => document.querySelector('notif-feed')!.shadowRoot!.querySelectorAll('article').length === 0
  )
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
