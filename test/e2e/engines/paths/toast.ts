// Notifications that arrive live show in a corner.

import { until } from '../../../support/process.ts'
import { BADGE, BELL, path, TITLES } from './path.ts'

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
