// What a user chooses applies to the next send, and every page shows it.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { CLIENT, toUserHash, type Site } from '../../site.ts'
import { BELL, choose, path, TITLES } from './path.ts'

const body = '<notif-preferences></notif-preferences>'
/** The first channel is the inbox. */
const SWITCHES = 'notif-preferences >> [role=group][aria-label=News] [role=switch]'

async function stored(site: Site, user: string): Promise<string | undefined> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${user}:${toUserHash(user)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/preferences`, {
    headers: { authorization }
  })
  const { preferences } = (await answer.json()) as {
    readonly preferences: readonly { readonly channel: string; readonly delivery: string }[]
  }
  return preferences.find(({ channel }) => channel === 'INAPP_WEB')?.delivery
}

const isOn = (find: (target: string) => HTMLElement[], target: string): boolean | undefined =>
  (find(target)[0] as HTMLInputElement | undefined)?.checked

export const switchesOff = path(
  'a channel that is turned off gets no later send, and two tabs agree',
  async ({ open, send, site, user }) => {
    await send('The first')
    const [other, page] = [await open({ body }), await open({ body })]
    await page.shows(isOn, true, SWITCHES)
    await page.click(SWITCHES)
    await page.shows(isOn, false, SWITCHES)
    await until(async () => (await stored(site, user)) === 'off', 'it is kept as off')
    // The answer says that it was discarded.
    await assert.rejects(send('The second'), /202/)
    await other.shows(isOn, false, SWITCHES)
    await page.tabTo(/^input/)
    await page.press(' ')
    await until(async () => (await stored(site, user)) === 'instant', 'it is kept as on')
    await other.shows(isOn, true, SWITCHES)
    await send('The third')
    await until(async () => {
      const { items } = await site.inbox(user)
      return items.map(({ title }) => title).join() === 'The third,The first'
    }, 'two of three')
  }
)

const DIALOG = 'notif-preferences-popup >> [role=group][aria-label=News] [role=switch]'

export const opensPreferences = path(
  'the menu of the inbox opens the preferences, and Esc returns to the bell',
  async ({ open, send, site, user }) => {
    await send('The first')
    const page = await open()
    await page.click(BELL)
    await page.lists(TITLES, 'The first')
    await choose(page, 'Preferences')
    await page.click(DIALOG)
    await until(async () => (await stored(site, user)) === 'off', 'it is kept as off')
    await page.press('Escape')
    await page.lacks(DIALOG)
    await page.isFocused(/^button\.bell/)
  }
)
