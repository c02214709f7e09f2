// Renders every state of the elements, light, dark, wide, on a phone and in forced colours: `node test/elements/shots/run.ts <folder> [scene...]`.

import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { chromium, type Page } from 'playwright-core'
import { createServer } from 'vite'

const [folder = 'shots', ...wanted] = process.argv.slice(2)
const root = resolve(import.meta.dirname, '../../..')

type Step = (page: Page) => Promise<unknown>

const open: Step = async page => {
  await page.locator('notif-popup').first().click()
  await page.locator('notif-popup .header').first().waitFor()
  await page.waitForTimeout(400)
}

const still: Step = page => page.waitForTimeout(500)
const refuse: Step = async page => {
  const fold = page.locator('summary').first()
  await page.getByRole('group').first().or(fold).first().waitFor()
  if (await fold.isVisible()) await fold.click()
  await page.getByRole('switch').first().click()
  await page.getByRole('alert').waitFor()
}
/** One open, as somebody leaves it. */
const unfold: Step = async page => {
  await page.waitForTimeout(400)
  const fold = page.locator('details.type:has(.sub)')
  if (await fold.isVisible()) {
    await fold.locator('summary').first().click()
    await fold.locator('summary').nth(1).click()
    await page.waitForTimeout(300)
  }
}

const arrive: Step = async page => {
  await page.waitForTimeout(800)
  await page.evaluate('arrive()')
  await page.locator('notif-toast article').nth(0).waitFor()
  await page.waitForTimeout(600)
}

/** @param key - opens the menu where rows have buttons. @param position - of its item in the menu of a phone */
const openRowMenu =
  (key: string, position: number): Step =>
  async page => {
    await open(page)
    await page.locator('notif-popup article').first().focus()
    const more = page.locator('notif-popup article .more').first()
    if (await more.isVisible()) {
      await more.click()
      await page.getByRole('menuitem').nth(position).click()
    } else await page.keyboard.press(key)
    await page.locator('.menu-heading').first().waitFor()
    await page.waitForTimeout(300)
  }
const snooze = openRowMenu('s', 1)
const fewer = openRowMenu('m', 3)

const SCENES: Readonly<Record<string, Step>> = {
  arabic: open,
  archived: async page => {
    await open(page)
    await page.getByRole('button', { name: 'Archived' }).click()
  },
  arriving: async page => {
    await open(page)
    await page.evaluate('arrive()')
    await page.waitForTimeout(150)
  },
  badges: page => page.waitForTimeout(300),
  empty: open,
  error: open,
  feed: page => page.waitForTimeout(400),
  fewer,
  'fewer-arabic': fewer,
  'fewer-line': async page => {
    await fewer(page)
    await page.getByRole('menuitem').first().click()
    await page.locator('.undo-line').waitFor()
    await page.waitForTimeout(400)
  },
  'fewer-settings': async page => {
    await fewer(page)
    await page.getByRole('menuitem').last().click()
    await page.locator('notif-preferences-popup .type').first().waitFor()
    await page.waitForTimeout(400)
  },
  focus: async page => {
    await open(page)
    await page.keyboard.press('Tab')
    for (let step = 0; step < 6; step++) await page.keyboard.press('Tab')
    await page.keyboard.press('PageDown')
    await page.waitForTimeout(300)
  },
  german: open,
  hover: async page => {
    await open(page)
    await page.locator('notif-popup article').nth(1).hover()
    await page.waitForTimeout(300)
  },
  launcher: async page => {
    await page.locator('notif-launcher').last().click()
    await page.waitForTimeout(600)
  },
  loading: open,
  offline: open,
  preferences: unfold,
  'preferences-arabic': unfold,
  'preferences-arabic-dialog': unfold,
  'preferences-dialog': unfold,
  'preferences-empty': still,
  'preferences-empty-dialog': still,
  'preferences-error': still,
  'preferences-error-dialog': still,
  'preferences-german': unfold,
  'preferences-german-dialog': unfold,
  'preferences-loading': still,
  'preferences-loading-dialog': still,
  'preferences-refused': refuse,
  'preferences-refused-dialog': refuse,
  popup: open,
  tabs: async page => {
    await open(page)
    await page.locator('notif-popup .tab-more').click()
    await page.waitForTimeout(400)
  },
  'tabs-empty': async page => {
    await open(page)
    await page.locator('notif-popup .tab', { hasText: 'Timetable' }).click()
    await page.waitForTimeout(400)
  },
  snooze,
  'snooze-arabic': snooze,
  'snooze-picker': async page => {
    await snooze(page)
    await page.getByRole('menuitem').last().click()
    await page.locator('.picker').waitFor()
    await page.waitForTimeout(300)
  },
  toasts: arrive,
  'toasts-arabic': arrive,
  'toasts-left': arrive,
  scrolled: async page => {
    await open(page)
    await page.locator('notif-popup .list').evaluate(list => (list.scrollTop = 900))
    await page.waitForTimeout(100)
    await page.evaluate('arrive()')
    await page.waitForTimeout(600)
  }
}
const DRAWN_BY: Readonly<Record<string, string>> = {
  archived: 'empty',
  'fewer-line': 'fewer',
  'fewer-settings': 'fewer',
  focus: 'popup',
  hover: 'popup',
  'tabs-empty': 'tabs',
  snooze: 'popup',
  'snooze-arabic': 'arabic',
  'snooze-picker': 'popup'
}

const LOOKS = {
  dark: { colorScheme: 'dark', viewport: { height: 800, width: 1000 } },
  forced: { colorScheme: 'dark', forcedColors: 'active', viewport: { height: 800, width: 1300 } },
  light: { colorScheme: 'light', viewport: { height: 800, width: 1000 } },
  phone: { colorScheme: 'light', hasTouch: true, isMobile: true, viewport: { height: 720, width: 375 } },
  wide: { colorScheme: 'light', viewport: { height: 800, width: 1300 } },
  'wide-dark': { colorScheme: 'dark', viewport: { height: 800, width: 1300 } }
} as const

await mkdir(folder, { recursive: true })
// What the build puts in place of globals, a browser refuses to have written.
const server = await createServer({
  configFile: false,
  logLevel: 'error',
  publicDir: 'demo/public',
  root,
  server: { host: '127.0.0.1', port: 0 }
})
await server.listen()
const address = server.httpServer!.address() as { port: number }
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
})
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    for (const [scene, step] of Object.entries(SCENES)) {
      if (wanted.length > 0 && !wanted.includes(scene)) continue
      const page = await browser.newPage({ ...options, deviceScaleFactor: 2 })
      // The card of web push would stand over what is to be seen.
      await page.addInitScript(() => localStorage.setItem('hideWebPushOptInMessage', 'true'))
      page.on('pageerror', error => console.error(scene, error.message))
      page.on('console', message => {
        if (message.type() !== 'debug' && !message.text().includes('Lit is in dev mode'))
          console.log(scene, message.text())
      })
      await page.goto(
        `http://127.0.0.1:${address.port}/test/elements/shots/page.html#${DRAWN_BY[scene] ?? scene}`
      )
      await step(page).catch((error: unknown) => console.error(scene, look, error))
      await page.screenshot({ fullPage: scene === 'feed', path: join(folder, `${scene}-${look}.png`) })
      await page.close()
    }
  }
} finally {
  await browser.close()
  await server.close()
}
