// The reference at /docs as a reader uses it: languages, search, filter, copying, addresses of fields, phones, colours.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { CLIENT, createUserId, SECRET } from './site.ts'

/** Bytes of the page for each operation, as gzip compresses it. */
const MAX_GZIP_BYTES_PER_OPERATION = 700

interface Options {
  readonly width?: number
  readonly colorScheme?: 'dark' | 'light'
}

async function open(hash = '', { colorScheme = 'light', width = 1440 }: Options = {}): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { height: 900, width } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.base })
  const page = await context.newPage()
  await page.goto(`${site.base}/docs${hash}`)
  await page.locator('.schemes').waitFor()
  return page
}

const close = (page: Page): Promise<void> => page.context().close()

test('the page keeps its weight', async () => {
  const answer = await fetch(`${site.base}/docs`, { headers: { 'accept-encoding': 'br, gzip' } })
  assert.equal(answer.headers.get('content-encoding'), 'br')
  const text = await answer.text()
  const size = gzipSync(text, { level: 9 }).length / text.split('<section class="operation"').length
  assert.ok(
    size <= MAX_GZIP_BYTES_PER_OPERATION,
    `${size} bytes instead of at most ${MAX_GZIP_BYTES_PER_OPERATION}`
  )
})

test('a chosen language is shown in every card, and at the next visit', async () => {
  const page = await open('#send')
  const code = page.locator('#send .card.dark pre:visible')
  assert.match(await code.innerText(), /^curl /)
  await page.locator('#send').getByRole('tab', { name: 'Python' }).click()
  await code.filter({ hasText: 'urlopen' }).waitFor()
  await page.locator('#send [data-example]').selectOption({ index: 2 })
  await page.locator('#send [data-block="python 2"]:visible').waitFor()
  await page.locator('#send [data-example]').selectOption({ index: 1 })
  await page.locator('#send [data-block="python 1"]:visible').waitFor()
  await page.reload()
  await page.locator('#retract .card.dark pre:visible').filter({ hasText: 'urlopen' }).waitFor()
  const tab = page.locator('#send').getByRole('tab', { name: 'Python' })
  await tab.focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('#send .card.dark pre:visible').filter({ hasText: 'package main' }).waitFor()
  await close(page)
})

interface Run {
  readonly program: string
  readonly arguments: readonly string[]
  readonly file?: string
}

/** How a reader runs the text of each language. */
const PROGRAMS: Readonly<Record<string, Run>> = {
  Go: { arguments: ['run', 'sample.go'], file: 'sample.go', program: 'go' },
  Node: { arguments: ['sample.mjs'], file: 'sample.mjs', program: process.execPath },
  Python: { arguments: ['sample.py'], file: 'sample.py', program: 'python3' },
  curl: { arguments: ['sample.sh'], file: 'sample.sh', program: 'sh' }
}

for (const [name, run] of Object.entries(PROGRAMS)) {
  const isMissing = spawnSync('sh', ['-c', `command -v ${run.program}`]).status !== 0
  test(`the sample of a send runs: ${name}`, { skip: isMissing && `needs ${run.program}` }, async () => {
    const page = await open('#send')
    // A text with the quotes of all four languages.
    const title = 'It\'s "here" `now` \\ $HOME {x} null'
    const body = {
      inapp: { title },
      parameters: { draft: null, first: true },
      to: { id: createUserId() },
      type: 'sample'
    }
    await page.evaluate(
      text => {
        document.querySelector('#send [data-block="curl 0"] [data-body]')!.textContent = text
      },
      JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)
    )
    await page.locator('#send').getByRole('tab', { name }).click()
    await page.locator(`#send [data-block="${name.toLowerCase()} 0"]:visible`).waitFor()
    const text = await page.locator('#send .card.dark pre:visible').innerText()
    await close(page)
    const folder = mkdtempSync(join(tmpdir(), 'notif-sample-'))
    writeFileSync(join(folder, run.file!), text)
    const { stderr, stdout } = spawnSync(run.program, run.arguments, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CLIENT_ID: CLIENT, CLIENT_SECRET: SECRET, NOTIFY_URL: site.base }
    })
    rmSync(folder, { recursive: true })
    assert.match(stdout, /"trackingId":"[\da-f-]{36}"/, stderr)
    const inbox = await site.inbox(body.to.id)
    assert.deepEqual(
      inbox.items.map(item => item.title),
      [title]
    )
  })
}

test('a request, a path and an answer can be copied', async () => {
  const page = await open('#send')
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.locator('#send').getByRole('button', { name: 'Copy the path' }).click()
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  assert.equal(await copied(), '/{clientId}/sender')
  await page.locator('#send').getByRole('button', { name: 'Copy the request' }).click()
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('curl '))
  assert.equal(await copied(), await page.locator('#send .card.dark pre:visible').textContent())
  await close(page)
})

test('the search finds operations, fields and problems by keyboard', async () => {
  const page = await open()
  const hit = page.locator('.hits [aria-selected=true]')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('retract')
  assert.match(await hit.innerText(), /Retract notifications/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#retract$/)
  await page.locator('.side a[aria-current][href="#retract"]').waitFor()
  await page.keyboard.press('/')
  // What a newcomer asks for is an operation, not a field of the same name.
  for (const words of ['send', 'send one notification', 'how to send a notification']) {
    await page.locator('.palette input').fill(words)
    assert.match(await hit.innerText(), /Send a notification/, words)
  }
  await page.locator('.palette input').fill('schedule')
  assert.match(await hit.innerText(), /field/)
  await page.locator('.palette input').fill('429')
  assert.match(await hit.innerText(), /rate-limited/)
  await page.locator('.palette input').fill('nothing has this')
  await page.getByText('Nothing has the words').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.palette').waitFor({ state: 'hidden' })
  await close(page)
})

test('the filter of the side shows operations with all of its words', async () => {
  const page = await open()
  await page.getByRole('textbox', { name: 'Filter operations' }).fill('schedule delete')
  assert.deepEqual(await page.locator('.side .group li:visible').allInnerTexts(), ['DEL\nDelete a schedule'])
  await page.keyboard.press('Escape')
  assert.ok((await page.locator('.side .group li:visible').count()) > 10)
  await close(page)
})

test('the address of a nested field opens what it lies in', async () => {
  const page = await open('#send.body.to.id')
  const field = page.locator('[id="send.body.to.id"]')
  await field.waitFor()
  assert.ok(await field.evaluate(node => node.matches(':target') && node.checkVisibility()))
  assert.equal(await field.locator('> p > a').first().getAttribute('href'), '#send.body.to.id')
  await close(page)
})

test('a list of fields that stands elsewhere is copied when it is opened, with its own addresses', async () => {
  const page = await open('#updateSchedule')
  const field = page.locator('[id="updateSchedule.body.to"]')
  await field.locator('summary').click()
  await page.locator('[id="updateSchedule.body.to.email"]').waitFor()
  // An address in such a list opens it.
  await page.goto(`${site.base}/docs#putSchedule.body.inapp.actions.label`)
  await page.reload()
  const nested = page.locator('[id="putSchedule.body.inapp.actions.label"]')
  await nested.waitFor()
  assert.ok(await nested.evaluate(node => node.matches(':target')))
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, i) => ids.indexOf(id) !== i)
  })
  assert.deepEqual(twice, [])
  await close(page)
})

test('"Try it" sends to a person of the demo, and shows the answer of the server', async () => {
  const page = await open('#send')
  const operation = page.locator('#send')
  await operation.getByText('Try it').click()
  const body = operation.getByLabel('Body')
  const title = `Tried ${Date.now()}`
  await body.fill(JSON.stringify({ inapp: { title }, to: { id: 'nour' }, type: 'tried' }))
  await body.press('Control+Enter')
  await operation.getByText('It is in the inbox of nour.').waitFor()
  assert.match(await operation.locator('pre[data-block=live]').innerText(), /"trackingId": "[\da-f-]{36}"/)
  assert.ok((await site.inbox('nour')).items.some(item => item.title === title))

  await body.fill(JSON.stringify({ inapp: { title }, to: { email: 'somebody@example.com' }, type: 'tried' }))
  await operation.getByRole('button', { name: 'Send' }).click()
  await operation.locator('pre[data-block=live]').filter({ hasText: '/body/to/id' }).waitFor()
  assert.doesNotMatch(await page.content(), new RegExp(SECRET))

  const simulate = page.locator('#simulate')
  await simulate.getByText('Try it').click()
  await simulate.getByRole('button', { name: 'Send' }).click()
  await simulate.locator('pre[data-block=live]').filter({ hasText: '"channels"' }).waitFor()
  await close(page)
})

test('without scripts everything can be read', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.base}/docs`)
  await page.locator('#send .card.dark pre:visible').filter({ hasText: 'curl' }).waitFor()
  assert.equal(await page.locator('[data-search]:visible, .schemes:visible').count(), 0)
  await context.close()
})

for (const width of [1372, 686, 390, 320]) {
  test(`nothing but code scrolls sideways at ${width} px`, async () => {
    const page = await open('', { width })
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
      for (const part of document.querySelectorAll<HTMLElement>('.operation'))
        part.style.contentVisibility = 'visible'
    })
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(excess <= 0, `${excess} px`)
    if (width < 900) {
      await page.getByRole('button', { name: 'Contents' }).click()
      await page.locator('.side a[href="#retract"]').click()
      await page.waitForURL(/#retract$/)
      await page.locator('.side').waitFor({ state: 'hidden' })
    }
    await close(page)
  })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of ['/docs', '/problems']) {
    test(`axe finds nothing on ${path}, ${colorScheme}`, async () => {
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const page = await context.newPage()
      await page.goto(site.base + path)
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run()
      )
      const found = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 120))
            .join(' ')}`
      )
      assert.deepEqual(found, [])
      await context.close()
    })
  }
}
