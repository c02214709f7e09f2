// A pause and quiet hours: set on a page, kept by the server, and seen on another page.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { CLIENT, toUserHash, type Site } from '../../site.ts'
import { BADGE, BELL, choose, path, TITLES } from './path.ts'

interface Settings {
  readonly pause: { readonly isOn: boolean }
  readonly quiet: { readonly on: boolean }
}

async function read(site: Site, user: string): Promise<Settings> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${user}:${toUserHash(user)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/preferences`, {
    headers: { authorization }
  })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Settings
}

const PAUSED = 'notif-popup >> .paused'
const TOASTS = 'notif-toast >> article .title'
const QUIET = 'notif-preferences >> [role=switch][aria-label="Quiet hours"]'
const isOn = (find: (target: string) => HTMLElement[], target: string): boolean | undefined =>
  (find(target)[0] as HTMLInputElement | undefined)?.checked

export const pauses = path(
  'a pause hides badge and toasts on both pages, rows still arrive, and the line above them ends it',
  async ({ open, send, site, user }) => {
    const body = '<notif-popup></notif-popup><notif-toast></notif-toast>'
    await send('Before')
    const [other, page] = [await open({ body }), await open({ body })]
    await page.lists(BADGE, '1')
    await page.click(BELL)
    await page.lists(TITLES, 'Before')
    await choose(page, 'Pause')
    await page.sees(PAUSED)
    await until(async () => (await read(site, user)).pause.isOn, 'the server has it')
    await other.lacks(BADGE)
    await page.press('Escape')
    await page.lists(TITLES)
    await send('Meanwhile')
    await page.click(BELL)
    await page.lists(TITLES, 'Meanwhile', 'Before')
    await page.lists(TOASTS)
    await page.click(`${PAUSED} >> button`)
    await page.lacks(PAUSED)
    await until(async () => !(await read(site, user)).pause.isOn, 'the server has its end')
    await page.press('Escape')
    await page.lists(TITLES)
    await send('After')
    // On the page that has the focus, which the drivers of engines decide differently.
    const shown = async (): Promise<string> =>
      (await Promise.all([page, other].map(one => one.texts(TOASTS)))).flat().join()
    await until(async () => (await shown()) === 'After', 'one of the pages shows it')
  }
)

export const hours = path(
  'quiet hours are turned on and kept, and the page beside shows them',
  async ({ open, send, site, user }) => {
    await send('Before')
    const body = '<notif-preferences></notif-preferences>'
    const [other, page] = [await open({ body }), await open({ body })]
    await page.shows(isOn, false, QUIET)
    await page.click(QUIET)
    await page.shows(isOn, true, QUIET)
    await until(async () => (await read(site, user)).quiet.on, 'the server has them')
    await other.shows(isOn, true, QUIET)
  }
)
