// The accessibility tree that Chromium computes, and the announcements of the live region.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { chooseInMenu, createUserId } from './site.ts'

interface Spoken {
  readonly role: string
  readonly name: string
  readonly description: string
}

/** Name and description, in the order in which they are read. */
async function spokenOn(page: Page): Promise<readonly Spoken[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const text = (value?: { value?: unknown }): string => String(value?.value ?? '')
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ description, name, role }) => ({
      description: text(description),
      name: text(name),
      role: text(role)
    }))
}

/** Everything that was announced, one after the other. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    new MutationObserver(() => {
      const text = document.querySelector('body > [role=status]')?.textContent ?? ''
      if (text) said.push(text)
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(globalThis, { said })
  })
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
}

async function openFeed(titles: readonly string[]): Promise<Page> {
  const userId = createUserId()
  for (const title of titles) await site.send(userId, { body: 'From the harbour.', title })
  const page = await browser.newPage()
  await page.goto(site.page({ body: '<notif-popup></notif-popup><notif-feed></notif-feed>', userId }))
  if (titles.length > 0) await page.locator(`notif-feed article >> nth=${titles.length - 1}`).waitFor()
  else await page.locator('notif-feed .empty-state').waitFor()
  return page
}

test('a focused row says that it is unread, its time and its content', async () => {
  const page = await openFeed(['Boat 9 is late'])
  const nodes = await spokenOn(page)
  const row = nodes.find(({ role }) => role === 'article')
  assert.deepEqual(row, {
    description: 'New. Unread. now From the harbour.',
    name: 'Boat 9 is late',
    role: 'article'
  })
  // With a space: "Unread. now".
  const texts = nodes.filter(({ role }) => role === 'StaticText').map(({ name }) => name)
  assert.ok(texts.join('').includes('Unread. now'), texts.join('|'))
  await page.close()
})

test('no button repeats its name as its description', async () => {
  const page = await openFeed(['Boat 9 is late'])
  const check = async (): Promise<readonly string[]> => {
    const nodes = await spokenOn(page)
    // The bell has a label beside its title: a page may write on it.
    const doubled = nodes.filter(
      ({ description, name }) => description && description === name && !name.startsWith('Notifications')
    )
    assert.deepEqual(doubled, [])
    return nodes.filter(({ role }) => role === 'button').map(({ name }) => name)
  }
  const names = await check()
  for (const name of ['Notifications, 1 new', 'Mark all as read', 'Menu', 'Mark as read', 'Archive'])
    assert.ok(names.includes(name), `${name} is none of ${names.join(', ')}`)
  await chooseInMenu(page.locator('notif-feed'), 'Preferences')
  await page.locator('notif-preferences-popup dialog[open]').waitFor()
  assert.ok((await check()).includes('Close'))
  await page.close()
})

test('announces that a tab is empty', async () => {
  const page = await openFeed(['Boat 9 is late'])
  const said = await listen(page)
  await page.locator('notif-feed').getByRole('button', { name: 'Archived' }).click()
  await until(async () => (await said()).length > 0, 'something is said')
  assert.deepEqual(await said(), ['Nothing archived'])
  await page.close()
})

test('announces a lost connection once', async () => {
  const page = await openFeed(['Boat 9 is late'])
  const said = await listen(page)
  await site.restart(async () => {
    await page.locator('notif-feed [part=banner]').waitFor()
    await until(async () => (await said()).length > 0, 'something is said')
    assert.equal(await page.locator('notif-feed [role=status]').count(), 0)
  })
  await page.locator('notif-feed [part=banner]').waitFor({ state: 'detached' })
  // A later announcement: all announcements about the connection came before it.
  await page.locator('notif-feed').getByRole('button', { name: 'Archived' }).click()
  await until(async () => (await said()).at(-1) === 'Nothing archived', 'the tab is said')
  const [lost, ...more] = await said()
  assert.match(lost!, /^Not connected\. As of .+\.$/)
  assert.deepEqual(more, ['Nothing archived'])
  await page.close()
})
