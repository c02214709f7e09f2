// The script tag on different pages: with pinned versions, without its code, twice, and below a path.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import type { Release } from '../../components/package/script.ts'
import { VERSION } from '../../server/process/version.ts'
import { until } from '../support/process.ts'
import {
  CLIENT,
  toUserHash,
  openBrowser,
  openSite,
  createUserId,
  watchComplaints,
  type Site
} from './site.ts'

let browser: Browser
let site: Site
let released: Release

before(async () => {
  site = await openSite()
  browser = await openBrowser()
  released = (await (await fetch(`${site.base}/notif.json`)).json()) as Release
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

const data = (userId: string): string =>
  `data-client-id="${CLIENT}" data-user-id="${userId}" data-user-hash="${toUserHash(userId)}"`

const html = (head: string, more = ''): string =>
  site.host(`<!doctype html><html lang="en"><head><title>Heron</title><link rel="icon" href="data:,">${head}</head>
<body><notif-popup></notif-popup><notif-counter></notif-counter>${more}</body></html>`)

async function open(address: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  await page.goto(address)
  return { complaints, page }
}

const badge = (page: Page, text: string): Promise<void> =>
  page.locator('notif-popup .badge', { hasText: text }).waitFor()

test('if the code of the store cannot be loaded: shows an error, and loads it again by hand, with the network and by itself', async () => {
  const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'by hand': page => page.locator('notif-feed').getByRole('button', { name: 'Try again' }).click(),
    'by itself': async () => {},
    'with the network': page => page.evaluate(() => dispatchEvent(new Event('online')))
  }
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const elements =
    '<notif-counter></notif-counter><notif-feed></notif-feed><notif-preferences></notif-preferences>'
  const provider = `<notif-provider api-url="${site.base}" client-id="${CLIENT}" user-id="${user}"
    user-hash="${toUserHash(user)}">${elements}</notif-provider>`
  const script = `<script type="module" src="${site.base}/notif.js"`
  const pages = [`${script}></script>${provider}`, `${script} ${data(user)}></script>${elements}`]
  await using context = await browser.newContext()
  for (const [index, body] of pages.entries()) {
    // Both load it again in the same way.
    for (const [name, way] of Object.entries(ways).slice(0, index === 0 ? 3 : 1)) {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      // Nothing but this way may help, and least of all the time that passes while it is gone.
      if (name !== 'by itself')
        await page.addInitScript(() => {
          AbortSignal.timeout = () => new AbortController().signal
        })
      let tries = 0
      await page.route('**/assets/live-*.js', route => {
        tries += 1
        return route.abort()
      })
      await page.goto(
        site.host(`<!doctype html><html lang="en"><title>Heron</title>
        <link rel="icon" href="data:,">${body}`)
      )
      const blanks = page.getByRole('button', { name: 'Try again' })
      await until(async () => (await blanks.count()) === 2, `${name}: the feed and the preferences say so`)
      if (name === 'by itself') await until(() => tries > 1, 'it is asked for again')
      await page.unroute('**/assets/live-*.js')
      await way(page)
      await page.locator('notif-feed article', { hasText: 'The first' }).waitFor()
      const news = page.locator('notif-preferences').getByRole('group', { name: 'News' })
      await news.getByRole('switch', { name: 'In app' }).waitFor()
      assert.equal(await blanks.count(), 0, name)
      await page.close()
    }
  }
})

test('if the code of the store cannot be loaded: it can be loaded again after messages or language change', async () => {
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const { page } = await open(
    html(
      `<script>AbortSignal.timeout = () => new AbortController().signal</script>
      <script type="module" src="${site.base}/notif.js"></script>`,
      `<notif-provider api-url="${site.base}" client-id="${CLIENT}" user-id="${user}"
        user-hash="${toUserHash(user)}"><notif-feed></notif-feed></notif-provider>`
    )
  )
  await page.route('**/assets/live-*.js', route => route.abort())
  await page.reload()
  const again = (name: string): Promise<void> =>
    page.locator('notif-feed').getByRole('button', { name }).waitFor()
  await again('Try again')
  await page.locator('notif-provider').evaluate(provider => Object.assign(provider, { lang: 'de' }))
  await again('Erneut versuchen')
  await page
    .locator('notif-provider')
    .evaluate(provider => Object.assign(provider, { messages: { retry: 'Noch einmal' } }))
  await again('Noch einmal')
  await page.unroute('**/assets/live-*.js')
  await page.locator('notif-feed').getByRole('button', { name: 'Noch einmal' }).click()
  await page.locator('notif-feed article', { hasText: 'The first' }).waitFor()
  await page.close()
})

test('defines elements in a shadow root that the page passes, also if they are added later', async () => {
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const { complaints, page } = await open(
    site.host(`<!doctype html><html lang="en"><title>Heron</title><link rel="icon" href="data:,">
      <script type="module" src="${site.base}/notif.js" ${data(user)}></script>
      <script type="module">
        import { serve } from '${site.base}/notif.js'
        const root = document.querySelector('div').attachShadow({ mode: 'open' })
        root.innerHTML = '<notif-counter></notif-counter><p></p>'
        serve(root)
        globalThis.later = () => (root.querySelector('p').innerHTML = '<notif-feed></notif-feed>')
      </script><div></div>`)
  )
  await page.locator('notif-counter .badge', { hasText: '1' }).waitFor()
  await page.evaluate(() => (globalThis as unknown as { later: () => void }).later())
  await page.locator('notif-feed article', { hasText: 'The first' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('notif.json names a script that never changes, with the digests of all modules', async () => {
  assert.equal(released.version, VERSION)
  const answer = await fetch(`${site.base}/${released.script}`)
  assert.match(answer.headers.get('cache-control')!, /immutable/)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  for (const [name, integrity] of [
    [released.script, released.integrity],
    ...Object.entries(released.modules)
  ]) {
    const code = await (await fetch(`${site.base}/${name}`)).text()
    const found = `sha384-${createHash('sha384').update(code).digest('base64')}`
    assert.equal(found, integrity, name)
    for (const [, next] of code.matchAll(/["'`]\.\/((?:assets\/)?[\w.-]+\.js)["'`]/g)) {
      const full = next!.startsWith('assets/') ? next! : `assets/${next}`
      assert.ok(released.modules[full], `${name} loads ${full}, which is not listed`)
    }
  }
})

test('a page with pinned version and digests works, and a wrong digest loads nothing', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Pinned' })
  const tag = (integrity: string, modules: Readonly<Record<string, string>>): string => {
    const map = Object.fromEntries(
      Object.entries(modules).map(([name, one]) => [`${site.base}/${name}`, one])
    )
    return `<script type="importmap">${JSON.stringify({ integrity: map })}</script>
<script type="module" crossorigin integrity="${integrity}" src="${site.base}/${released.script}" ${data(userId)}></script>`
  }
  const { complaints, page } = await open(html(tag(released.integrity, released.modules)))
  await badge(page, '1')
  assert.deepEqual(complaints, [])
  await page.close()

  const wrong = `sha384-${createHash('sha384').update('other').digest('base64')}`
  for (const head of [
    tag(wrong, released.modules),
    tag(released.integrity, Object.fromEntries(Object.keys(released.modules).map(name => [name, wrong])))
  ]) {
    const other = await open(html(head))
    await other.page.waitForLoadState('networkidle')
    assert.equal(await other.page.evaluate(() => customElements.get('notif-popup')), undefined)
    assert.match(other.complaints.join(), /integrity/)
    await other.page.close()
  }
})

test('warns if a tag has no client id or an empty one', async () => {
  for (const id of ['', 'data-client-id=""', `data-client-id="${CLIENT}"`]) {
    const page = await browser.newPage()
    const warning = page.waitForEvent('console', { timeout: 30_000 })
    const user = id.includes(CLIENT) ? '' : `data-user-id="${createUserId()}"`
    await page.goto(html(`<script type="module" src="${site.base}/notif.js" ${id} ${user}></script>`))
    assert.match((await warning).text(), /needs clientId and userId/, `${id} ${user}`)
    await page.close()
  }
})

test('warns with the right names if attributes lack their dashes', async () => {
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  await page.goto(
    html(`<script type="module" src="${site.base}/notif.js" data-clientId="c" data-userId="u"></script>`)
  )
  await until(async () => complaints.length > 1, 'both are named')
  assert.deepEqual(complaints, [
    '<script> data-clientid is ignored: the attribute is data-client-id.',
    '<script> data-userid is ignored: the attribute is data-user-id.'
  ])
  await page.close()
})

test('Trusted Types: all works with the policy of Lit, and with none only bell and counter', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Under a policy' })
  const openUnder = async (policies: string): Promise<{ errors: string[]; page: Page }> => {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', line => void (line.type() === 'error' && errors.push(line.text())))
    page.on('pageerror', error => void errors.push(error.message))
    await page.goto(
      html(
        `<meta http-equiv="content-security-policy" content="require-trusted-types-for 'script'; trusted-types ${policies}">
<script type="module" src="${site.base}/notif.js" ${data(userId)}></script>
`
      )
    )
    return { errors, page }
  }

  const none = await openUnder("'none'")
  await badge(none.page, '1')
  await none.page.locator('notif-counter .badge', { hasText: '1' }).waitFor()
  assert.deepEqual(none.errors, [])
  await none.page.locator('notif-popup .bell').click()
  await until(() => none.errors.length > 0, 'the console says why the panel stays away')
  assert.match(none.errors[0]!, /lit-html/)
  assert.equal(await none.page.locator('notif-popup article').count(), 0)
  await none.page.close()

  // The policy of the service worker is created when somebody subscribes to web push.
  const listed = await openUnder('lit-html')
  await badge(listed.page, '1')
  await listed.page.locator('notif-popup .bell').click()
  await listed.page.locator('notif-popup article', { hasText: 'Under a policy' }).waitFor()
  assert.deepEqual(listed.errors, [])
  await listed.page.close()
})

test('the first of two copies is used, also with Trusted Types, with one warning', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Only once' })
  // The same files from another origin are other modules, as those of another version are.
  const second = site.base.replace('127.0.0.1', 'localhost')
  const page = await browser.newPage()
  const complaints = watchComplaints(page)
  const asked: string[] = []
  const note = (url: string): void => void (url.includes(new URL(second).host) && asked.push(url))
  page.on('request', request => note(request.url()))
  page.on('websocket', socket => note(socket.url()))
  await page.goto(
    html(
      `<meta http-equiv="content-security-policy"
  content="require-trusted-types-for 'script'; trusted-types lit-html notif-kit-worker">
<script type="module" src="${site.base}/notif.js" ${data(userId)}></script>
<script type="module" src="${second}/notif.js" ${data(userId)}></script>`,
      // The feed marks nothing as seen, so the bell keeps its number until it is opened.
      '<notif-feed mark-opened="never"></notif-feed>'
    )
  )
  await badge(page, '1')
  await page.waitForLoadState('networkidle')
  await site.send(userId, { title: 'Live' })
  await badge(page, '2')
  await page.locator('notif-counter .badge', { hasText: '2' }).waitFor()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article', { hasText: 'Live' }).waitFor()
  assert.equal(await page.locator('notif-popup article').count(), 2)
  await page.locator('notif-feed article', { hasText: 'Live' }).waitFor()
  await page.locator('notif-counter .badge').waitFor({ state: 'hidden' })
  assert.deepEqual(complaints, ['notif-kit is on this page twice: the copy that came first is used.'])
  assert.deepEqual(
    asked.filter(url => !url.endsWith('.js')),
    [],
    'the second one says who its user is, too, and connects nobody'
  )
  await page.close()

  const alone = await open(
    html(`<script type="module" src="${site.base}/notif.js"></script>
<script type="module" src="${second}/notif.js" ${data(userId)}></script>`)
  )
  await site.send(userId, { title: 'One more' })
  await badge(alone.page, '1')
  await alone.page.close()

  const same = await open(
    html(`<script type="module" src="${site.base}/notif.js" ${data(userId)}></script>
<script type="module" src="${site.base}/${released.script}"></script>`)
  )
  await same.page.locator('notif-popup .bell').waitFor()
  await same.page.waitForLoadState('networkidle')
  assert.deepEqual(same.complaints, [], 'an address with a version is no other copy')
  await same.page.close()
})

test('a script below a path uses the server below that path', async () => {
  await using below = await openSite({ NOTIF_PUBLIC_URL: 'https://example.com/kit' })
  const userId = createUserId()
  await below.send(userId, { title: 'Below' })
  const page = await browser.newPage()
  const asked: string[] = []
  const note = (url: string): void => void (new URL(url).origin.endsWith(`:${port}`) && asked.push(url))
  const { port } = new URL(below.base)
  page.on('request', request => note(request.url()))
  page.on('websocket', socket => note(socket.url()))
  const tag = `<script type="module" src="${below.base}/kit/notif.js" ${data(userId)}></script>`
  await page.goto(
    below.host(`<!doctype html><html lang="en"><title>Heron</title><link rel="icon" href="data:,">${tag}
<notif-popup></notif-popup><notif-provider client-id="${CLIENT}" user-id="${userId}" user-hash="${toUserHash(userId)}"
><notif-counter></notif-counter></notif-provider></html>`)
  )
  await badge(page, '1')
  await page.locator('notif-counter .badge', { hasText: '1' }).waitFor()
  await below.send(userId, { title: 'Live' })
  await badge(page, '2')
  assert.ok(asked.some(url => url.startsWith('ws:')))
  assert.deepEqual(
    asked.filter(url => !new URL(url).pathname.startsWith('/kit/')),
    []
  )
  await page.close()
})
