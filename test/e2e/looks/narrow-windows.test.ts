// 320 px, 200 %, German, forced colours and no motion: nothing runs sideways, no control is cut, each can be hit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openStage, type Stage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

const SMALL = { height: 640, width: 320 }
const FINGER = { hasTouch: true, isMobile: true, viewport: SMALL }

/** 640 px at 200 % are 320 px with two dots each; a mouse stays a mouse. */
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'a small phone': FINGER,
  'a window at 200 %': { deviceScaleFactor: 2, viewport: SMALL },
  'forced colours': { forcedColors: 'active', viewport: SMALL }
}

type Step = (page: Page) => Promise<unknown>

const open: Step = async page => {
  await page.locator('notif-popup .bell, notif-launcher .bell').last().click()
  await page.locator('.panel:popover-open :is(article, .empty-state)').first().waitFor()
}
const unfold: Step = async page => {
  await page.locator('summary').first().waitFor()
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('notif-preferences, notif-preferences-popup')) {
      for (const fold of element.shadowRoot!.querySelectorAll('details')) fold.open = true
    }
  })
}

const SCENES: Readonly<Record<string, Step>> = {
  arabic: open,
  async asked(page) {
    await open(page)
    await page.locator('.push-row .main').waitFor()
  },
  corner: open,
  error: open,
  feed: page => page.locator('article').nth(12).waitFor(),
  german: open,
  lists: page => page.locator('article').nth(5).waitFor(),
  'preferences-arabic': unfold,
  'preferences-german': unfold,
  'preferences-german-dialog': unfold
}

/** @returns descriptions of the faults */
const faults = (page: Page, least: number): Promise<string[]> =>
  page.evaluate(least => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    const call = (part: Element): string =>
      `${part.localName}.${part.getAttribute('class')} “${part.ariaLabel ?? part.textContent!.trim().slice(0, 30)}”`
    const kit = [...document.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot)
    for (const part of kit.flatMap(host => Array.from(host.shadowRoot!.querySelectorAll<HTMLElement>('*')))) {
      if (part.matches('.sr, .sr *, svg *') || !part.checkVisibility()) continue
      const { height, left, right, width } = part.getBoundingClientRect()
      if (width === 0) continue
      if (left < -0.5 || right > innerWidth + 0.5) found.push(`${call(part)} runs out: ${left}..${right}`)
      // Target size of WCAG 2.5.8; on touch screens that of the design.
      // A switch is hit beside its drawing, too.
      const around = part.matches('input') ? getComputedStyle(part, '::after') : { height, width }
      const target = [around.width, around.height].map(size => parseFloat(String(size)))
      if (part.matches('button, select, input, summary') && Math.min(...target) < least - 0.5)
        found.push(`${call(part)} is ${target.join(' by ')}`)
      // Words that stand in a button, a heading or beside a switch are there to be read, to the end.
      const words = part.matches('button, summary, .heading, .ch, .tab, .fixed, .btn, .title, .empty-state p')
      // On touch screens the area to hit is larger than the button. It scrolls with the button, but no word of it is cut.
      const area = getComputedStyle(part, '::after')
      const beyond = Math.max(0, ...[area.left, area.right].map(side => -parseFloat(side) || 0))
      const isCut = part.scrollWidth > part.clientWidth + beyond + 1
      if (words && isCut && getComputedStyle(part).display !== 'inline')
        found.push(`${call(part)} is cut: ${part.scrollWidth} in ${part.clientWidth}`)
      if (
        getComputedStyle(part)
          .animationDuration.split(',')
          .some(time => parseFloat(time) > 0.01)
      )
        if (part.getAnimations().some(({ playState }) => playState === 'running'))
          found.push(`${call(part)} moves`)
    }
    return found
  }, least)

/** Single words of a heading that stand on two lines. */
const broken = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .flatMap(({ shadowRoot }) => Array.from(shadowRoot?.querySelectorAll('.heading, .tab, .btn') ?? []))
      .flatMap(part => {
        const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
        const found: string[] = []
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const { 0: word, index } of node.textContent!.matchAll(/\S+/g)) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word)
          }
        }
        return found
      })
  )

for (const [look, options] of Object.entries(LOOKS)) {
  test(`nothing overlaps or overflows: ${look}`, async t => {
    const stage: Stage = await openStage(browser, options)
    for (const [scene, ready] of Object.entries(SCENES)) {
      await t.test(scene, async () => {
        const page = await stage.show(scene)
        await ready(page)
        assert.deepEqual(await faults(page, options.hasTouch ? 36 : 24), [])
        assert.deepEqual(await broken(page), [])
      })
    }
  })
}
