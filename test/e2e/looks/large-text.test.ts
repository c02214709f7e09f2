// Letters twice as large as the kit was drawn with, as people set it in their browser: lines keep their distance, nothing
// lies over anything else. And at 320 px the heading still has its buttons beside it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openStage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'
import { inBlocks } from './block-font.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** @returns descriptions of the faults */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
    for (const root of roots) {
      for (const part of root.querySelectorAll<HTMLElement>('*')) {
        const text = [...part.childNodes].some(node => node.nodeType === 3 && node.textContent!.trim() !== '')
        // A dash for a channel that there is not is no text.
        if (!text || part.matches('.sr, .avatar, .badge, .none') || !part.checkVisibility()) continue
        const { fontSize, lineHeight } = getComputedStyle(part)
        const name = `${part.localName}.${part.className}`
        if (Number.parseFloat(lineHeight) < 1.1 * Number.parseFloat(fontSize))
          found.add(`${name}: lines of ${lineHeight} for letters of ${fontSize}`)
        if (
          part.clientHeight > 0 &&
          part.scrollHeight > part.clientHeight + 1 &&
          !part.matches('.title, .body')
        )
          found.add(`${name}: ${part.scrollHeight} in ${part.clientHeight}`)
      }
      for (const row of root.querySelectorAll('article')) {
        const line = document.createRange()
        line.selectNodeContents(row.querySelector('.title')!)
        const [title, time] = [line.getClientRects()[0]!, row.querySelector('.time')!.getBoundingClientRect()]
        const apart = Math.abs(title.y + title.height / 2 - time.y - time.height / 2)
        if (apart > 3) found.add(`the time stands ${Math.round(apart)} px beside the line of its title`)
      }
    }
    return [...found]
  })

const open = async (page: Page): Promise<void> => {
  await page.locator('notif-popup .bell').click()
  await page.locator('.panel:popover-open article').first().waitFor()
}

// Low lines (DejaVu, Liberation) and high ones (Noto). A family that is not installed is the machine's own.
for (const family of ['system-ui', 'DejaVu Sans', 'Liberation Sans', 'Noto Sans']) {
  test(`text of twice the size overlaps nothing in ${family}`, async () => {
    const stage = await openStage(browser)
    for (const [scene, ready] of [
      ['popup', open],
      ['feed', (page: Page) => page.locator('article').nth(13).waitFor()],
      ['preferences', (page: Page) => page.getByRole('switch').nth(9).waitFor()],
      ['preferences-dialog', (page: Page) => page.locator('[part=type]').nth(3).waitFor()]
    ] as const) {
      const page = await stage.show(scene)
      await page.addStyleTag({ content: `:root { font-family: ${family} }` })
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
      await ready(page)
      assert.deepEqual(await faults(page), [], scene)
    }
  })
}

test('on the smallest phone the heading and its buttons are one aligned line', async () => {
  const stage = await openStage(browser, {
    hasTouch: true,
    isMobile: true,
    viewport: { height: 640, width: 320 }
  })
  const page = await stage.show('popup')
  await open(page)
  await inBlocks(page)
  const boxOf = async (selector: string): Promise<{ x: number; y: number; width: number; height: number }> =>
    (await page.locator(`notif-popup ${selector}`).first().boundingBox())!
  const [heading, close, time] = [await boxOf('.heading'), await boxOf('.close svg'), await boxOf('.time')]
  assert.ok(close.y < heading.y + heading.height, 'the buttons are below the heading')
  assert.equal(close.x + close.width, time.x + time.width)
})
