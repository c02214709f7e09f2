// The inbox in an unmodified Firefox, by WebDriver BiDi, if one is installed.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { launch, type Browser, type Page } from 'puppeteer-core'

import { until } from '../support/process.ts'
import { openSite, createUserId, type Site } from './site.ts'

const PLACES = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox'
]
const executablePath = process.env['FIREFOX_PATH'] ?? PLACES.find(path => existsSync(path))
const skip = executablePath === undefined && 'no Firefox is here: install firefox-esr, or set FIREFOX_PATH'

let site: Site
let browser: Browser

before(async () => {
  if (executablePath === undefined) return
  site = await openSite()
  browser = await launch({ browser: 'firefox', executablePath, timeout: 120_000 })
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

interface Seen {
  readonly page: Page
  /** Errors and warnings of the console. */
  readonly complaints: readonly string[]
}

/** A tab with storage of its own. */
async function tab(address: string): Promise<Seen> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text())
  })
  await page.goto(address)
  await page.waitForSelector('notif-popup >>> .bell')
  return { complaints, page }
}

const badge = (page: Page, number: string): Promise<void> =>
  until(
    async () =>
      (await page.$$eval('notif-popup >>> .badge', found => found.map(e => e.textContent).join())) === number,
    `the badge says "${number}"`
  )

/** The titles of the open panel that have a height. */
const titles = (page: Page): Promise<string[]> =>
  page.$$eval('notif-popup >>> article', found =>
    found
      .filter(row => row.getBoundingClientRect().height > 40)
      .map(row => row.querySelector('.title')?.textContent ?? '')
  )

const lists = (page: Page, ...wanted: readonly string[]): Promise<void> =>
  until(async () => (await titles(page)).join() === wanted.join(), `the list is ${wanted.join()}`)

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return `${element?.className} ${element?.getAttribute('aria-label') ?? (element?.textContent?.trim() || element?.getAttribute('title'))}`
  })

async function reach(page: Page, wanted: RegExp): Promise<void> {
  for (let stops = 0; stops < 12; stops++) {
    if (wanted.test(await focused(page))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${wanted} is not reached; at ${await focused(page)}`)
}

test('a send arrives live, is shown completely, counts as opened, and is archived', { skip }, async () => {
  const user = createUserId()
  const { complaints, page } = await tab(site.page({ userId: user }))
  for (const title of ['Spring', 'Map']) await site.send(user, { title })
  await badge(page, '2')
  await (await page.waitForSelector('notif-popup >>> .bell'))!.click()
  await lists(page, 'Map', 'Spring')
  await badge(page, '')
  await site.send(user, { title: 'Live' })
  await lists(page, 'Live', 'Map', 'Spring')
  await until(async () => (await site.inbox(user)).counts.unopened === 0, 'it counts as opened')

  await (await page.waitForSelector('notif-popup >>> article'))!.hover()
  await (await page.waitForSelector('notif-popup >>> article:hover [data-act=archive]'))!.click()
  await lists(page, 'Map', 'Spring')
  await until(async () => (await site.inbox(user)).counts.unarchived === 2, 'the server has it')
  assert.deepEqual(complaints, [])
})

test('shows the whole panel of an empty inbox', { skip }, async () => {
  const { complaints, page } = await tab(site.page({ userId: createUserId() }))
  const bell = (await page.waitForSelector('notif-popup >>> .bell'))!
  await bell.hover()
  await page.waitForSelector('notif-popup >>> .panel')
  // Looked at once, when any movement is over: whoever asks for the style meanwhile makes Firefox work it out anew.
  const look = await page.$eval('notif-popup >>> .panel', async panel => {
    ;(panel as HTMLElement).showPopover()
    for (let frames = 0; frames < 40; frames++) await new Promise(requestAnimationFrame)
    const { opacity, translate } = getComputedStyle(panel)
    return `${opacity} ${translate}`
  })
  assert.equal(look, '1 none')
  assert.deepEqual(complaints, [])
})

test('the keyboard opens, moves through, acts and closes', { skip }, async () => {
  const user = createUserId()
  for (const title of ['First', 'Second', 'Third']) await site.send(user, { title, url: '/timetable' })
  const { complaints, page } = await tab(site.page({ userId: user }))
  await badge(page, '3')
  await reach(page, /^bell/)
  await page.keyboard.press('Enter')
  await lists(page, 'Third', 'Second', 'First')
  await until(async () => (await focused(page)).startsWith('heading'), 'the heading has the focus')
  await reach(page, /^item.*Third/s)
  await page.keyboard.press('PageDown')
  await reach(page, /Archive$/)
  await page.keyboard.press('Enter')
  await lists(page, 'Third', 'First')
  await until(async () => /^item.*First/s.test(await focused(page)), 'the next one has the focus')
  await page.keyboard.press('Escape')
  await lists(page)
  assert.match(await focused(page), /^bell/)
  assert.deepEqual(complaints, [])
})

test('under a strict policy: shows a live row without a violation', { skip }, async () => {
  const { page } = await tab(`${site.base}/demo/strict`)
  const rows = (): Promise<number[]> =>
    page.$$eval('notif-feed >>> article', found => found.map(row => row.getBoundingClientRect().height))
  for (const count of [1, 2]) {
    await page.click('[data-send]')
    await until(async () => {
      const heights = await rows()
      return heights.length === count && heights.every(height => height > 40)
    }, `${count} rows with a height`)
  }
  assert.equal(await page.$eval('[data-violations]', output => output.textContent), '0')
})
