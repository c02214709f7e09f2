// Buttons, replies and progress bars of items, and items that change in their place.

import assert from 'node:assert/strict'

import { until } from '../../../support/process.ts'
import { CLIENT, SECRET, type Site } from '../../site.ts'
import { BELL, path, row, TITLES } from './path.ts'

/** As the back end of the page. */
async function update(site: Site, user: string, id: string, change: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/inbox/${id}`, {
    body: JSON.stringify(change),
    headers: { authorization, 'content-type': 'application/json' },
    method: 'PATCH'
  })
  assert.equal(answer.status, 200, await answer.text())
}

export const buttons = path(
  'buttons of an item tell the page or follow a link, and say what became of them',
  async ({ open, send, site, user }) => {
    await send('Map', { actions: [{ id: 'show', label: 'Show it', url: '/map' }] })
    await send('Fares', { actions: [{ id: 'approve', label: 'Approve' }] })
    const script = `<script>
      addEventListener('notif-item-action', ({ detail }) => detail.respondWith(Promise.resolve('Approved')))
    </script>`
    const page = await open({ body: `${script}<notif-popup></notif-popup>` })
    await page.click(BELL)
    await page.click(`${row('Fares')} >> .acts button`)
    await page.sees(`${row('Fares')} >> [data-state=good] >> "Approved"`)
    await until(async () => (await site.inbox(user)).counts.unopened === 1, 'it counts as read')
    await page.click(`${row('Map')} >> .acts a`)
    await page.shows(() => location.pathname, '/map')
    await until(async () => (await site.inbox(user)).counts.unopened === 0, 'the other, too')
  }
)

export const replies = path(
  'a reply is written in the row, and stays there',
  async ({ open, send, site, user }) => {
    await send('Question', { reply: { label: 'Answer Nour' } })
    const page = await open()
    await page.click(BELL)
    await page.click(`${row('Question')} >> .reply-button`)
    await page.isFocused(/^textarea.*Answer Nour/s)
    await page.press(...'No', 'Escape')
    await page.isFocused(/^button.*Reply/s)
    // What was written is kept.
    await page.press('Enter')
    await page.isFocused(/^textarea/)
    await page.press(...'w', 'Enter')
    await page.lists(`${row('Question')} >> .said`, 'You: Now')
    await until(async () => (await site.inbox(user)).counts.unopened === 0, 'it counts as read')
  }
)

export const updates = path(
  'progress moves in its place, and the end comes to the top as new',
  async ({ open, send, site, user }) => {
    const sent = (await send('Report', { progress: { value: 0.2 } })) as { readonly trackingId: string }
    await send('Later')
    const page = await open()
    await page.click(BELL)
    const value = (find: (target: string) => HTMLElement[], target: string): string | null | undefined =>
      find(target)[0]?.getAttribute('aria-valuenow')
    const BAR = `${row('Report')} >> [role=progressbar]`
    await page.shows(value, '20', BAR)
    await update(site, user, sent.trackingId, { progress: { value: 0.62 } })
    await page.shows(value, '62', BAR)
    await page.lists(TITLES, 'Later', 'Report')
    await update(site, user, sent.trackingId, {
      notify: true,
      progress: { state: 'done' },
      title: 'Report is ready'
    })
    await page.lists(TITLES, 'Report is ready', 'Later')
    await page.lacks('notif-popup >> [role=progressbar]')
  }
)
