// Every element by keyboard: the focus after each key, as role and name, and its return.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, CDPSession, Page } from 'playwright-core'

import { openStage, type Stage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'
import { focusOf } from './accessibility-tree.ts'

let browser: Browser
let desk: Stage
let phone: Stage

before(async () => {
  browser = await openBrowser()
  desk = await openStage(browser)
  phone = await openStage(browser, { hasTouch: true, isMobile: true, viewport: { height: 720, width: 375 } })
})
after(() => browser?.close())

type Walk = readonly (readonly [key: string, place: string])[]

const PATIENCE = 3000

/** Waits until the focus is at `place`. Returns where it is. */
async function arrives(page: Page, session: CDPSession, place: string): Promise<string> {
  const end = performance.now() + PATIENCE
  for (;;) {
    const said = await focusOf(session)
    if (said === place || performance.now() > end) return said
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

/** Presses the keys until one leads elsewhere than expected: later ones mean nothing then. */
async function go(page: Page, walk: Walk): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const went: [string, string][] = []
  for (const [key, place] of walk) {
    await page.keyboard.press(key)
    const said = await arrives(page, session, place)
    went.push([key, said])
    if (said !== place) break
  }
  assert.deepEqual(went, walk)
}

/** The page with everything on it, the focus on one of its links. */
async function from(link: string): Promise<Page> {
  const page = await desk.show('keys')
  await page.locator('#endless article').nth(17).waitFor()
  await page.locator('notif-preferences [role=switch]').first().waitFor()
  await page.getByRole('link', { exact: true, name: link }).focus()
  return page
}

const AMARA = 'Amara Osei commented on Harbour map'
const HEADER: Walk = [
  ['Tab', 'button "Mark all as read"'],
  ['Tab', 'button "Menu" expanded=false hasPopup=menu'],
  ['Tab', 'button "All" pressed=true']
]
/** The tabs are one stop. */
const TABS: Walk = [
  ['ArrowRight', 'button "Unread 4" pressed=false'],
  ['End', 'button "Archived" pressed=false'],
  ['ArrowRight', 'button "All" pressed=true'],
  ['ArrowLeft', 'button "Archived" pressed=false'],
  ['Home', 'button "All" pressed=true']
]
const ROW: Walk = [
  ['Tab', `article "${AMARA}"`],
  ['ArrowRight', 'button "Mark as read"'],
  ['ArrowRight', 'button "Snooze" expanded=false hasPopup=menu'],
  ['ArrowRight', 'button "Archive"']
]
const BELL = 'button "Notifications, 4 new" expanded=false hasPopup=dialog'
const OPENED = 'button "Notifications" expanded=false hasPopup=dialog'

test('a popup: opens, moves through rows, closes, and returns to its bell', async () => {
  const page = await from('Before')
  await go(page, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER,
    ...TABS,
    ...ROW,
    ['PageDown', 'article "Boat 8 changed its berth"'],
    ['PageDown', 'article "Boat 7 changed its berth"'],
    ['PageUp', 'article "Boat 8 changed its berth"'],
    ['Control+Home', 'button "All" pressed=true'],
    ['Escape', OPENED],
    ['Space', 'heading "Notifications" level=2'],
    ['Escape', OPENED]
  ])
})

test('archiving focuses the next row, following a link focuses the bell', async () => {
  const page = await from('Before')
  await go(page, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER,
    ...ROW,
    ['Enter', 'article "Boat 8 changed its berth"'],
    ['ArrowRight', 'button "Mark as unread"'],
    ['ArrowLeft', 'article "Boat 8 changed its berth"'],
    ['ArrowLeft', 'article "Boat 8 changed its berth"'],
    ['j', 'article "Boat 7 changed its berth"'],
    ['K', 'article "Boat 8 changed its berth"']
  ])
  await page.keyboard.press('e')
  // Under the pointer, the line waits for the walk.
  await page.locator('.undo-line').hover()
  await page.locator('article:focus', { hasText: 'Boat 7 changed its berth' }).waitFor()
  await go(page, [
    ['Shift+Tab', 'button "Undo"'],
    ['Tab', 'article "Boat 7 changed its berth"'],
    ['?', 'button "Close"'],
    ['Escape', 'article "Boat 7 changed its berth"'],
    ['Escape', OPENED]
  ])
  const linked = await from('Before')
  await go(linked, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER,
    ['Tab', `article "${AMARA}"`],
    ['Enter', OPENED]
  ])
  assert.equal(new URL(linked.url()).hash, '#amara')
})

test('preferences from the menu: a modal dialog that returns to the bell', async () => {
  const page = await from('Before')
  await go(page, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER.slice(0, 2),
    ['Enter', 'menuitem "Archive all"'],
    ['ArrowUp', 'menuitem "Keyboard"'],
    ['ArrowDown', 'menuitem "Archive all"'],
    ['End', 'menuitem "Keyboard"'],
    ['a', 'menuitem "Archive all"'],
    ['Escape', 'button "Menu" expanded=false hasPopup=menu'],
    ['Enter', 'menuitem "Archive all"'],
    ['p', 'menuitem "Preferences"'],
    ['Enter', 'heading "Notification preferences" level=2'],
    ['Tab', 'button "Close"'],
    ['Tab', 'switch "In app" checked=true'],
    ['Space', 'switch "In app" checked=false'],
    ['Tab', 'switch "Email" checked=true'],
    ['Tab', 'combobox "Frequency for Email" = Hourly expanded=false hasPopup=menu'],
    ['ArrowDown', 'combobox "Frequency for Email" = Daily expanded=false hasPopup=menu'],
    ['Escape', OPENED]
  ])
})

test('a feed with pages: the pager keeps the focus, Ctrl+End leaves', async () => {
  const page = await from('Before')
  await go(page, [
    ['Tab', BELL],
    ...HEADER,
    ['Tab', 'button "Previous page" disabled=true'],
    ...[1, 2, 3, 4, 5, 6].map((n): [string, string] => ['Tab', `button "Page ${n}"`]),
    ['Tab', 'button "Next page"'],
    ['Enter', 'button "Next page"'],
    ['Tab', 'article "Boat 6 changed its berth"'],
    ['PageDown', 'article "Harbour map was published"'],
    ['PageDown', 'article "Boat 5 changed its berth"'],
    ['PageDown', 'article "Boat 5 changed its berth"'],
    ['Control+End', 'link "Between"'],
    ['Shift+Tab', 'article "Boat 5 changed its berth"']
  ])
})

test('a feed with infinite scroll: from end to end, and past it', async () => {
  const page = await from('Between')
  await go(page, [
    ...HEADER,
    ...ROW,
    ['PageDown', 'article "Boat 8 changed its berth"'],
    ['PageUp', `article "${AMARA}"`],
    ['PageUp', `article "${AMARA}"`],
    ['Control+End', 'switch "In app" checked=true'],
    ['Shift+Tab', `article "${AMARA}"`],
    ['Control+Home', 'button "All" pressed=true'],
    ['End', 'button "Archived" pressed=false'],
    ['Enter', 'button "Archived" pressed=true'],
    ['Shift+Tab', 'button "Menu" expanded=false hasPopup=menu'],
    ['Tab', 'button "Archived" pressed=true']
  ])
})

test('a launcher comes after everything else', async () => {
  const page = await from('After')
  await go(page, [
    ['Tab', BELL],
    ['Space', 'heading "Notifications" level=2'],
    ...HEADER,
    ['Escape', OPENED],
    ['Shift+Tab', 'link "After"'],
    ['Shift+Tab', 'switch "Web push" checked=false'],
    ['Space', 'switch "Web push" checked=true']
  ])
})

test('the row about web push is after the list: “not now” focuses the heading', async () => {
  const page = await desk.show('asked')
  await page.locator('notif-popup .badge').waitFor()
  await go(page, [
    ['Tab', 'button "Notifications, 2 new" expanded=false hasPopup=dialog'],
    ['Enter', 'heading "Notifications" level=2']
  ])
  await page.locator('notif-popup .push-row').waitFor()
  await go(page, [
    ...HEADER.slice(0, 3),
    ['Tab', `article "${AMARA}"`],
    ['Tab', 'button "Turn on"'],
    ['Tab', 'button "Not now"'],
    ['Enter', 'heading "Notifications" level=2'],
    ['Escape', OPENED]
  ])
})

test('a pause: from the menu, back by its line, and again by the line above the list', async () => {
  const page = await desk.show('pause')
  await page.locator('notif-popup .badge').waitFor()
  await page.getByRole('link', { name: 'Before' }).focus()
  const begin: Walk = [
    ['Enter', 'menuitem "Archive all"'],
    ['p', 'menuitem "Pause for 1 hour"'],
    ['Enter', 'button "Menu" expanded=false hasPopup=menu']
  ]
  await go(page, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER.slice(0, 2),
    ...begin
  ])
  const UNTIL = '1:00 PM'
  await page.locator('notif-popup .undo-line button').waitFor()
  await page.locator('notif-popup .paused').waitFor()
  await go(page, [
    ...HEADER.slice(2),
    ['Tab', 'button "Turn on"'],
    ['Tab', `button "Undo"`],
    ['Enter', `article "${AMARA}"`]
  ])
  await page.locator('notif-popup .paused').waitFor({ state: 'detached' })
  await page.getByRole('button', { exact: true, name: 'Menu' }).focus()
  await go(page, begin)
  await page.locator('notif-popup .paused').filter({ hasText: UNTIL }).waitFor()
  await go(page, [
    ...HEADER.slice(2),
    ['Tab', 'button "Turn on"'],
    ['Enter', 'heading "Notifications" level=2']
  ])
  await page.locator('notif-popup .paused').waitFor({ state: 'detached' })
})

test('tabs: one stop, their menu, and back', async () => {
  const page = await desk.show('tabs')
  await page.locator('notif-popup .badge').waitFor()
  await page.locator('notif-popup .bell').focus()
  await go(page, [['Enter', 'heading "Notifications" level=2']])
  await page.locator('notif-popup .tab-more').waitFor()
  await go(page, [
    ...HEADER.slice(0, 2),
    ['Tab', 'button "All" pressed=true'],
    ['End', 'button "More" expanded=false hasPopup=menu pressed=false'],
    ['Enter', 'menuitem "Reviews"'],
    ['End', 'menuitem "Archived"'],
    ['Escape', 'button "More" expanded=false hasPopup=menu pressed=false'],
    ['Shift+Tab', 'button "Menu" expanded=false hasPopup=menu'],
    ['Tab', 'button "All" pressed=true']
  ])
})

test('a key on the tabs that comes before their code waits for it', async () => {
  const page = await desk.show('popup')
  const code = Promise.withResolvers<void>()
  await page.route('**/tab-keys-*.js', async route => {
    await code.promise
    await route.fallback()
  })
  await page.locator('notif-popup .badge').waitFor()
  await page.locator('notif-popup .bell').focus()
  await go(page, [['Enter', 'heading "Notifications" level=2'], ...HEADER])
  await page.keyboard.press('ArrowRight')
  code.resolve()
  await page.locator('notif-popup [data-tab=unread]:focus').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
})

test('snooze and fewer: their menus from a row, and back to their buttons', async () => {
  const page = await desk.show('fewer')
  await page.locator('notif-popup .badge').waitFor()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article').first().focus()
  await go(page, [
    ['s', 'menuitem "Later today 5:00 PM"'],
    ['End', 'menuitem "Pick a time"'],
    ['Escape', 'button "Snooze" expanded=false hasPopup=menu'],
    ['m', 'menuitem "Turn off None of these any more"'],
    ['ArrowDown', 'menuitem "Once a day Together, by email"'],
    ['End', 'menuitem "Settings of this type"'],
    ['Escape', 'button "Fewer like this" expanded=false hasPopup=menu'],
    ['?', 'button "Close"'],
    ['Escape', 'button "Fewer like this" expanded=false hasPopup=menu']
  ])
})

test('toasts: each closes by its button and by Escape, and the focus returns', async () => {
  const page = await desk.show('toasts')
  await page.locator('notif-popup .badge').waitFor()
  await page.locator('notif-popup .bell').focus()
  await page.evaluate('arrive()')
  await page.locator('notif-toast .rest').waitFor()
  const CLOSE = 'button "Close"'
  await go(page, [['Tab', CLOSE]])
  for (let left = 2; left >= 0; left--) {
    await page.keyboard.press(left % 2 === 0 ? 'Escape' : 'Enter')
    await page.waitForFunction(
      count =>
        document.querySelector('notif-toast')!.shadowRoot!.querySelectorAll('article:not([inert])').length ===
        count,
      left
    )
  }
  await page.locator('notif-popup .bell:focus').waitFor()
})

test('the menu of a row on a phone with keys', async () => {
  const page = await phone.show('popup')
  await page.locator('notif-popup .badge').waitFor()
  await go(page, [
    ['Tab', BELL],
    ['Enter', 'heading "Notifications" level=2'],
    ...HEADER.slice(0, 2),
    ['Tab', 'button "Close"'],
    ...HEADER.slice(2),
    ...ROW.slice(0, 1),
    ['ArrowRight', 'button "More" expanded=false hasPopup=menu'],
    ['Enter', 'menuitem "Mark as read"'],
    ['ArrowDown', 'menuitem "Snooze"'],
    ['ArrowDown', 'menuitem "Archive"'],
    ['ArrowDown', 'menuitem "Fewer like this"'],
    ['ArrowDown', 'menuitem "Mark as read"'],
    ['ArrowUp', 'menuitem "Fewer like this"'],
    ['Home', 'menuitem "Mark as read"'],
    ['End', 'menuitem "Fewer like this"'],
    ['Escape', 'button "More" expanded=false hasPopup=menu'],
    ['Enter', 'menuitem "Mark as read"'],
    ['Escape', 'button "More" expanded=false hasPopup=menu'],
    ['Enter', 'menuitem "Mark as read"'],
    ['Enter', 'button "More" expanded=false hasPopup=menu'],
    ['Enter', 'menuitem "Mark as unread"'],
    ['End', 'menuitem "Fewer like this"'],
    ['ArrowUp', 'menuitem "Archive"'],
    ['Enter', 'article "Harbour map was published"'],
    ['Escape', OPENED]
  ])
})
