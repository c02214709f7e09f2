// What was in sight is seen, and is not read.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { BADGE, BELL, path, TITLES } from './path.ts'

const COUNT = 14
const FIRST_DAY = (find: (target: string) => HTMLElement[], target: string): string | undefined =>
  find(target)[0]?.textContent.trim()
const UNREAD = 'notif-popup >> article[data-unread]'
const DAYS = 'notif-popup >> .day'

export const seen = path(
  'the badge goes down with the rows that come into sight, their dots stay, and "New" stands above what came since',
  async ({ open, send, site, user }) => {
    for (let number = 1; number <= COUNT; number++) await send(`Boat ${number}`)
    const page = await open()
    await page.lists(BADGE, String(COUNT))
    await page.click(BELL)
    await page.sees(TITLES)
    const unseen = async (): Promise<number> => (await site.inbox(user)).counts.unseen
    await until(async () => (await unseen()) < COUNT, 'the first rows are seen')
    let below = 0
    await until(async () => {
      below = await unseen()
      return (await page.texts(BADGE)).join('') === String(below)
    }, 'the badge says how many are not seen')
    assert.ok(below > 0, 'rows below are not seen')
    await page.tabTo(/^article/)
    await page.press('End')
    await until(async () => (await unseen()) < below, 'the last rows are seen')
    assert.equal((await site.inbox(user)).counts.unopened, COUNT)
    assert.equal((await page.texts(UNREAD)).length, COUNT)
    await page.press('Escape')
    await page.lists(TITLES)
    await send('The last boat')
    await page.click(BELL)
    await page.shows(FIRST_DAY, 'New', DAYS)
  }
)

export const lineStays = path(
  'the line "New" is still there in the next page',
  async ({ open, send, site, user }) => {
    await send('Boat 1')
    const first = await open()
    await first.click(BELL)
    await first.shows(FIRST_DAY, 'New', DAYS)
    await until(async () => (await site.inbox(user)).counts.unseen === 0, 'it is seen')
    const second = await open()
    await second.click(BELL)
    await second.lists(TITLES, 'Boat 1')
    await second.shows(FIRST_DAY, 'New', DAYS)
  }
)
