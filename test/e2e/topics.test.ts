// Topics from end to end: the back end adds a user, the user leaves in the preferences, and takes that back.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createClient } from '../../server/client/index.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, createUserId, SECRET } from './site.ts'

test('a user leaves a topic and joins it again, and the back end knows', async () => {
  const notif = createClient({ baseURL: site.base, clientId: CLIENT, clientSecret: SECRET })
  const userId = createUserId()
  const id = `line/${userId}`
  const membersOf = async (): Promise<number> => (await notif.getTopic(id)).members.count
  await notif.changeTopicMembers(id, { add: [userId, 'another'] })
  await notif.putTopic(id, 'Harbour line')
  const page = await browser.newPage()
  await page.goto(site.page({ body: '<notif-preferences></notif-preferences>', userId }))
  await page.getByRole('button', { name: 'Leave: Harbour line' }).click()
  const rejoin = page.getByRole('button', { name: 'Join again: Harbour line' })
  await rejoin.waitFor()
  await page.locator('body > [role=status]', { hasText: 'Saved' }).waitFor()
  assert.equal(await membersOf(), 1)
  await rejoin.click()
  await page.getByRole('button', { name: 'Leave: Harbour line' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(await membersOf(), 2)
  await notif.changeTopicMembers(id, { remove: [userId] })
  await page.reload()
  await page.getByText('No notification preferences yet').waitFor()
  await page.close()
})
