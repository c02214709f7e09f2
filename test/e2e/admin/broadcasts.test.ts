// Broadcasts on the dashboard: written, counted, sent to all, paused, stopped and retracted, with what the server says as what the screen says.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { until } from '../../support/process.ts'
import { CLIENT } from '../site.ts'
import { browser, findAxeFaults, openDashboard, site } from './dashboard.ts'
import { ADMIN_TOKEN } from './sign-in.ts'

const addUsers = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const properties = { plan: i % 4 === 0 ? 'pro' : 'free' }
    const answer = await site.post(`/${CLIENT}/users/b${i}`, { properties })
    assert.equal(answer.status, 200, await answer.text())
  }
}

test('a broadcast is written, counted, confirmed and sent; the list says what came of it', async () => {
  assert.ok(browser)
  await addUsers(40)
  const made = await site.post(`/${CLIENT}/sender`, { inapp: { title: 'x' }, to: { id: 'b0' }, type: 'news' })
  assert.equal(made.status, 200)
  await using dashboard = await openDashboard(`/admin/${CLIENT}/broadcasts`)
  const { page } = dashboard
  await page.getByText('No broadcasts yet').waitFor()

  await page.locator('label', { hasText: 'Segment' }).click()
  await page.getByLabel('Property').fill('plan')
  await page.getByLabel('Value').fill('pro')
  await page.getByText('users have this property').waitFor()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('news')
  await page.getByLabel('Title').fill('Storm on Thursday: no boats after 16:00')
  await page.getByLabel('Text').fill('The last boat leaves Old Pier at 15:45.')
  await page.getByRole('button', { name: 'Send to 10 people…' }).click()
  const dialog = page.locator('notif-admin-dialog')
  await dialog.getByRole('heading', { name: /Storm on Thursday.* to 10 people/ }).waitFor()
  await dialog.getByRole('button', { name: 'Send to 10 people' }).click()
  await page.getByRole('row', { name: /Storm on Thursday.*plan: pro.*10.*Done/ }).waitFor()

  const [row] = await site.db.control<{ count: number }[]>`
    select count(distinct user_id)::integer as count from inbox_items where content ->> 'title' like 'Storm%'`
  assert.equal(row!.count, 10)
  assert.deepEqual(await findAxeFaults(page), [])

  await page.getByRole('button', { name: /^Retract Storm on Thursday/ }).click()
  await dialog.getByRole('heading', { name: /Retract “Storm on Thursday/ }).waitFor()
  await dialog.getByRole('button', { name: 'Retract from 10 people' }).click()
  await page.getByRole('row', { name: /Storm on Thursday.*Retracted/ }).waitFor()
  const left = await site.db.control`
    select from inbox_items where content ->> 'title' like 'Storm%' and not removed`
  assert.equal(left.count, 0)
  assert.equal(await page.getByRole('button', { name: /^Retract Storm/ }).count(), 0)
})

test('a slow broadcast shows how far it is, pauses, goes on and stops', async () => {
  await addUsers(40)
  const created = await site.post(`/${CLIENT}/broadcasts`, {
    inapp: { title: 'Summer concert boats' },
    perSecond: 2,
    to: { everyone: true },
    type: 'news'
  })
  assert.equal(created.status, 202)
  const { broadcastId } = (await created.json()) as { broadcastId: string }
  const read = async () =>
    (await (
      await fetch(`${site.base}/${CLIENT}/broadcasts/${broadcastId}`, {
        headers: { authorization: `Bearer ${ADMIN_TOKEN}` }
      })
    ).json()) as { state: string }
  await using dashboard = await openDashboard(`/admin/${CLIENT}/broadcasts`)
  const { page } = dashboard
  const card = page.locator('.order', { hasText: 'Summer concert boats' })
  await card.getByRole('progressbar').waitFor()
  await card.getByRole('button', { name: 'Pause' }).click()
  await card.getByText('Paused').waitFor()
  assert.equal((await read()).state, 'paused')
  await card.getByRole('button', { name: 'Go on' }).click()
  await until(async () => ['queued', 'running'].includes((await read()).state), 'it goes on')
  await card.getByRole('button', { name: 'Stop…' }).click()
  await page.locator('notif-admin-dialog').getByRole('button', { name: 'Stop it' }).click()
  await page.getByRole('row', { name: /Summer concert boats.*everybody.*Stopped at/ }).waitFor()
  assert.equal((await read()).state, 'stopped')
})
