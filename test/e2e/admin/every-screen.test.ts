// Every screen of the dashboard: without faults in light, dark and on a phone, complete by keyboard, and alone on a page of a company.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { smtpPeer, type Peer } from '../../channels/email/smtp-peer.ts'
import { until } from '../../support/process.ts'
import { openBrowser, openSite, type Site } from '../site.ts'
import { findAxeFaults } from './dashboard.ts'
import { ADMIN_TOKEN, signInWithToken } from './sign-in.ts'

let browser: Browser
let peer: Peer
let site: Site
let trackingId: string

const USER = 'amara'

const asAdmin = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(site.base + path, {
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    method
  })

before(async () => {
  peer = await smtpPeer()
  site = await openSite({
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_EMAIL_FROM: 'ferries@heron.example',
    NOTIF_SMTP_URL: peer.url
  })
  browser = await openBrowser()
  await asAdmin('PUT', '/heron/notifications/timetable', {
    templates: {
      EMAIL: { html: '<p>It leaves at {{ now }}.</p>', subject: 'It leaves at {{ now }}' },
      INAPP_WEB: { title: 'Leaves at {{ now }}' },
      SMS: { message: 'Leaves at {{ now }}' }
    },
    title: 'Timetable changes'
  })
  await site.post(`/heron/users/${USER}`, { email: 'data-550@heron.example', number: '+4915123456789' })
  const send = { parameters: { now: '19:05' }, to: { id: USER }, type: 'timetable' }
  const answer = await site.post('/heron/sender', send)
  trackingId = ((await answer.json()) as { trackingId: string }).trackingId
  await site.post('/heron/sender', { ...send, schedule: new Date(Date.now() + 86_400_000).toISOString() })
  const countDead = async (): Promise<number> => {
    const letters = await asAdmin('GET', '/heron/dead-letters')
    return ((await letters.json()) as { deadLetters: unknown[] }).deadLetters.length
  }
  await until(async () => (await countDead()) > 0, 'a dead letter')
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

/** Page, and what stands on it when it has loaded. */
const screens = (): readonly (readonly [page: string, text: string])[] => [
  ['now', 'Channels'],
  ['sends', 'timetable'],
  [`sends/${trackingId}`, 'What happened when'],
  ['dead-letters?channel=EMAIL&code=550', USER],
  ['users', 'data-550@heron.example'],
  [`users/${USER}`, 'What waits'],
  ['types', 'Timetable changes'],
  ['types/timetable', 'Variables'],
  ['schedules', 'Digests'],
  ['settings', 'Set for this server'],
  ['sandbox', 'Messages'],
  ['first-run', 'Put the bell into your page']
]

async function goTo(page: Page, path: string, text: string): Promise<void> {
  await page.goto(`${site.base}/admin/heron/${path}`)
  await page.locator('main').getByText(text).first().waitFor()
  await page.waitForLoadState('networkidle')
}

const MODES = {
  dark: { colorScheme: 'dark' as const },
  light: {},
  phone: { hasTouch: true, viewport: { height: 844, width: 390 } }
}

for (const [name, options] of Object.entries(MODES)) {
  test(`axe finds no fault and nothing scrolls sideways, ${name}`, async () => {
    // The policy would refuse axe itself.
    await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/now`, {
      ...options,
      bypassCSP: true
    })
    const { page } = dashboard
    const faults: Record<string, readonly string[]> = {}
    for (const [path, text] of screens()) {
      await goTo(page, path, text)
      const found = await findAxeFaults(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const all = overflow > 0 ? [...found, `${overflow} px too wide`] : found
      if (all.length > 0) faults[path] = all
    }
    assert.deepEqual(faults, {})
  })
}

/** Presses Tab until the focus has gone round. @returns what can be used and never had the focus */
async function findUnreached(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const seen = new Set<Element>()
    const deepActive = (): Element | null => {
      let active = document.activeElement
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
      return active
    }
    const list = (root: ParentNode): Element[] => {
      const own = [...root.querySelectorAll('*')]
      return own.concat(own.flatMap(({ shadowRoot }) => (shadowRoot ? list(shadowRoot) : [])))
    }
    const isUsable = (one: Element): one is HTMLElement =>
      one instanceof HTMLElement &&
      one.tabIndex >= 0 &&
      one.matches('button, a[href], input, select, textarea, summary, [tabindex], [contenteditable=true]') &&
      !one.matches(':disabled') &&
      one.checkVisibility({ visibilityProperty: true })
    /** One of a group of radios has the focus for all. */
    const isReached = (one: HTMLElement): boolean =>
      seen.has(one) ||
      (one instanceof HTMLInputElement &&
        one.type === 'radio' &&
        [...seen].some(
          other =>
            other instanceof HTMLInputElement &&
            other.name === one.name &&
            other.getRootNode() === one.getRootNode()
        ))
    Object.assign(globalThis, {
      listUnreached: () =>
        list(document)
          .filter(isUsable)
          .filter(one => !isReached(one))
          .map(
            one =>
              `${one.localName} ${one.title || one.getAttribute('aria-label') || one.textContent?.trim()}`
          ),
      noteFocus: () => {
        const active = deepActive()
        if (!active || active === document.body) return true
        const isFirst = seen.size > 0 && active === [...seen][0]
        seen.add(active)
        return isFirst
      }
    })
    ;(deepActive() as HTMLElement | null)?.blur()
  })
  for (let count = 0, ends = 0; count < 400 && ends < 2; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => (globalThis as unknown as { noteFocus(): boolean }).noteFocus())) ends++
  }
  return page.evaluate(() => (globalThis as unknown as { listUnreached(): string[] }).listUnreached())
}

test('Tab reaches everything on every screen', async () => {
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/now`)
  const { page } = dashboard
  const unreached: Record<string, readonly string[]> = {}
  for (const [path, text] of screens()) {
    await goTo(page, path, text)
    const found = await findUnreached(page)
    if (found.length > 0) unreached[path] = found
  }
  assert.deepEqual(unreached, {})
})

/** The element with the focus, through shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active === null || active === document.body ? '' : `${active.localName} ${active.className}`
  })

test('keys go to every screen, open and close palette and list of keys, and never lose the focus', async () => {
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/now`)
  const { page } = dashboard
  await page.getByRole('heading', { level: 1 }).waitFor()
  const pages = {
    ',': 'settings',
    c: 'schedules',
    d: 'dead-letters',
    f: 'first-run',
    n: 'now',
    s: 'sends',
    t: 'types',
    u: 'users',
    x: 'sandbox'
  }
  for (const [key, name] of Object.entries(pages)) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await page.waitForURL(url => url.pathname.endsWith(`/${name}`))
    await page.locator(`notif-admin-${name}`).getByRole('heading', { level: 1 }).first().waitFor()
    assert.equal(await focused(page), 'main sheet', name)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to or do' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await focused(page), 'main sheet', `${name}, after the palette`)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Search or jump to').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await focused(page), 'main sheet', `${name}, after the list of keys`)
  }
  // Lists: / goes to the field, Escape and j to the rows, Enter opens.
  for (const [key, list, item] of [
    ['u', 'users', 'user'],
    ['t', 'types', 'type'],
    ['s', 'sends', 'send']
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    // The screen before stays until the code of this one is loaded.
    await page.locator(`notif-admin-${list} tbody tr[data-id]`).first().waitFor()
    await page.keyboard.press('/')
    assert.match(await focused(page), /^input/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await page.locator('tr.chosen').waitFor()
    await page.locator('main').evaluate(main => main.focus())
    await page.keyboard.press('Enter')
    await page.locator(`notif-admin-${item}`).getByRole('heading', { level: 1 }).waitFor()
  }
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.notEqual(await focused(page), '')
  assert.deepEqual(dashboard.complaints(), [])
})

test('every screen works alone on a page of a company, with an API key', async () => {
  const answer = await asAdmin('POST', '/environments/heron/keys', { name: 'Back office', scopes: ['all'] })
  const { key } = (await answer.json()) as { key: string }
  await using context = await browser.newContext()
  const page = await context.newPage()
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  // Of the same origin, as behind a proxy of the company.
  await page.route('**/office', route =>
    route.fulfill({
      body: '<!doctype html><html lang="en"><title>Office</title><link rel="icon" href="data:,"><script type="module" src="/notif-admin.js"></script>',
      contentType: 'text/html'
    })
  )
  const attributes: Record<string, string> = {
    send: `tracking-id="${trackingId}"`,
    type: 'type-id="timetable"',
    user: `user-id="${USER}"`
  }
  for (const [path, text] of screens()) {
    const [name = '', item] = path.replace(/\?.*/, '').split('/')
    if (name === 'settings') continue
    const screen = item === undefined ? name : name.slice(0, -1)
    const query = path.split('?')[1] ?? ''
    await page.goto(`${site.base}/office`)
    await page.evaluate(
      ([markup, token]) => {
        document.body.innerHTML = markup!
        Object.assign(document.body.firstElementChild!, { auth: () => token })
      },
      [
        `<notif-admin-${screen} client-id="heron" query="${query}" ${attributes[screen] ?? ''}></notif-admin-${screen}>`,
        key
      ]
    )
    await page.locator(`notif-admin-${screen}`).getByText(text).first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  assert.deepEqual(refused, [])
})
