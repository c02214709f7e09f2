// The same visit in the app of every framework and on a page with the script tag.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { build } from 'esbuild'
import type { Browser, Locator, Page } from 'playwright-core'

import { buildApps, serveApps } from '../../components/package/demos.ts'
import { until } from '../support/process.ts'
import { CLIENT, openBrowser, openSite, SECRET, createUserId, watchComplaints, type Site } from './site.ts'

const ROOT = join(import.meta.dirname, '../..')

let browser: Browser
let site: Site
let apps: Awaited<ReturnType<typeof serveApps>>

before(async () => {
  buildApps()
  site = await openSite()
  apps = await serveApps({ apiUrl: site.base, clientId: CLIENT, clientSecret: SECRET }, 0)
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  apps?.close()
  await site?.[Symbol.asyncDispose]()
})

test('templates of React, Solid, Svelte and Vue are typed', () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '-p', 'demo/apps'], { cwd: ROOT, encoding: 'utf8' })
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout)
  }
})

test('the test in the README of the package passes', async () => {
  const words = readFileSync(join(ROOT, 'components/package/README.md'), 'utf8')
  const [, contents] = /## Test your components\n\n```js\n([^]*?)```/.exec(words)!
  const { outputFiles } = await build({
    bundle: true,
    format: 'esm',
    outdir: ROOT,
    stdin: { contents: contents!, resolveDir: join(ROOT, 'demo/apps') },
    write: false
  })
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  await page.goto(
    site.host('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Test</title>')
  )
  await page.addScriptTag({ content: outputFiles[0]!.text, type: 'module' })
  await count(page, 'notif-popup', 2)
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article', { hasText: 'Came live' }).waitFor()
  await page.locator('notif-popup article', { hasText: 'Welcome' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('the Vue app of the docs shows a bell and its own list', async () => {
  const words = readFileSync(join(ROOT, 'docs/front-end.md'), 'utf8')
  const code = (language: string): readonly string[] =>
    [...words.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))].map(
      ([, found]) => found!
    )
  const userId = createUserId()
  const userHash = createHmac('sha256', SECRET).update(userId).digest('base64')
  const session = { apiUrl: site.base, clientId: CLIENT, userHash, userId }
  const folder = mkdtempSync(join(ROOT, 'demo/apps/page-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  try {
    write('vite.config.js', code('js')[0]!)
    write(
      'App.vue',
      code('vue')[0]!
        .replace('http://127.0.0.1:3000', site.base)
        .replace('YOUR_CLIENT_ID', CLIENT)
        .replace('amara', userId)
        .replace('FROM_THE_DEMO_PAGE', userHash)
    )
    write('List.vue', code('vue')[1]!)
    write(
      'main.js',
      `import { createApp } from 'vue'
      import App from './App.vue'
      import List from './List.vue'
      createApp(App).mount('#app')
      createApp(List, { session: ${JSON.stringify(session)} }).mount('#list')`
    )
    write(
      'index.html',
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Vue</title><div id="app"></div><div id="list"></div><script type="module" src="./main.js"></script>'
    )
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    execFileSync(process.execPath, [
      vite,
      'build',
      folder,
      '--emptyOutDir',
      '--outDir',
      '../dist/page',
      '--base',
      '/page/',
      '--logLevel',
      'error'
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
  const page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  const complaints = watchComplaints(page)
  await page.goto(`${apps.base}/page/`)
  await site.send(userId, { title: 'First' })
  await count(page, 'notif-popup', 1)
  await page.locator('li', { hasText: 'First' }).waitFor()
  await page.locator('p', { hasText: '1 new' }).waitFor()
  await page.locator('notif-popup .bell').click()
  const said = page.waitForEvent('console', message => message.text() === 'First')
  await page.locator('notif-popup article', { hasText: 'First' }).click()
  await said
  await page.keyboard.press('Escape')
  await page.locator('#list button').click()
  await page.locator('p', { hasText: '0 new' }).waitFor()
  await page.locator('#list li').waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
  await page.close()
})

/** The content of the apps, as a page with the script tag. */
const TAGGED = `<notif-counter show-zero></notif-counter>
<notif-popup popover-position="bottom right"></notif-popup>
<notif-preferences></notif-preferences>
<label>Language <select onchange="document.documentElement.lang = value"><option>en</option><option>de</option></select></label>
<label><input type="checkbox" onchange="document.documentElement.style.colorScheme = checked ? 'dark' : 'light'"> Dark</label>`

const count = (page: Page, tag: string, number: number): Promise<void> =>
  page.locator(`${tag} .badge`, { hasText: new RegExp(`^${number}$`) }).waitFor()

const background = (place: Locator): Promise<string> =>
  place.evaluate(element => getComputedStyle(element).backgroundColor)

/** A choice that the server has. */
async function kept(page: Page, choice: Promise<void>): Promise<void> {
  const answer = page.waitForResponse(
    response => response.request().method() === 'POST' && response.url().endsWith('/preferences')
  )
  await choice
  assert.equal((await answer).status(), 200)
}

/** Sends a notification that the preferences discard, and returns the warnings of the server. */
async function discarded(userId: string): Promise<readonly string[]> {
  const inapp = { title: 'Unwanted' }
  const answer = await site.post(`/${CLIENT}/sender`, { inapp, to: { id: userId }, type: 'news' })
  return ((await answer.json()) as { readonly messages: readonly string[] }).messages
}

for (const name of ['script tag', 'plain', 'angular', 'react', 'solid', 'svelte', 'vue']) {
  test(`${name}: live updates, counters, actions, preferences, another language and the dark scheme`, async () => {
    const userId = createUserId()
    const tagged = name === 'script tag'
    const page = await browser.newPage({ colorScheme: 'light' })
    page.setDefaultTimeout(15_000)
    const complaints = watchComplaints(page)
    await page.goto(tagged ? site.page({ body: TAGGED, userId }) : `${apps.base}/${name}/?user=${userId}`)
    await count(page, 'notif-counter', 0)

    // Live, and counted by both.
    await site.send(userId, { title: 'First' })
    await count(page, 'notif-popup', 1)
    await site.send(userId, { title: 'Second' })
    await count(page, 'notif-counter', 2)
    if (!tagged) await page.locator('output', { hasText: '2' }).waitFor()

    // Archived by its button: gone from the list, and on the server.
    await page.locator('notif-popup .bell').click()
    const rows = page.locator('notif-popup article')
    const first = rows.filter({ hasText: 'First' })
    await first.hover()
    await first.getByRole('button', { name: /archive/i }).click()
    await first.waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 1)

    // In the dark the same panel has another colour, and so has the page of the app.
    const panel = page.locator('notif-popup [part~=panel]')
    const [light, paper] = [await background(panel), await background(page.locator('body'))]
    await page.keyboard.press('Escape')
    await page.getByLabel('Dark').check()
    if (!tagged) assert.notEqual(await background(page.locator('body')), paper)
    await page.locator('notif-popup .bell').click()
    assert.notEqual(await background(panel), light)

    // What was in sight is no longer new.
    await count(page, 'notif-counter', 0)
    if (!tagged) await page.locator('output', { hasText: '0' }).waitFor()

    // An event of an element reaches the app, which takes it over.
    if (!tagged) {
      await rows.filter({ hasText: 'Second' }).getByText('Second').click()
      await page.getByText('Last chosen: Second').waitFor()
    }

    // Preferences: off by the page's own switch, and the next send obeys; on by the dialog, and the switch follows.
    await page.keyboard.press('Escape')
    const own = tagged
      ? page
          .locator('notif-preferences')
          .getByRole('group', { name: 'News' })
          .getByRole('switch', { name: 'In app' })
      : page.getByLabel('news in the app')
    await kept(page, own.uncheck())
    assert.deepEqual(await discarded(userId), [
      'INAPP_WEB was discarded: the user has switched this channel off for "news".'
    ])
    await page.locator('notif-popup .bell').click()
    await page.locator('[data-act=menu]').first().click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notification preferences' })
    await kept(
      page,
      dialog.getByRole('group', { name: 'News' }).getByRole('switch', { name: 'In app' }).check()
    )
    await until(() => own.isChecked(), 'the switch of the page follows')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    // Another language, at once.
    await page.keyboard.press('Escape')
    await page.getByLabel('Language').selectOption('de')
    await page.locator('notif-popup .bell[title^="Benachrichtigungen"]').waitFor()

    // The headless half: the app's own button.
    if (!tagged) {
      await site.send(userId, { title: 'Third' })
      await page.locator('output', { hasText: '1' }).waitFor()
      await page.getByRole('button', { name: 'Empty the inbox' }).click()
      await page.locator('output', { hasText: '0' }).waitFor()
      await count(page, 'notif-counter', 0)
    }
    const { items } = await site.inbox(userId)
    assert.ok(items.find(({ title }) => title === 'First')!.archived)
    assert.deepEqual(complaints, [])
    await page.close()
  })
}
