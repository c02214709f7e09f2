// What was done is taken back, by Z and by the button of its line.

import { until } from '../../../support/process.ts'
import { BELL, choose, path, row, TITLES, undo } from './path.ts'

const UNREAD = 'notif-popup >> article[data-unread] .title'

export const undoesByClick = path(
  'the line of an action takes it back by a click: archive, archive all, mark all as read',
  async ({ open, send, site, user }) => {
    for (const title of ['Alpha', 'Beta', 'Gamma']) await send(title)
    const all = ['Gamma', 'Beta', 'Alpha']
    const page = await open()
    await page.click(BELL)
    await page.hover(row('Beta'))
    await page.click(`${row('Beta')} >> [data-act=archive]`)
    await page.lists(TITLES, 'Gamma', 'Alpha')
    await until(async () => (await site.inbox(user)).counts.unarchived === 2, 'the server has it')
    await undo(page)
    await page.lists(TITLES, ...all)
    await page.isFocused(/^article.*Beta/s)
    await until(async () => (await site.inbox(user)).counts.unarchived === 3, 'it is back')
    await choose(page, 'Archive all')
    await page.lists(TITLES)
    await undo(page)
    await page.lists(TITLES, ...all)
    await page.lists(UNREAD, ...all)
    await page.click('notif-popup >> [title="Mark all as read"]')
    await page.lists(UNREAD)
    await undo(page)
    await page.lists(UNREAD, ...all)
    await until(async () => {
      const { unarchived, unopened } = (await site.inbox(user)).counts
      return unarchived === 3 && unopened === 3
    }, 'the server agrees')
  }
)

export const undoesByKey = path(
  'J, K, E, U and ? act on rows, and Z takes back what they did',
  async ({ open, send }) => {
    for (const title of ['Alpha', 'Beta', 'Gamma']) await send(title)
    const all = ['Gamma', 'Beta', 'Alpha']
    const page = await open()
    await page.click(BELL)
    await page.lists(TITLES, ...all)
    await page.tabTo(/^article/)
    await page.press('Home', 'j', 'j')
    await page.isFocused(/^article.*Alpha/s)
    await page.press('k')
    await page.isFocused(/^article.*Beta/s)
    await page.press('u')
    await page.lists(UNREAD, 'Gamma', 'Alpha')
    await page.press('z')
    await page.lists(UNREAD, ...all)
    await page.press('e')
    await page.lists(TITLES, 'Gamma', 'Alpha')
    await page.isFocused(/^article.*Alpha/s)
    await page.press('z')
    await page.lists(TITLES, ...all)
    await page.isFocused(/^article.*Beta/s)
    await page.press('?')
    await page.sees('notif-popup >> .help')
    await page.press('Escape')
    await page.lacks('notif-popup >> .help')
    await page.lists(TITLES, ...all)
    await page.isFocused(/^article.*Beta/s)
  }
)
