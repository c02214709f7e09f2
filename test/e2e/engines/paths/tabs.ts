// Tabs of the page, and the menu of those that do not fit.

import { BELL, path, row, TITLES } from './path.ts'

const TABS = 'notif-popup >> .tab-row >> .tab'
const tab = (name: string): string => `${TABS} >> "${name}"`
const tabs = JSON.stringify([
  { label: 'Boats', types: ['boat'] },
  { label: 'Crew', types: ['crew'] }
])

export const chooses = path(
  'tabs show their types and count live, are one stop for the keyboard, and their menu has what is snoozed',
  async ({ open, send }) => {
    await send('Heron', { type: 'boat' })
    await send('Shift', { type: 'crew' })
    await send('Egret', { type: 'boat' })
    const page = await open({ body: `<notif-popup tabs='${tabs}'></notif-popup>` })
    await page.click(BELL)
    await page.lists(TABS, 'All', 'Unread 3', 'Boats 2', 'Crew 1')
    await page.click(tab('Boats'))
    await page.lists(TITLES, 'Egret', 'Heron')
    await send('Bittern', { type: 'boat' })
    await page.lists(TITLES, 'Bittern', 'Egret', 'Heron')
    await page.lists(TABS, 'All', 'Unread 4', 'Boats 3', 'Crew 1')
    await page.press('ArrowRight')
    await page.isFocused(/^button\.tab Crew/)
    await page.press('Enter')
    await page.lists(TITLES, 'Shift')
    await page.press('Home', 'Enter')
    await page.lists(TITLES, 'Bittern', 'Egret', 'Shift', 'Heron')
    await page.hover(row('Egret'))
    await page.click(`${row('Egret')} >> [data-act=snooze]`)
    await page.click('notif-popup >> .menu >> [role=menuitem] >> "Tomorrow"')
    await page.lists(TITLES, 'Bittern', 'Shift', 'Heron')
    await page.click('notif-popup >> .tab-more')
    await page.click('notif-popup >> .menu >> [role=menuitem] >> "Snoozed"')
    await page.lists(TITLES, 'Egret')
    // The mouse is where the menu was, and over a row its buttons replace its time.
    await page.hover(BELL)
    await page.sees('notif-popup >> article >> .wake-time')
  }
)
