// The menus of a row: snooze, and fewer of its type.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { CLIENT, toUserHash, type Site } from '../../site.ts'
import { BELL, LINE, path, row, TITLES, undo } from './path.ts'

const ITEM = 'notif-popup >> .menu >> [role=menuitem]'
const ownHeaders = (user: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${CLIENT}:${user}:${toUserHash(user)}`).toString('base64')}`,
  'content-type': 'application/json'
})

/** As another device of the user. */
async function snoozeElsewhere(site: Site, user: string, id: string, until: Date): Promise<void> {
  const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/inbox`, {
    body: JSON.stringify({ snoozedUntil: until.toISOString(), trackingIds: [id] }),
    headers: ownHeaders(user),
    method: 'PATCH'
  })
  assert.equal(answer.status, 200, await answer.text())
}

export const snoozes = path(
  'a row is snoozed by its menu and by a picked time, taken back, and comes back at its time',
  async ({ open, send, site, user }) => {
    const { trackingId } = (await send('Beta')) as { readonly trackingId: string }
    await send('Alpha')
    const page = await open()
    await page.click(BELL)
    await page.hover(row('Beta'))
    await page.click(`${row('Beta')} >> [data-act=snooze]`)
    await page.click(`${ITEM} >> "Tomorrow"`)
    await page.lists(TITLES, 'Alpha')
    await page.sees(`${LINE} >> "Snoozed until tomorrow"`)
    await until(async () => (await site.inbox(user)).counts.unarchived === 1, 'the server has it')
    await undo(page)
    await page.lists(TITLES, 'Alpha', 'Beta')
    await page.isFocused(/^article.*Beta/s)
    await page.press('s')
    await page.click(`${ITEM} >> "Pick a time"`)
    await page.isFocused(/^input/)
    await page.click('notif-popup >> .picker >> button')
    await page.lists(TITLES, 'Alpha')
    await page.press('z')
    await page.lists(TITLES, 'Alpha', 'Beta')
    await snoozeElsewhere(site, user, trackingId, new Date(Date.now() + 3000))
    await page.lists(TITLES, 'Alpha')
    await page.lists(TITLES, 'Beta', 'Alpha')
    await page.lists(`${row('Beta')} >> .came-back`, 'Snoozed 1 minute ago')
  }
)

export const mutes = path(
  'M turns the type of a row off, and its settings open at the type',
  async ({ open, send, site, user }) => {
    await send('Beta')
    await send('Alpha')
    const isOff = async (): Promise<boolean> => {
      const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/preferences`, {
        headers: ownHeaders(user)
      })
      const { preferences } = (await answer.json()) as {
        preferences: { channel: string; delivery: string }[]
      }
      return preferences.every(({ delivery }) => delivery === 'off')
    }
    const page = await open()
    await page.click(BELL)
    await page.lists(TITLES, 'Alpha', 'Beta')
    await page.tabTo(/^article/)
    await page.press('m')
    await page.isFocused(/^button.*Turn off/s)
    await page.press('Enter')
    await page.lists(TITLES, 'Beta')
    await page.sees(`${LINE} >> "Turned off: News"`)
    await until(isOff, 'the server has it')
    await undo(page)
    await page.lists(TITLES, 'Alpha', 'Beta')
    await page.isFocused(/^article.*Alpha/s)
    await until(async () => !(await isOff()), 'it is on again')
    await page.press('m')
    await page.click(`${ITEM} >> "Settings of this type"`)
    await page.isFocused(/^input/)
    await page.press('Escape')
    await page.isFocused(/^button\.bell/)
  }
)
