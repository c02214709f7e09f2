// A dark high contrast theme on a page with a light scheme only: icons have the colours of the theme.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openStage, type Stage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'

let browser: Browser
let stage: Stage
before(async () => {
  browser = await openBrowser()
  stage = await openStage(browser, { colorScheme: 'dark', forcedColors: 'active' })
})
after(() => browser?.close())

/** Lines of drawings that are hardly seen, with their contrast. */
const pale = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const surface = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const luminance = (colour: string): number => {
      surface.fillStyle = colour
      surface.fillRect(0, 0, 1, 1)
      const [red, green, blue] = [...surface.getImageData(0, 0, 1, 1).data].map(byte => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
    }
    const canvas = document.body.appendChild(document.createElement('i'))
    canvas.style.backgroundColor = 'Canvas'
    const paper = luminance(getComputedStyle(canvas).backgroundColor)
    canvas.remove()
    return [...document.querySelectorAll('*')]
      .flatMap(({ shadowRoot }) => Array.from(shadowRoot?.querySelectorAll('svg, svg *') ?? []))
      .filter(line => line.checkVisibility() && !line.closest('[aria-disabled=true], .soft'))
      .flatMap(line => {
        const { stroke } = getComputedStyle(line)
        if (stroke === 'none') return []
        const ink = luminance(stroke)
        const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)
        const place = line.closest('[class], button')!
        return contrast < 4.5
          ? [`${place.localName}.${place.getAttribute('class')} ${contrast.toFixed(1)}`]
          : []
      })
  })

const SCENES: Readonly<Record<string, string>> = {
  error: '.empty-state',
  popup: 'article',
  preferences: '[role=switch]',
  'preferences-dialog': 'summary',
  'preferences-empty': '.empty-state'
}

for (const [scene, part] of Object.entries(SCENES)) {
  test(`icons are visible in forced colours: ${scene}`, async () => {
    const page = await stage.show(scene)
    await page.addStyleTag({ content: ':root { color-scheme: light !important }' })
    const bell = page.locator('.bell')
    if (await bell.isVisible()) await bell.click()
    await page.locator(part).first().waitFor()
    assert.deepEqual(await pale(page), [])
  })
}
