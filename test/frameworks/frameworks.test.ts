// What the compilers of frameworks say of templates with our elements, and pages of two that no bundler of ours makes.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

import { build as bundle } from 'esbuild'
import type { Page } from 'playwright-core'
import { build, type PluginOption } from 'vite'

import { browser, site } from '../e2e/shared-site.ts'
import { CLIENT, toUserHash, createUserId, watchComplaints } from '../e2e/site.ts'
import type { Place } from '../package/place.ts'
import { until } from '../support/process.ts'
import { frameworksPlace } from './place.ts'

let place: Place | undefined
let why = ''
before(() => {
  try {
    place = frameworksPlace()
  } catch (error) {
    why = (error as Error).message.split('\n')[0]!
  }
})

/** Where the frameworks cannot be installed a test says so and is skipped. */
const withPlace = (name: string, run: (found: Place) => Promise<void> | void): void =>
  void test(name, (context: TestContext) => (place ? run(place) : context.skip(why)))

/** What a compiler complains about. */
function complaintsOf({ run }: Place, program: string, ...args: readonly string[]): string {
  try {
    return run(join('node_modules', program), ...args)
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
  }
}

/** Each line with a tag in the wrong file is complained about, and nothing else is. */
function everyWrongLine(found: Place, file: string, said: string): void {
  const wanted = readFileSync(join(found.dir, 'apps', file), 'utf8')
    .split('\n')
    .flatMap((line, index) => (/<notif-/.test(line) ? [index + 1] : []))
  const lines = said.split('\n').filter(line => /\berror\b.*(?:TS|NG)\d+|\bERROR\b/.test(line))
  const told = lines.map(line => Number(/wrong\.\w+"?[:( ]+(\d+)[:,]/.exec(line)?.[1] ?? assert.fail(said)))
  assert.deepEqual(
    [...new Set(told)].toSorted((one, other) => one - other),
    wanted,
    said
  )
}

withPlace('Vue: strict templates refuse what is wrong', found =>
  everyWrongLine(found, 'vue/wrong.vue', complaintsOf(found, 'vue-tsc/bin/vue-tsc.js', '-p', 'apps/vue'))
)

withPlace('Svelte: templates refuse what is wrong', found =>
  everyWrongLine(
    found,
    'svelte/wrong.svelte',
    complaintsOf(found, 'svelte-check/bin/svelte-check', '--workspace', 'apps/svelte', '--output', 'machine')
  )
)

withPlace('Solid: templates are typed', found => {
  assert.equal(complaintsOf(found, 'typescript/bin/tsc', '-p', 'apps/solid'), '')
})

/** The same visit of both: what was set is there, it is live, an event arrives, and what is taken out leaves nothing. */
async function visit(html: (session: object) => string, script: string): Promise<void> {
  const userId = createUserId()
  const session = { apiUrl: site.base, clientId: CLIENT, userHash: toUserHash(userId), userId }
  const page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  const complaints = watchComplaints(page)
  const sockets = openSockets(page)
  await page.goto(
    site.host(
      `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>App</title><body>
      <script>session = ${JSON.stringify(session)}</script>${html(session)}
      <script type="module" src="${site.host(script)}"></script>`
    )
  )
  await page.getByText('Nothing here yet').waitFor()
  await site.send(userId, { title: 'Hidden' })
  await page.getByText('1 heard, none chosen').waitFor()
  await site.send(userId, { title: 'Live' })
  await page.locator('notif-counter .badge', { hasText: /^2$/ }).waitFor()
  await page.locator('notif-feed').getByText('» Live').waitFor()
  const set = await page.evaluate(() => {
    const { pageSize, unreadBadgeProps } = document.querySelector('notif-popup')!
    return [pageSize, unreadBadgeProps, document.querySelector('notif-counter')!.showZero]
  })
  assert.deepEqual(set, [7, { max: 50 }, true])
  await page.locator('notif-popup .bell[title*=enachrichtigung]').click()
  const rows = page.locator('notif-popup article')
  await rows.getByText('Live').click()
  await page.getByText('2 heard, Live chosen').waitFor()
  assert.equal(await rows.count(), 1)
  await page.keyboard.press('Escape')
  await page.locator('#toggle').click()
  await until(() => sockets.size === 0, 'the connection is closed')
  assert.equal(await page.locator('notif-popup').count(), 0)
  assert.deepEqual(complaints, [])
  await page.close()
}

function openSockets(page: Page): ReadonlySet<object> {
  const open = new Set<object>()
  page.on('websocket', socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return open
}

withPlace('Angular: strict templates refuse what is wrong, and the rest runs compiled', async found => {
  const compiler = '@angular/compiler-cli/bundles/src/bin/ngc.js'
  const said = complaintsOf(found, compiler, '-p', 'apps/angular/tsconfig.wrong.json')
  everyWrongLine(found, 'angular/wrong.html', said)
  assert.equal(complaintsOf(found, compiler, '-p', 'apps/angular'), '')
  assert.equal(complaintsOf(found, compiler, '-p', 'apps/angular/tsconfig.demo.json'), '', 'the demo app')
  const { outputFiles } = await bundle({
    bundle: true,
    entryPoints: [join(found.dir, 'out/angular/app.js')],
    format: 'esm',
    write: false
  })
  await visit(() => '<div id="app"></div>', outputFiles[0]!.text)
})

withPlace('Solid: a page that a server has rendered is hydrated', async found => {
  const fromPlace = createRequire(join(found.dir, 'package.json'))
  const { default: solid } = (await import(pathToFileURL(fromPlace.resolve('vite-plugin-solid')).href)) as {
    default: (options: object) => PluginOption
  }
  const made = async (input: string, ssr: boolean): Promise<string> => {
    const made = await build({
      build: {
        rolldownOptions: { input: join(found.dir, 'apps/solid', input), output: { codeSplitting: false } },
        ssr,
        write: false
      },
      configFile: false,
      logLevel: 'error',
      plugins: [solid({ ssr: true })],
      root: found.dir
    })
    assert.ok('output' in made)
    return made.output[0].code
  }
  const rendering = join(found.dir, 'solid-server.js')
  writeFileSync(rendering, await made('server.tsx', true))
  const { render } = (await import(pathToFileURL(rendering).href)) as { render(session: object): string }
  await visit(render, await made('client.tsx', false))
})
