// The inbox without a mouse.

import { BADGE, path, TITLES } from './path.ts'

export const keyboard = path('the keyboard opens, moves through, acts and closes', async ({ open, send }) => {
  for (const title of ['First', 'Second', 'Third']) await send(title, { url: '/timetable' })
  const page = await open()
  await page.lists(BADGE, '3')
  await page.tabTo(/^button\.bell/)
  await page.press('Enter')
  await page.lists(TITLES, 'Third', 'Second', 'First')
  await page.isFocused(/heading/)
  await page.tabTo(/^article.*Third/s)
  await page.press('PageDown')
  await page.isFocused(/^article.*Second/s)
  await page.tabTo(/Archive$/, 'ArrowRight')
  await page.press('Enter')
  await page.lists(TITLES, 'Third', 'First')
  await page.isFocused(/^article.*First/s)
  await page.press('Escape')
  await page.lists(TITLES)
  await page.isFocused(/^button\.bell/)
  await page.press('Enter')
  await page.lists(TITLES, 'Third', 'First')
  // The list is one stop: its last item.
  await page.tabTo(/^article/)
  await page.press('Enter')
  await page.shows(() => location.pathname, '/timetable')
})

export const keyboardReturns = path(
  'Esc returns the focus to the bell, and Tab goes on from there, forwards and backwards',
  async ({ open, send }) => {
    await send('First')
    const page = await open({ body: '<button>Before</button><notif-popup></notif-popup>' })
    for (const key of ['Enter', ' ']) {
      await page.tabTo(/^button\.bell/)
      await page.press(key)
      await page.lists(TITLES, 'First')
      await page.isFocused(/heading/)
      await page.press('Tab', 'Tab', 'Escape')
      await page.lists(TITLES)
      await page.isFocused(/^button\.bell/)
    }
    await page.press('Tab')
    await page.isFocused(/^a\. Timetable/)
    await page.press('Shift+Tab')
    await page.isFocused(/^button\.bell/)
    await page.press('Shift+Tab')
    await page.isFocused(/Before/)
  }
)
