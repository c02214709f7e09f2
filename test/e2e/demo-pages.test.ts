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

test('changes of tokens, scheme, direction and language apply to open elements', async () => {
  const page = await browser.newPage({ colorScheme: 'light' })
  const complaints = watchComplaints(page)
  await page.goto(`${site.base}/demo/theming`)
  // A minifier may have written it in seconds.
  await page.locator('input[name="--notif-slow"][value="320"]').waitFor()
  const badge = page.locator('notif-popup .badge')
  await badge.waitFor()
  const look = (property: string): Promise<string> =>
    badge.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  await page.getByLabel('Badge').fill('#118833')
  assert.equal(await look('background-color'), 'rgb(17, 136, 51)')
  assert.match((await page.locator('[data-css]').textContent())!, /--notif-bubble: #118833;/)

  const surface = (): Promise<string> =>
    page.locator('notif-feed').evaluate(element => getComputedStyle(element).backgroundColor)
  const light = await surface()
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const white = await paper()
  const control = page.getByLabel('Surface', { exact: true })
  assert.equal(await control.inputValue(), '#ffffff')
  await page.getByLabel('Scheme').selectOption('dark')
  assert.notEqual(await surface(), light)
  assert.notEqual(await paper(), white)
  assert.match(await control.inputValue(), /^#[12]/)
  assert.equal(await page.getByLabel('Badge').inputValue(), '#118833')
  await page.getByLabel('Language').selectOption('de')
  await page.locator('notif-feed').getByText('Benachrichtigungen').first().waitFor()
  await page.getByLabel('Direction').selectOption('rtl')
  assert.equal(await look('direction'), 'rtl')

  await page.getByRole('button', { name: 'Reset' }).click()
  assert.notEqual(await look('background-color'), 'rgb(17, 136, 51)')
  assert.equal(await control.inputValue(), '#ffffff')
  assert.deepEqual(complaints, [])
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
