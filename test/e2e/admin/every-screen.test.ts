// Every screen of the dashboard: without faults in light, dark and on a phone, complete by keyboard, and alone on a page of a company.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openBrowser, type Site } from '../site.ts'
import { findAxeFaults } from './dashboard.ts'
import { openFerryCompany, type FerryCompany } from './ferry-company.ts'
import { signInWithToken } from './sign-in.ts'

let browser: Browser
let company: FerryCompany
let site: Site

const USER = 'amara.osei'

before(async () => {
  company = await openFerryCompany()
  ;({ site } = company)
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await company?.[Symbol.asyncDispose]()
})

/** Page, and what stands on it when it has loaded. */
const screens = (): readonly (readonly [page: string, text: string])[] => [
  ['now', 'Channels'],
  ['sends', 'timetable_change'],
  [`sends/${company.failed}`, 'What happened when'],
  ['dead-letters?channel=EMAIL&code=550', 'jonas.lind'],
  ['users', 'tomas@heron.example'],
  [`users/${USER}`, 'What waits'],
  ['types', 'Timetable changes'],
  ['types/timetable_change', 'Variables'],
  ['broadcasts', 'Who it reaches'],
  ['schedules', 'Digests'],
  ['settings', 'Set for this server'],
  ['sandbox', 'Messages'],
  ['first-run', 'The inbox of']
]

async function goTo(page: Page, path: string, text: string): Promise<void> {
  await page.goto(`${site.base}/admin/heron/${path}`)
  await page.locator('main').getByText(text).first().waitFor()
  await page.waitForLoadState('networkidle')
}

const sideways = async (page: Page, name: string): Promise<readonly string[]> => {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return overflow > 0 ? [`${name}: ${overflow} px too wide`] : []
}

const setDirection = (page: Page, direction: 'ltr' | 'rtl'): Promise<void> =>
  page.evaluate(dir => {
    document.documentElement.dir = dir
  }, direction)

/** Sentences whose full stop does not stand at their end: our words are English, whatever the direction of the page. */
const findTurnedSentences = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const textsOf = (root: ParentNode): Text[] => {
      const all = [...root.querySelectorAll('*')]
      const own = all.flatMap(({ childNodes }) => [...childNodes].filter(node => node instanceof Text))
      return own.concat(all.flatMap(({ shadowRoot }) => (shadowRoot ? textsOf(shadowRoot) : [])))
    }
    /** What only a screen reader has is a pixel wide. */
    const isSeen = (one: Element | null): boolean => (one?.getBoundingClientRect().width ?? 0) > 2
    const place = (text: Text, at: number): DOMRect => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect()
    }
    return textsOf(document)
      .filter(({ data, parentElement }) => /[a-z]\.$/.test(data) && isSeen(parentElement))
      .filter(text => place(text, text.length - 1).left < place(text, text.length - 2).left)
      .map(({ data }) => `turned: ${data.trim()}`)
  })

/** One load of each screen, then all looks of it. */
async function findFaults(
  options: BrowserContextOptions,
  look: (page: Page) => Promise<readonly string[]>
): Promise<Record<string, readonly string[]>> {
  // The policy would refuse axe itself.
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/now`, {
    ...options,
    bypassCSP: true
  })
  const faults: Record<string, readonly string[]> = {}
  for (const [path, text] of screens()) {
    await goTo(dashboard.page, path, text)
    // A colour on its way to another one is neither.
    await dashboard.page.addStyleTag({ content: ':root { --notif-fast: 0s }' })
    const found = await look(dashboard.page)
    if (found.length > 0) faults[path] = found
  }
  return faults
}

test('axe finds no fault and nothing scrolls sideways: light, dark, forced colours, right to left', async () => {
  const faults = await findFaults({}, async page => {
    const found = [...(await findAxeFaults(page)), ...(await sideways(page, 'light'))]
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await findAxeFaults(page, ['color-contrast'])))
    // Axe reads the colours that are not forced.
    await page.emulateMedia({ forcedColors: 'active' })
    found.push(...(await sideways(page, 'forced colours')))
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    await setDirection(page, 'rtl')
    return [...found, ...(await sideways(page, 'right to left')), ...(await findTurnedSentences(page))]
  })
  assert.deepEqual(faults, {})
})

test('axe finds no fault and nothing scrolls sideways on a phone, also right to left and in forced colours', async () => {
  const phone = { hasTouch: true, viewport: { height: 844, width: 390 } }
  const faults = await findFaults(phone, async page => {
    const found = [...(await sideways(page, 'phone'))]
    await setDirection(page, 'rtl')
    found.push(...(await findAxeFaults(page)), ...(await sideways(page, 'right to left')))
    await page.emulateMedia({ forcedColors: 'active' })
    found.push(...(await sideways(page, 'forced colours')))
    await page.emulateMedia({ forcedColors: 'none' })
    return found
  })
  assert.deepEqual(faults, {})
})

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
    let ends = 0
    // The key is released on what has got the focus.
    document.addEventListener('keyup', () => {
      const active = deepActive()
      if (!active || active === document.body || active === [...seen][0]) ends++
      if (active) seen.add(active)
    })
    Object.assign(globalThis, {
      listUnreached: () =>
        list(document)
          .filter(isUsable)
          .filter(one => !isReached(one))
          .map(
            one =>
              `${one.localName} ${one.title || one.getAttribute('aria-label') || one.textContent?.trim()}`
          ),
      hasGoneRound: () => ends > 1
    })
    ;(deepActive() as HTMLElement | null)?.blur()
  })
  const hasGoneRound = (): Promise<boolean> =>
    page.evaluate(() => (globalThis as unknown as { hasGoneRound(): boolean }).hasGoneRound())
  for (let count = 0; count < 400; count++) {
    await page.keyboard.press('Tab')
    if (count % 20 === 19 && (await hasGoneRound())) break
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
  const { key } = (await company.call('POST', '/environments/heron/keys', {
    name: 'Back office',
    scopes: ['all']
  })) as { key: string }
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
    send: `tracking-id="${company.failed}"`,
    type: 'type-id="timetable_change"',
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
