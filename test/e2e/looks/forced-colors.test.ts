// A dark high contrast theme on a page with a light scheme only: icons have the colours of the theme, and the painted text of every
// button is readable.

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
  'preferences-dialog': '[role=switch]',
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

/** Drawings with a colour of their own, which a browser does not force. */
const ownColours = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const drawings = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      Array.from(shadowRoot?.querySelectorAll<HTMLElement>('.note > svg, .state > svg, .bar > i') ?? [])
    )
    if (drawings.length === 0) throw new Error('There are none.')
    return drawings
      .filter(drawing => drawing.checkVisibility())
      .flatMap(drawing => {
        const { backgroundColor, color } = getComputedStyle(drawing)
        const shown = drawing.matches('i') ? backgroundColor : color
        return shown.startsWith('rgb') ? [] : [`${drawing.parentElement!.className}: ${shown}`]
      })
  })

for (const [scene, button, part] of [
  ['asked-on', '.push-row .main', '.push-row .good'],
  ['asked-failed', '.push-row .main', '.push-row .bad'],
  ['fewer', '.heading', '.bar[data-bad]']
] as const) {
  test(`drawings have colours of the system in forced colours: ${scene}`, async () => {
    const page = await stage.show(scene)
    await page.locator('notif-popup .bell').click()
    await page.locator(`notif-popup ${button}`).click()
    await page.locator(`notif-popup ${part}`).waitFor()
    assert.deepEqual(await ownColours(page), [])
  })
}

/** Visible texts of buttons, in pixels of the window. */
const buttonTexts = (
  page: Page
): Promise<{ height: number; text: string; width: number; x: number; y: number }[]> =>
  page.evaluate(() => {
    const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
    return roots
      .flatMap(root => Array.from(root.querySelectorAll('button, [role=switch], a, summary')))
      .filter(button => button.checkVisibility() && !button.matches('[aria-disabled=true], .sr'))
      .flatMap(button => {
        const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
        const texts: { height: number; text: string; width: number; x: number; y: number }[] = []
        while (walker.nextNode()) {
          const node = walker.currentNode
          if (!node.textContent!.trim() || node.parentElement!.closest('.sr')) continue
          const range = document.createRange()
          range.selectNodeContents(node)
          const { height, width, x, y } = range.getBoundingClientRect()
          // Rows outside the visible part of their list are not painted.
          if (
            button.contains(
              (button.getRootNode() as ShadowRoot).elementFromPoint(x + width / 2, y + height / 2)
            )
          ) {
            texts.push({ height, text: node.textContent!.trim(), width, x, y })
          }
        }
        return texts
      })
  })

/** The contrast of the darkest and the lightest pixel of a picture. */
const paintedContrast = (page: Page, png: string): Promise<number> =>
  page.evaluate(async source => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${source}`
    await picture.decode()
    const surface = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!
    surface.drawImage(picture, 0, 0)
    const { data } = surface.getImageData(0, 0, picture.width, picture.height)
    let darkest = 1
    let lightest = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [...data.subarray(at, at + 3)].map(byte => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
      darkest = Math.min(darkest, luminance)
      lightest = Math.max(lightest, luminance)
    }
    return (lightest + 0.05) / (darkest + 0.05)
  }, png)

const BUTTONS: Readonly<Record<string, string>> = {
  arriving: 'article',
  asked: '.push-row',
  paused: '.paused',
  error: '.empty-state',
  lists: 'article',
  'preferences-dialog': 'summary',
  'preferences-error': '.empty-state'
}

for (const [scene, part] of Object.entries(BUTTONS)) {
  test(`the painted text of each button is readable in forced colours: ${scene}`, async () => {
    const page = await stage.show(scene)
    const bell = page.locator('.bell').last()
    if (await bell.isVisible()) await bell.click()
    await page.locator(part).first().scrollIntoViewIfNeeded()
    const texts = await buttonTexts(page)
    const pale: string[] = []
    for (const { text, ...clip } of texts) {
      const contrast = await paintedContrast(page, (await page.screenshot({ clip })).toString('base64'))
      if (contrast < 4.5) pale.push(`${text} ${contrast.toFixed(1)}`)
    }
    assert.ok(texts.length > 0, 'the scene has buttons with a text')
    assert.deepEqual(pale, [])
  })
}
