// The box, colours and corners of each part in each state, as text in `layouts/`. Every character is the same block, so the fonts of
// the machine do not matter.
//
// After an intended change: `node --test --test-update-snapshots test/e2e/looks/layout.test.ts`, and check the pictures.

import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openStage, type Stage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'
import { inBlocks } from './block-font.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** @returns `part x y width height, text on paper, corner`, one line a part; three rows of a list are enough */
const layoutOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const surface = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const hex = (colour: string): string => {
      surface.clearRect(0, 0, 1, 1)
      surface.fillStyle = colour
      surface.fillRect(0, 0, 1, 1)
      const [red, green, blue, alpha] = surface.getImageData(0, 0, 1, 1).data
      if (alpha === 0) return 'none'
      const digits = [red!, green!, blue!].map(byte => byte.toString(16).padStart(2, '0')).join('')
      return alpha === 255 ? `#${digits}` : `#${digits}/${Math.round(alpha! / 2.55)}%`
    }
    const lines: string[] = []
    const read = (root: ShadowRoot): void => {
      for (const part of root.querySelectorAll<HTMLElement>('[part], button, select, summary')) {
        const row = part.closest('article')
        if (!part.checkVisibility() || Number(row?.ariaPosInSet ?? 0) > 3) continue
        const { height, width, x, y } = part.getBoundingClientRect()
        const { backgroundColor, borderTopLeftRadius, color } = getComputedStyle(part)
        const name = part.getAttribute('part') ?? `${part.localName}.${part.className}`
        lines.push(
          `${name} ${[x, y, width, height].map(Math.round).join(' ')}, ${hex(color)} on ${hex(backgroundColor)}, ${borderTopLeftRadius}`
        )
      }
    }
    for (const { localName, shadowRoot } of document.querySelectorAll('*')) {
      if (!shadowRoot) continue
      lines.push(localName)
      read(shadowRoot)
    }
    return `${lines.join('\n')}\n`
  })

type Step = (page: Page) => Promise<unknown>

const open: Step = async page => {
  await page.locator('.bell').last().click()
  await page.locator('.panel:popover-open :is(article, .empty-state, .skeleton)').first().waitFor()
}
const asked: Step = async page => {
  await open(page)
  await page.locator('.push-row').waitFor()
}
/** The other bars differ in colour only. */
const one: Step = async page => {
  await page.locator('notif-counter .badge').nth(2).waitFor()
  await page.evaluate(() => document.querySelectorAll('.bar ~ .bar').forEach(bar => bar.remove()))
}
const there =
  (what: string, count: number): Step =>
  page =>
    page
      .locator(what)
      .nth(count - 1)
      .waitFor()

const DARK = { colorScheme: 'dark' } as const
const PHONE = { hasTouch: true, isMobile: true, viewport: { height: 720, width: 375 } }

const LOOKS: Readonly<Record<string, readonly [BrowserContextOptions, Readonly<Record<string, Step>>]>> = {
  dark: [DARK, { popup: open, 'preferences-dialog': there('[part=type]', 4) }],
  light: [
    {},
    {
      arabic: open,
      asked,
      badges: one,
      corner: open,
      empty: open,
      error: open,
      lists: there('article', 7),
      loading: open,
      popup: open,
      preferences: there('[role=switch]', 10)
    }
  ],
  phone: [PHONE, { german: open, 'preferences-arabic': there('[part=type]', 2) }]
}

for (const [look, [options, scenes]] of Object.entries(LOOKS)) {
  test(`the layout is as recorded, ${look}`, async t => {
    const stage: Stage = await openStage(browser, options)
    for (const [scene, ready] of Object.entries(scenes)) {
      await t.test(scene, async t => {
        const page = await stage.show(scene)
        await ready(page)
        await inBlocks(page)
        const file = join(import.meta.dirname, 'layouts', `${scene}-${look}.txt`)
        t.assert.fileSnapshot(await layoutOf(page), file, { serializers: [String] })
      })
    }
  })
}
