// Chromium over its own protocol, and Firefox over WebDriver BiDi.

import { existsSync } from 'node:fs'

import { launch, type BrowserContext, type KeyInput, type Page } from 'puppeteer-core'

import { findChromium } from '../../support/chromium.ts'
import type { Engine, Size, Tab } from './engine.ts'

const FIREFOX = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox'
]
const findFirefox = (): string | undefined =>
  process.env['FIREFOX_PATH'] ?? FIREFOX.find(path => existsSync(path))

async function openTab(context: BrowserContext, size: Size): Promise<Tab> {
  const page: Page = await context.newPage()
  await page.setViewport(size)
  return {
    async back() {
      await page.goBack({ waitUntil: 'domcontentloaded' })
    },
    bringToFront: () => page.bringToFront(),
    async click() {
      await page.mouse.down()
      await page.mouse.up()
    },
    close: () => page.close(),
    evaluate: expression => page.evaluate(expression) as Promise<never>,
    async goto(address) {
      await page.goto(address)
    },
    moveTo: (x, y) => page.mouse.move(x, y),
    async press(keys) {
      const shifted = keys.startsWith('Shift+')
      if (shifted) await page.keyboard.down('Shift')
      await page.keyboard.press((shifted ? keys.slice(6) : keys) as KeyInput)
      if (shifted) await page.keyboard.up('Shift')
    },
    resize: to => page.setViewport(to),
    screenshot: () => page.screenshot()
  }
}

function engineOf(name: 'Chromium' | 'Firefox', executablePath: string | undefined, missing: string): Engine {
  return {
    async launch() {
      const browser = await launch({
        // Root has no sandbox.
        args: name === 'Chromium' ? ['--no-sandbox'] : [],
        browser: name === 'Chromium' ? 'chrome' : 'firefox',
        executablePath: executablePath!,
        // A busy machine starts a browser slowly.
        timeout: 120_000
      })
      return {
        [Symbol.asyncDispose]: () => browser.close(),
        async openSession(size) {
          const context = await browser.createBrowserContext()
          return { [Symbol.asyncDispose]: () => context.close(), openTab: () => openTab(context, size) }
        }
      }
    },
    missing: executablePath === undefined ? missing : undefined,
    name
  }
}

export const chromium = engineOf(
  'Chromium',
  findChromium(),
  'no Chromium is here: install chromium, or set CHROMIUM_PATH'
)
export const firefox = engineOf(
  'Firefox',
  findFirefox(),
  'no Firefox is here: install firefox-esr, or set FIREFOX_PATH'
)
