// The menus of a row and the line that undoes them: light, dark, from right to left, in forced colours and with a finger, measured with
// axe and used.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

import { openStage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { hasTouch: true, isMobile: true, viewport: { height: 720, width: 390 } }
const MIN_TOUCH_PX = 44

const LOOKS: Readonly<Record<string, readonly [scene: string, options: BrowserContextOptions]>> = {
  dark: ['fewer', { colorScheme: 'dark' }],
  'forced colors': ['fewer', { colorScheme: 'dark', forcedColors: 'active' }],
  'from right to left': ['fewer-arabic', {}],
  light: ['fewer', {}],
  phone: ['fewer', PHONE],
  'phone from right to left': ['fewer-arabic', PHONE]
}

interface Result {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[]
}

/** @param selector - of what opened: what it covers in part has no colors that could be measured */
async function checkWithAxe(page: Page, selector: string): Promise<void> {
  const faults = await page.evaluate(async selector => {
    const { axe } = globalThis as unknown as { axe: { run(place: Element): Promise<Result> } }
    const place = document.querySelector('notif-popup')!.shadowRoot!.querySelector(selector)!
    const { violations } = await axe.run(place)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }, selector)
  assert.deepEqual(faults, [], selector)
}

const rows = (page: Page): Locator => page.locator('notif-popup article.item')
const items = (page: Page): Locator => page.locator('.menu:popover-open [role=menuitem]')
const line = (page: Page): Locator => page.locator('notif-popup .undo-line')

/** By the tool of the row, or with a finger by its only button. */
async function openRowMenu(page: Page, act: 'fewer' | 'snooze', position: number): Promise<void> {
  const more = rows(page).first().locator('[data-act=more]')
  if (await more.isVisible()) {
    await more.tap()
    await items(page).nth(position).tap()
  } else {
    await rows(page).first().hover()
    await rows(page).first().locator(`[data-act=${act}]`).click()
  }
  await page.locator('.menu:popover-open .menu-heading').waitFor()
}

const press = (target: Locator, isTouch: boolean): Promise<void> => (isTouch ? target.tap() : target.click())

/** A mouse on the line stops its time; a finger cannot, and a slow machine would be too late. */
async function checkLine(page: Page, isTouch: boolean): Promise<void> {
  const { height } = (await line(page).boundingBox())!
  assert.ok(height >= (isTouch ? MIN_TOUCH_PX : 36), `${height} px`)
  if (isTouch) {
    await line(page).evaluate(line =>
      line
        .querySelector('.time-left')
        ?.getAnimations()
        .forEach(animation => animation.pause())
    )
    return
  }
  await line(page).hover()
  await checkWithAxe(page, '.undo-line')
}

/** In its first 300 ms the line answers nothing. */
async function undo(page: Page, isTouch: boolean): Promise<void> {
  while ((await line(page).count()) > 0) await press(line(page).locator('button'), isTouch)
}

for (const [look, [scene, options]] of Object.entries(LOOKS)) {
  test(`menus, fields and lines of a row, ${look}`, async () => {
    const isTouch = options.hasTouch === true
    const page = await (await openStage(browser, options)).show(scene)
    await page.locator('notif-popup .bell').click()
    await rows(page).nth(8).waitFor({ state: 'attached' })
    await page.evaluate(AXE)
    await page.locator('.came-back').waitFor()
    const count = await rows(page).count()

    await openRowMenu(page, 'snooze', 1)
    await checkWithAxe(page, '.menu:popover-open')
    await press(items(page).last(), isTouch)
    await page.locator('.picker:popover-open').waitFor()
    await checkWithAxe(page, '.picker')
    await press(page.locator('.picker button'), isTouch)
    await line(page).locator('button').waitFor()
    await checkLine(page, isTouch)
    assert.equal(await rows(page).count(), count - 1)
    await undo(page, isTouch)
    await rows(page)
      .nth(count - 1)
      .waitFor({ state: 'attached' })

    await openRowMenu(page, 'fewer', 3)
    await checkWithAxe(page, '.menu:popover-open')
    for (const item of await items(page).all()) {
      const { height } = (await item.boundingBox())!
      assert.ok(height >= (isTouch ? MIN_TOUCH_PX : 36), `${height} px`)
    }
    await press(items(page).first(), isTouch)
    await line(page).locator('button').waitFor()
    await checkLine(page, isTouch)
    await undo(page, isTouch)
    await rows(page)
      .nth(count - 1)
      .waitFor({ state: 'attached' })
    await page.context().close()
  })
}
