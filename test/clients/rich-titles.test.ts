// Titles with mark-up in unmodified clients of the hosted product and in our elements, in a real Chromium: templates may have bold
// words and links, values are text, and nothing of 1,000 hostile titles runs.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { caseCount, random } from '../support/random.ts'
import { ensureLegacySdk, LEGACY_SDK } from './legacy-sdk-packages.ts'
import { openHost, type Host } from './page.ts'
import { openTls, type Tls } from './tls.ts'
import { SECURE, startTwoModes, type TwoModes } from './two-modes.ts'

const REACT_APP = `
import { createRoot } from 'react-dom/client'
import { NotificationAPIProvider as Provider, NotificationFeed as Feed } from '@notificationapi/react'
const Probe = () => {
  globalThis.items = Provider.useNotificationAPIContext().notifications
  return null
}
globalThis.mount = config => createRoot(document.getElementById('root')).render(
  <Provider {...config} webPushOptInMessage={false}>
    <Probe />
    <Feed pagination="PAGINATED" pageSize={1000} />
  </Provider>
)`
const LEGACY_APP = `
import NotificationAPI from 'notificationapi-js-client-sdk'
globalThis.NotificationAPI = NotificationAPI`
const KIT_APP = `
import '../../components/all.ts'
import { configure } from '../../components/index.ts'
globalThis.mount = config => {
  configure(config)
  document.getElementById('root').innerHTML = '<notif-feed page-size="1000"></notif-feed>'
}`

let site: TwoModes
let tls: Tls
let react: Host
let legacy: Host
let kit: Host
before(async () => {
  ensureLegacySdk()
  site = await startTwoModes()
  tls = await openTls(site.base)
  const loader = { '.woff': 'empty', '.woff2': 'empty' } as const
  react = await openHost(REACT_APP, LEGACY_SDK, { jsx: 'automatic', loader })
  legacy = await openHost(LEGACY_APP, import.meta.dirname)
  const define = { 'import.meta.url': '"https://app.example/app.js"', 'process.env.NODE_ENV': '"production"' }
  kit = await openHost(KIT_APP, import.meta.dirname, { define })
})
after(async () => {
  for (const opened of [kit, legacy, react, tls, site]) await opened?.[Symbol.asyncDispose]()
})

const hashFor = (userId: string) => site.hashFor(SECURE, userId)

async function openPage(host: Host): Promise<Page> {
  const page = await host.open()
  await page.evaluate('globalThis.hits = 0; globalThis.hit = () => { globalThis.hits += 1 }')
  return page
}

async function openReact(userId: string): Promise<Page> {
  const page = await openPage(react)
  const config = {
    apiURL: tls.host,
    clientId: SECURE.clientId,
    hashedUserId: await hashFor(userId),
    userId,
    wsURL: tls.host
  }
  await page.evaluate(`mount(${JSON.stringify(config)})`)
  return page
}

async function openLegacy(userId: string): Promise<Page> {
  const page = await openPage(legacy)
  const options = {
    clientId: SECURE.clientId,
    restBaseURL: site.base,
    userId,
    userIdHash: await hashFor(userId),
    websocket: site.base.replace('http', 'ws')
  }
  await page.evaluate(`globalThis.client = new NotificationAPI(${JSON.stringify(options)})`)
  await page.evaluate("client.showInApp({ root: 'root', inline: true })")
  return page
}

async function openKit(userId: string): Promise<Page> {
  const page = await openPage(kit)
  const config = { apiUrl: site.base, clientId: SECURE.clientId, userHash: await hashFor(userId), userId }
  await page.evaluate(`mount(${JSON.stringify(config)})`)
  return page
}

test('a template has bold text and a link, its values are text, stored and live', async () => {
  const userId = 'reader'
  const ours = site.ours(SECURE)
  await ours.putType('comment', {
    templates: {
      inapp: {
        body: 'On `{{ doc }}`: [open]({{ url }})',
        title: '<b>{{ author }}</b> commented<br>**today**'
      }
    },
    title: 'Comment'
  })
  const send = (author: string) =>
    ours.send({
      parameters: { author, doc: '<u>x</u>', url: 'https://heron.example/1' },
      to: { id: userId },
      type: 'comment'
    })
  await send('<i>Amara</i>')
  const pages = [await openReact(userId), await openLegacy(userId), await openKit(userId)]
  for (const page of pages) await page.locator('b', { hasText: '<i>Amara</i>' }).waitFor()
  await send('{{ 7 | times: 7 }} <i>Live</i>')
  const [first, second, own] = pages as [Page, Page, Page]
  for (const page of [first, own])
    await page.locator('b', { hasText: '{{ 7 | times: 7 }} <i>Live</i>' }).waitFor()
  await second.evaluate('client.state.notifications.length')
  for (const page of pages) {
    assert.equal(await page.locator('i').count(), 0)
    assert.ok((await page.locator('b', { hasText: 'today' }).count()) > 0)
  }
  assert.ok((await first.locator('br').count()) > 0)
  assert.equal(
    await own.locator('.title').first().textContent(),
    '{{ 7 | times: 7 }} <i>Live</i> commented\ntoday'
  )
  assert.equal(await own.locator('.body code').first().textContent(), '<u>x</u>')
  assert.equal(await own.locator('.body a').first().getAttribute('href'), 'https://heron.example/1')
  for (const page of pages) await page.close()
})

const next = random()
const pick = <T>(list: readonly T[]): T => list[next(list.length)]!

const PIECES =
  `<b>|</b>|<i>|</i>|<code>|**|\`|<br>|<a href="|">|</a>|<a href='|'>|[x](|[|](|)|https://a.example/|javascript:hit()|
  data:text/html,<script>hit()</script>|<script>hit()</script>|<img src=x onerror=hit()>|<svg/onload=hit()>|<a href=x onclick=hit()>|
  <b onmouseover=hit() style=x>|" onfocus="hit()|' onfocus='hit()|<iframe srcdoc="<script>hit()</script>">|</title></textarea>|
  &lt;script&gt;hit()&lt;/script&gt;|&#60;|&#123;&#123;|{|}|<|>|&|%|\\|-->|<!--|text`
    .split('|')
    .map(piece => piece.trim())
const LIQUID = [
  '{{ v }}',
  '{{ w }}',
  '{{ v | raw }}',
  '{{ v | append: w }}',
  '{{ v | url_decode }}',
  '{% if w %}{{ v }}{% endif %}',
  '{% capture c %}<b>{{ v }}</b>{% endcapture %}{{ c | upcase }}{{ c | split: "" | join: "" }}',
  '{% raw %}{{ v }}<b>{% endraw %}'
]
const join = (list: readonly string[], most: number): string =>
  Array.from({ length: 1 + next(most) }, () => pick(list)).join('')
const template = (): string =>
  `${join([...PIECES, ...LIQUID, ...LIQUID], 12)}<b>{{ v }}</b>${join(PIECES, 4)}`
const value = (): string => join([...PIECES, '{{ w }}', '{%', '%}', '{{'], 8)

/** What a title may consist of in any client; anything else would be mark-up of a value. */
const findForbidden = (root: string) => `
  [${root}].flatMap(root => root ? [...root.querySelectorAll('*')] : []).flatMap(element => {
    const bad = [...element.attributes].filter(({ name, value }) =>
      name.startsWith('on') || name === 'srcdoc' || /^\\s*(?:javascript|data|vbscript):/i.test(value))
    return /^(?:SCRIPT|IFRAME|TITLE|TEXTAREA|OBJECT)$/.test(element.tagName) || bad.length > 0 ? [element.outerHTML] : []
  })`

test('1,000 hostile titles run no script in any client', async () => {
  const userId = 'target'
  const ours = site.ours(SECURE)
  const titles = caseCount(1_000)
  const perTemplate = 5
  let stored = 0
  for (let i = 0; stored < titles; i++) {
    const title = template()
    try {
      await ours.putType('hostile', { templates: { inapp: { body: title, title } }, title: 'Hostile' })
    } catch {
      // Not Liquid.
      continue
    }
    const sends = Array.from({ length: perTemplate }, () =>
      ours.send({ parameters: { v: value(), w: value() }, to: { id: userId }, type: 'hostile' })
    )
    // Some cannot be rendered, such as one that decodes a malformed address.
    for (const { messages } of await Promise.all(sends)) if (messages.length === 0) stored += 1
    assert.ok(i < titles, 'most templates can be stored')
  }
  const { items } = await ours.listInApp(userId, { count: 1_000 })
  assert.ok(items.filter(item => item.titleRuns).length > items.length / 2, 'most have mark-up')
  const count = items.length

  const seed = `TEST_SEED=${next.seed}`
  const reactPage = await openReact(userId)
  await reactPage.waitForFunction(`globalThis.items?.length === ${count}`)
  await reactPage.waitForFunction(`document.querySelectorAll('#root b').length > ${count / 2}`)
  const legacyPage = await openLegacy(userId)
  await legacyPage.waitForFunction(
    `(client.requestMoreNotifications(), document.querySelectorAll('.notificationapi-notification').length >= ${count})`,
    undefined,
    { polling: 600, timeout: 60_000 }
  )
  const kitPage = await openKit(userId)
  await kitPage.waitForFunction(
    `document.querySelector('notif-feed').shadowRoot.querySelectorAll('article').length === ${count}`
  )
  const roots = [
    [reactPage, "document.getElementById('root')"],
    [legacyPage, "document.getElementById('root')"],
    [kitPage, "document.querySelector('notif-feed').shadowRoot"]
  ] as const
  for (const [page, root] of roots) {
    assert.deepEqual(await page.evaluate(findForbidden(root)), [], seed)
    // A press of every link, whose address the page would leave for.
    await page.evaluate(`for (const link of ${root}.querySelectorAll('b, a, code, i')) {
      for (const type of ['mouseover', 'focus', 'pointerdown']) link.dispatchEvent(new Event(type))
    }`)
    assert.equal(await page.evaluate('hits'), 0, seed)
  }
  // Our elements show exactly the title, so no value became an element.
  const shown: readonly string[] = await kitPage.evaluate(
    "[...document.querySelector('notif-feed').shadowRoot.querySelectorAll('article')].map(row => row.querySelector('.title').textContent)"
  )
  const expected = items.map(({ title }) => title)
  assert.deepEqual(shown, expected, seed)
  for (const [page] of roots) await page.close()
})

test('the pages logged no other errors', () => {
  for (const { complaints } of [react, legacy, kit]) {
    assert.deepEqual(
      complaints.filter(text => !/net::ERR/.test(text)),
      []
    )
  }
})
