// The pages of the server: the demo as a newcomer uses it, and the page with the strictest policy.

import assert from 'node:assert/strict'

import { path } from './path.ts'

const TOP = '.top notif-popup'
const badgeOf = (find: (target: string) => HTMLElement[], target: string): number =>
  Number(find(`${target} >> .badge`)[0]?.textContent)

export const demo = path(
  'demo: a send from the page arrives on the page and on the bell; launcher and colours work',
  async ({ openAt, site }) => {
    const page = await openAt(`${site.base}/`)
    await page.sees('.status[data-state=online]')
    await page.sees('notif-feed >> article')
    const before = await page.evaluate(badgeOf, TOP)
    await page.click('.send-row button')
    await page.sees('.send-note >> "Arrived on this page"')
    await page.shows(badgeOf, before + 1, TOP)
    await page.click(`${TOP} >> .bell`)
    await page.sees(`${TOP} >> article`)
    await page.press('Escape')
    await page.lacks(`${TOP} >> article`)
    await page.click('notif-launcher >> .bell')
    await page.sees('notif-launcher >> article')
    await page.press('Escape')
    await page.lacks('notif-launcher >> article')
    await page.click('label[title=Dark]')
    await page.shows(() => getComputedStyle(document.documentElement).colorScheme, 'dark')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${wide} px too wide`)
  },
  { height: 900, width: 1200 }
)

export const strict = path(
  'under the strictest policy live rows show without a violation',
  async ({ openAt, site }) => {
    const page = await openAt(`${site.base}/demo/strict`)
    const tall = (find: (target: string) => HTMLElement[]): number =>
      find('notif-feed >> article').filter(row => row.getBoundingClientRect().height > 40).length
    // It has no text until the script of the page listens to its button.
    await page.sees('[data-policy]')
    for (const count of [1, 2]) {
      await page.click('[data-send=strict]')
      await page.shows(tall, count)
    }
    await page.click('notif-popup >> .bell')
    await page.sees('notif-popup >> article')
    assert.deepEqual(await page.texts('[data-violations]'), ['0'])
  }
)
