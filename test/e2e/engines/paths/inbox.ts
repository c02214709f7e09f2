// Notifications arrive, are opened, followed and archived.

import { until } from '../../../support/process.ts'
import { BADGE, BELL, choose, path, row, TITLES } from './path.ts'

export const arrives = path(
  'a send appears once in two tabs, and opening it in one clears the badge in both',
  async ({ open, send, site, user }) => {
    const [one, other] = [await open(), await open()]
    await send('Spring')
    await send('Map')
    for (const page of [one, other]) await page.lists(BADGE, '2')
    await one.tab.bringToFront()
    await one.click(BELL)
    await one.lists(TITLES, 'Map', 'Spring')
    await one.lists(BADGE)
    await send('Live')
    await one.lists(TITLES, 'Live', 'Map', 'Spring')
    await until(async () => (await site.inbox(user)).counts.unseen === 0, 'it counts as seen')
    await one.press('Escape')
    await one.lists(TITLES)
    await other.tab.bringToFront()
    await other.lists(BADGE)
    await other.click(BELL)
    await other.lists(TITLES, 'Live', 'Map', 'Spring')
  }
)

export const follows = path(
  'a click follows the link and counts, although the page goes',
  async ({ open, send, site, user }) => {
    await send('Timetable', { url: '/timetable' })
    const page = await open()
    await page.click(BELL)
    await page.click(`${row('Timetable')} >> a`)
    await page.shows(() => location.pathname, '/timetable')
    await until(async () => (await site.inbox(user)).items[0]?.clicked !== undefined, 'it counts as clicked')
    await page.tab.back()
    await page.click(BELL)
    await page.lists(TITLES, 'Timetable')
    await page.lists('notif-popup >> article[data-unread]')
  }
)

export const archives = path(
  'archive, unarchive and archive all: two tabs and the server agree',
  async ({ open, send, site, user }) => {
    for (const title of ['Alpha', 'Beta', 'Gamma']) await send(title)
    const body = '<notif-feed></notif-feed>'
    const [other, page] = [await open({ body }), await open()]
    const OTHERS = 'notif-feed >> article .title'
    await page.click(BELL)
    await page.hover(row('Beta'))
    await page.click(`${row('Beta')} >> [data-act=archive]`)
    await page.lists(TITLES, 'Gamma', 'Alpha')
    await other.lists(OTHERS, 'Gamma', 'Alpha')
    await until(async () => (await site.inbox(user)).counts.unarchived === 2, 'the server has it')
    await page.click('notif-popup >> [part=tab] >> "Archived"')
    await page.hover(row('Beta'))
    await page.click(`${row('Beta')} >> [data-act=unarchive]`)
    await other.lists(OTHERS, 'Gamma', 'Beta', 'Alpha')
    await page.click('notif-popup >> [part=tab] >> "All"')
    await choose(page, 'Archive all')
    await other.lists(OTHERS)
    await until(async () => (await site.inbox(user)).counts.unarchived === 0, 'all are archived')
  }
)
