// Notifications that arrive live show in a corner.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { BADGE, BELL, path, row, TITLES } from './path.ts'

const TOASTS = 'notif-toast >> article .title'

export const toast = path(
  'a toast appears, stays new, closes, leaves when the inbox opens, and follows its link',
  async ({ open, send, site, user }) => {
    await send('Before')
    const page = await open({ body: '<notif-popup></notif-popup><notif-toast></notif-toast>' })
    // What was there before is not shown.
    await page.lists(BADGE, '1')
    await send('The first')
    await page.lists(TOASTS, 'The first')
    await page.lists(BADGE, '2')
    await page.hover('notif-toast >> article')
    await page.click('notif-toast >> .close button')
    await page.lists(TOASTS)
    await send('The second')
    await page.lists(TOASTS, 'The second')
    await page.click(BELL)
    await page.lists(TOASTS)
    await page.lists(TITLES, 'The second', 'The first', 'Before')
    await page.press('Escape')
    await page.lists(TITLES)
    await send('The third', { url: '/timetable' })
    await page.click('notif-toast >> article a')
    await page.shows(() => location.pathname, '/timetable')
    await until(async () => (await site.inbox(user)).counts.unopened === 3, 'it counts as read')
  }
)

export const toastButtons = path(
  'a button in a toast calls the back end by a signed webhook, and its answer shows in the toast and in the inbox',
  async ({ backEnd, open, send, site, user }) => {
    backEnd.answers = [[200, { text: 'Approved by the harbour' }]]
    const before = backEnd.received.length
    await send('Before')
    const page = await open({ body: '<notif-popup></notif-popup><notif-toast></notif-toast>' })
    // It has the list, so what comes now is new.
    await page.lists(BADGE, '1')
    await send('Fares', {
      actions: [{ id: 'approve', label: 'Approve', send: true }],
      actors: [{ name: 'Nour Haddad' }, { name: 'Mei Tanaka' }]
    })
    const FARES = 'notif-toast >> article >> "Fares"'
    await page.sees(`${FARES} >> .two`)
    await page.click(`${FARES} >> .acts button`)
    await until(() => backEnd.received.length > before, 'the back end is called')
    const { body, isSigned } = backEnd.received.at(-1)!
    assert.ok(isSigned)
    assert.deepEqual(
      [body.type, body.data['actionId'], body.data['userId']],
      ['item.action', 'approve', user]
    )
    await page.sees(`${FARES} >> .state >> "Approved by the harbour"`)
    await page.click(BELL)
    await page.sees(`${row('Fares')} >> .state >> "Approved by the harbour"`)
    await until(async () => (await site.inbox(user)).counts.unopened === 1, 'it counts as read')
  }
)
