// New notifications on a page without elements: the page gets an event, and a screen reader announces them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, toUserHash, createUserId } from './site.ts'

interface Heard {
  readonly sounds: number
  readonly titles: readonly string[]
}

/** Returns the events and sounds of a send on a page with this script tag only, after it was announced. */
async function heard(attributes = ''): Promise<Heard> {
  const user = createUserId()
  await using context = await browser.newContext()
  await context.addInitScript(() => {
    const heard = { sounds: 0, titles: [] as string[] }
    Object.assign(globalThis, { heard })
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super()
        heard.sounds += 1
      }
    }
    document.addEventListener('notif-new-notifications', event => {
      for (const { title } of event.detail.notifications) heard.titles.push(title)
    })
  })
  const page = await context.newPage()
  // A send before the greeting would not be new.
  const greeted = page
    .waitForEvent('websocket')
    .then(socket => socket.waitForEvent('framereceived', ({ payload }) => payload.includes('unopened')))
  await page.goto(
    site.host(`<!doctype html><html lang="en"><title>Heron</title><link rel="icon" href="data:,"><h1>Heron</h1>
      <script type="module" src="${site.base}/notif.js" data-client-id="${CLIENT}" data-user-id="${user}"
        data-user-hash="${toUserHash(user)}" ${attributes}></script>`)
  )
  await greeted
  await page.mouse.click(10, 10)
  await site.send(user, { title: 'The harbour map' })
  const spoken = (): Promise<string> =>
    page.evaluate(() => document.querySelector('[role=status]')?.textContent ?? '')
  await until(async () => (await spoken()).includes('The harbour map'), 'it is spoken')
  return page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard)
}

test('a page without elements gets an event for a new notification and announces it', async () => {
  assert.deepEqual(await heard(), { sounds: 0, titles: ['The harbour map'] })
})

test('attributes of the script tag turn on the sound', async () => {
  const sounds = async (attribute: string): Promise<number> => (await heard(attribute)).sounds
  assert.equal(await sounds('data-play-sound-on-new-notification'), 1)
  assert.equal(await sounds('data-play-sound-on-new-notification="true"'), 1)
  assert.equal(await sounds('data-play-sound-on-new-notification="false"'), 0)
})
