// Walks by keyboard alone with the real server: quiet hours in the preferences, and the buttons of a toast.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, createUserId, SECRET, toUserHash, watchComplaints } from './site.ts'

interface Quiet {
  readonly days: readonly number[]
  readonly from: string
  readonly on: boolean
  readonly to: string
  readonly urgentPasses: boolean
}

async function readQuiet(userId: string): Promise<Quiet> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}/preferences`, {
    headers: { authorization }
  })
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { readonly quiet: Quiet }).quiet
}

async function putType(id: string, settings: object): Promise<void> {
  const answer = await fetch(`${site.base}/${CLIENT}/notifications/${id}`, {
    body: JSON.stringify(settings),
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
      'content-type': 'application/json'
    },
    method: 'PUT'
  })
  assert.ok(answer.ok, await answer.text())
}

/** What has the focus, also inside an element: its name, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let node = document.activeElement
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
    const label = node?.closest('label')?.firstElementChild?.textContent
    return (node?.ariaLabel || label || node?.textContent?.trim() || node?.getAttribute('title') || '')
      .trim()
      .replaceAll(/\s+/gu, ' ')
  })

/** Presses Tab until the focus is at `name`. A walk that does not get there ends. */
async function tabTo(page: Page, name: string): Promise<void> {
  const places: string[] = []
  while (places.length < 40) {
    await page.keyboard.press('Tab')
    const place = await focused(page)
    if (place === name) return
    places.push(place)
  }
  assert.fail(`Tab does not lead to “${name}”: ${places.join(', ')}`)
}

test('quiet hours are set by keyboard: the switch, the hours, the days, and whether urgent types pass', async () => {
  const userId = createUserId()
  await putType('storm', { channels: ['INAPP_WEB'], title: 'Storm', urgent: true })
  await site.send(userId, { title: 'Before' })
  await site.send(userId, { title: 'Storm' }, 'storm')
  await using context = await browser.newContext({ viewport: { height: 900, width: 1000 } })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await page.goto(site.page({ body: '<notif-preferences></notif-preferences>', userId }))
  const quiet = page.locator('notif-preferences').getByRole('group', { name: 'Quiet hours' })
  await quiet.getByRole('switch').first().waitFor()
  const becomes = (what: string, is: (quiet: Quiet) => boolean): Promise<void> =>
    until(async () => is(await readQuiet(userId)), what)
  /** A change is sent and its answer is shown, and the focus stays. */
  const stays = async (name: string): Promise<void> => assert.equal(await focused(page), name)

  await tabTo(page, 'Quiet hours')
  await page.keyboard.press('Space')
  await quiet.getByRole('switch', { name: 'Urgent ones pass' }).waitFor()
  await becomes('they are on', ({ on }) => on)
  await stays('Quiet hours')

  await page.keyboard.press('Tab')
  await stays('From')
  // By arrows, which mean the same in fields of 12 and of 24 hours.
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  await becomes('they begin at 23:02', ({ from }) => from === '23:02')
  await stays('From')
  await tabTo(page, 'To, next day')
  await page.keyboard.press('ArrowDown')
  await becomes('they end at 6:00', ({ from, to }) => from === '23:02' && to === '06:00')
  await stays('To, next day')

  const { days } = await readQuiet(userId)
  await tabTo(page, 'Wednesday')
  await page.keyboard.press('Space')
  await becomes('the day is another', quiet => quiet.days.includes(3) !== days.includes(3))
  await stays('Wednesday')

  await tabTo(page, 'Urgent ones pass')
  const { urgentPasses } = await readQuiet(userId)
  assert.match(await quiet.innerText(), /Urgent ones pass · Storm/)
  await page.keyboard.press('Space')
  await becomes('urgent ones are treated differently', quiet => quiet.urgentPasses !== urgentPasses)
  await stays('Urgent ones pass')

  await page.reload()
  await quiet.getByRole('switch').first().waitFor()
  assert.equal(await quiet.getByLabel('From').inputValue(), '23:02')
  assert.equal(await quiet.getByLabel('To, next day').inputValue(), '06:00')
  await tabTo(page, 'Quiet hours')
  await page.keyboard.press('Space')
  await becomes('they are off', ({ on }) => !on)
  await stays('Quiet hours')
  assert.deepEqual(complaints, [])
})

/** The page answers a button a moment later, as a call of its back end would. */
const ANSWERS = `<script>
  addEventListener('notif-item-action', ({ detail: { action, respondWith } }) => {
    respondWith(
      new Promise((resolve, reject) => {
        const answer = action.id === 'approve' ? () => resolve('Approved by you') : () => reject('no')
        setTimeout(answer, 50)
      })
    )
  })
</script>`

test('the buttons of a toast are reached and pressed by keyboard, their answer is shown, and the focus is not lost', async () => {
  const userId = createUserId()
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  const body = `<notif-popup></notif-popup><notif-toast></notif-toast>${ANSWERS}`
  await page.goto(site.page({ body, userId }))
  await page.waitForLoadState('networkidle')
  await page.locator('notif-popup .bell').focus()
  await site.send(userId, {
    actions: [
      { id: 'approve', label: 'Approve' },
      { id: 'decline', label: 'Decline' }
    ],
    title: 'Winter fares'
  })
  const toast = page.locator('notif-toast article', { hasText: 'Winter fares' })
  await toast.getByRole('button', { name: 'Approve' }).waitFor()
  // What arrives does not take the focus.
  assert.match(await focused(page), /^Notifications/)

  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Approve')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Decline')
  await page.keyboard.press('Enter')
  await toast.getByText('Not sent. no').waitFor()
  assert.equal(await focused(page), 'Decline', 'a button that failed keeps the focus')

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await toast.getByText('Approved by you').waitFor()
  // Its buttons are gone, so the toast has the focus, and its clock stands still.
  assert.equal(await toast.evaluate(article => article.matches(':focus')), true)
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Close')
  await page.keyboard.press('Enter')
  await toast.waitFor({ state: 'detached' })
  assert.match(await focused(page), /^Notifications/)

  await page.keyboard.press('Enter')
  await page
    .locator('notif-popup article', { hasText: 'Winter fares' })
    .getByText('Approved by you')
    .waitFor()
  await until(async () => (await site.inbox(userId)).counts.unopened === 0, 'it counts as read')
  assert.deepEqual(complaints, [])
  await page.close()
})
