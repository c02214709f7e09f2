// The page of all states in several looks: nothing complains, nothing runs out of its place, and the measures are those of the design,
// whatever the fonts of the machine. A look is one visit, because the page has as many inboxes as states.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

import type { BrowserContextOptions, Frame, Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { watchComplaints } from './site.ts'

const DESK = { viewport: { height: 3000, width: 1280 } }
const PHONE = { hasTouch: true, isMobile: true, viewport: { height: 3000, width: 375 } }
/** 640 px at 200 % are 320 px. */
const ZOOMED = { deviceScaleFactor: 2, viewport: { height: 3000, width: 320 } }

interface Visit {
  readonly page: Page
  readonly complaints: readonly string[]
}

/** Goes through the page as a visitor does, until every state was near, was built and has played. */
const goThrough = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const TIMEOUT_MS = 30_000
    const late: string[] = []
    for (const look of document.querySelectorAll<HTMLElement>('.look')) {
      if (look.dataset['look'] === 'done') continue
      look.scrollIntoView({ block: 'start' })
      const until = performance.now() + TIMEOUT_MS
      while (look.dataset['look'] !== 'done' && performance.now() < until)
        await new Promise(requestAnimationFrame)
      if (look.dataset['look'] !== 'done') late.push(look.parentElement!.id)
    }
    scrollTo(0, 0)
    return late
  })

async function visit(
  query: string,
  options: BrowserContextOptions,
  check: (visit: Visit) => Promise<void>
): Promise<void> {
  // The policy would refuse axe itself.
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints = watchComplaints(page)
  await page.goto(`${site.base}/demo/states?${query}`)
  assert.deepEqual(await goThrough(page), [])
  // What is there without a play.
  await page.locator('#cards notif-feed article').nth(5).waitFor()
  await page.locator('#failed .empty-state').waitFor()
  await page.locator('#offline .banner').waitFor()
  await page.locator('#preferences .type').nth(3).waitFor()
  await check({ complaints, page })
  await context.close()
}

/** One state is that of a user whom the server does not know, which the kit says in the console. */
const unexpected = (complaints: readonly string[]): readonly string[] =>
  complaints.filter(text => !/the server refused the connection/.test(text))

/** Elements that overflow their tile horizontally. */
const strays = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const section of document.querySelectorAll('section')) {
      const { left, right } = section.getBoundingClientRect()
      for (const element of section.querySelectorAll('notif-feed, notif-preferences')) {
        // Texts for screen readers are clipped, and rows of a list without a border extend into the margin.
        for (const part of element.shadowRoot!.querySelectorAll(':not(.sr, .sr *, svg *)')) {
          const box = part.getBoundingClientRect()
          if (box.width === 0 || (box.left >= left - 16.5 && box.right <= right + 16.5)) continue
          found.push(`${section.id} ${part.localName}.${part.className} ${box.left}..${box.right}`)
        }
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    return found
  })

async function assertInPlace({ complaints, page }: Visit): Promise<void> {
  assert.deepEqual(await strays(page), [])
  assert.deepEqual(unexpected(complaints), [])
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

async function violations(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(AXE)
  return frame.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(place: Document, options: object): Promise<AxeResult> }
    }
    const { violations } = await axe.run(document, {
      iframes: false,
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    })
    return violations.map(
      ({ id, nodes }) => `${location.search} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join('; ')}`
    )
  })
}

/** Each window of a state is a page of its own. */
async function assertAccessible({ page }: Visit): Promise<void> {
  const found: string[] = []
  for (const frame of page.frames()) found.push(...(await violations(frame)))
  assert.deepEqual(found, [])
}

interface Measures {
  readonly avatar: readonly [start: number, size: number]
  readonly heading: number
  readonly mark: readonly [middle: number, size: number]
  readonly text: number
  readonly timeEnd: number
  readonly heights: readonly number[]
}

/** Distances from the start edge of a feed, in px of the design. */
const measure = (page: Page, place: string): Promise<Measures> =>
  page.locator(`#${place} notif-feed`).evaluate(feed => {
    const frame = feed.getBoundingClientRect()
    const rtl = document.documentElement.dir === 'rtl'
    const root = feed.shadowRoot!
    const box = (selector: string): DOMRect => root.querySelector(selector)!.getBoundingClientRect()
    const start = ({ left, right }: DOMRect): number =>
      Math.round(rtl ? frame.right - right : left - frame.left)
    const end = ({ left, right }: DOMRect): number =>
      Math.round(rtl ? left - frame.left : frame.right - right)
    const mark = box('.mark')
    // The letters, not the box, which has room beside them for the dots of a cut text.
    const title = document.createRange()
    title.selectNodeContents(root.querySelector('.title')!)
    return {
      avatar: [start(box('.avatar')), Math.round(box('.avatar').width)],
      heading: start(box('.heading')),
      heights: [...root.querySelectorAll('article')].map(row =>
        Math.round(row.getBoundingClientRect().height)
      ),
      mark: [start(mark) + 4, mark.width],
      text: start(title.getBoundingClientRect()),
      timeEnd: end(box('.time'))
    }
  })

/** Windows of a state that leave a part of their tile empty. */
const findSmallWindows = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.has-window')
    .evaluateAll(looks =>
      looks
        .filter(look => Math.abs(look.clientHeight - look.firstElementChild!.clientHeight) > 1)
        .map(look => look.parentElement!.id)
    )

async function assertMeasures({ page }: Visit): Promise<void> {
  const { heights, ...edges } = await measure(page, 'pages-at-the-end')
  assert.deepEqual(edges, { avatar: [24, 40], heading: 24, mark: [16, 8], text: 76, timeEnd: 24 })
  // One line of title and none or one of body: the picture and two lines of 20 px, between paddings of 12.
  for (const height of heights) assert.equal(height, 64)
  const bells = await page.locator('#bells-on-paper notif-popup').evaluateAll(popups =>
    popups.slice(0, 4).map(popup => {
      const { height, width } = popup.shadowRoot!.querySelector('.bell')!.getBoundingClientRect()
      const badge = popup.shadowRoot!.querySelector('.badge')!.getBoundingClientRect()
      return [width, height, badge.height, badge.width >= 16]
    })
  )
  assert.deepEqual(
    bells,
    Array.from({ length: 4 }, () => [40, 40, 16, true])
  )
  const cards = await page
    .locator('#cards notif-feed')
    .evaluate(feed =>
      [...feed.shadowRoot!.querySelectorAll('article')].map(card => card.getBoundingClientRect().width)
    )
  assert.ok(cards.every(width => width >= 260 && Math.abs(width - cards[0]!) < 0.1))
}

/** Opens and closes the code of each state. */
const readCodes = (page: Page): Promise<readonly string[]> =>
  page.locator('section.state').evaluateAll(tiles =>
    tiles.flatMap(tile => {
      const button = (view: string) => tile.querySelector<HTMLButtonElement>(`[data-view=${view}]`)!
      const look = tile.querySelector<HTMLElement>('.look')!
      const { height } = tile.getBoundingClientRect()
      const faults: string[] = []
      button('code').click()
      if (!tile.querySelector('.code')?.textContent!.trim()) faults.push('no code')
      if (!look.inert) faults.push('the look can be used behind its code')
      if (tile.getBoundingClientRect().height !== height) faults.push('another height')
      button('look').click()
      if (tile.querySelector('.code') || look.inert) faults.push('the code stays')
      return faults.map(fault => `${tile.id}: ${fault}`)
    })
  )

const findHoles = (page: Page): Promise<readonly string[]> =>
  page.locator('.states').evaluateAll(groups =>
    groups.flatMap(group => {
      const area = [...group.children].reduce((sum, state) => {
        const { height, width } = state.getBoundingClientRect()
        return sum + (height + 16) * (width + 16)
      }, 0)
      const { height, width } = group.getBoundingClientRect()
      const share = area / ((height + 16) * (width + 16))
      return share > 0.99 ? [] : [`${group.previousElementSibling!.textContent} ${share}`]
    })
  )

/** What the play of a state leads to, by the id of the state. */
const PLAYED: Readonly<Record<string, string>> = {
  'a-type-turned-off': '.undo-line',
  'all-archived': '.undo-line.all',
  'all-marked-as-read': '.undo-line.all',
  archived: '[data-tab=archived][aria-pressed=true]',
  'archived-to-be-undone': '.undo-line',
  'not-archived': '.undo-line[data-danger]',
  'not-sent': '.field[data-bad]',
  'nothing-snoozed': '.empty-state',
  'once-a-day-from-now-on': '.undo-line',
  'paused-for-an-hour': '.paused',
  sending: '.field .spin',
  snoozed: 'article',
  'snoozed-to-be-undone': '.undo-line',
  writing: '.field'
}

/** What stands above the page in the window of a state. */
const WINDOWS: Readonly<Record<string, string>> = {
  'fewer-like-this': '.menu:popover-open',
  keys: '.help:popover-open',
  'menu-of-the-inbox': '.menu:popover-open',
  'push-also-when-the-page-is-closed': '.push-row .main',
  'push-is-blocked': '.push-row .quiet',
  snooze: '.menu:popover-open',
  'snooze-until-a-time': '.picker:popover-open',
  'three-and-two-more-in-the-inbox': '.toast >> nth=2',
  toast: '.toast',
  urgent: '.toast.urgent'
}

async function assertPlayed({ page }: Visit): Promise<void> {
  for (const [id, selector] of Object.entries(PLAYED))
    await page.locator(`#${id} notif-feed ${selector}`).first().waitFor()
  for (const [id, selector] of Object.entries(WINDOWS))
    await page.frameLocator(`#${id} iframe`).locator(selector).waitFor()
}

test('light: all states are there and stay, are in their place, have their measures and their code', async () => {
  await visit('scheme=light', DESK, async look => {
    const { page } = look
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'body')
    await assertPlayed(look)
    await assertInPlace(look)
    await assertMeasures(look)
    assert.deepEqual(await findHoles(page), [])
    assert.deepEqual(await findSmallWindows(page), [])
    assert.ok((await page.locator('section.state').count()) > 80)
    assert.deepEqual(await readCodes(page), [])
    await assertAccessible(look)
  })
})

test('dark: axe finds nothing', () => visit('scheme=dark', DESK, assertAccessible))

test('Arabic on a phone: states are in their place, touch targets have 44 px, and axe finds nothing', async () => {
  await visit('lang=ar', PHONE, async look => {
    await assertInPlace(look)
    const small = await look.page.locator('notif-feed').evaluateAll(feeds =>
      feeds.flatMap(feed =>
        [...feed.shadowRoot!.querySelectorAll('button')]
          .map(button => {
            const { height, width } = button.getBoundingClientRect()
            // A larger area than what is drawn.
            const { position, top } = getComputedStyle(button, '::after')
            const beyond = position === 'absolute' ? Math.max(0, -Number.parseFloat(top) || 0) : 0
            return {
              height: height + 2 * beyond,
              name: button.ariaLabel ?? button.textContent!.trim(),
              width
            }
          })
          .filter(({ height, width }) => width > 0 && height < 43.5)
          .map(({ height, name, width }) => `${name} ${width}x${height}`)
      )
    )
    assert.deepEqual(small, [])
    await assertAccessible(look)
  })
})

test('Arabic at a desk: states are mirrored, with the same measures', () =>
  visit('lang=ar', DESK, async look => {
    await assertInPlace(look)
    await assertMeasures(look)
  }))

/** Colours of the system for what has no text: the hours that are not quiet, and a switch that has no effect. */
async function assertForcedColours(page: Page): Promise<void> {
  const settings = page.locator('#groups-channels-and-quiet-hours notif-preferences')
  const colours = await settings.evaluate(({ shadowRoot }) => {
    const probe = document.body.appendChild(document.createElement('i'))
    const system = (name: string): string => {
      probe.style.color = name
      return getComputedStyle(probe).color
    }
    const styleOf = (selector: string): CSSStyleDeclaration =>
      getComputedStyle(shadowRoot!.querySelector(selector)!)
    const colours = [
      [styleOf('.day-bar .day').fill, system('Canvas')],
      [styleOf('.day-bar rect:not(.day)').fill, system('Highlight')],
      [styleOf('.dimmed input').borderTopColor, system('GrayText')]
    ]
    probe.remove()
    return colours
  })
  for (const [painted, expected] of colours) assert.equal(painted, expected)
}

test('German in forced colours, zoomed to 200 %: states are in their place, and drawings have colours of the system', () =>
  visit('lang=de', { ...ZOOMED, forcedColors: 'active' }, async look => {
    await assertInPlace(look)
    await assertForcedColours(look.page)
  }))

test('a visitor gets the first states at once, and the others as they come near', async () => {
  const page = await browser.newPage({ viewport: { height: 800, width: 1280 } })
  await page.goto(`${site.base}/demo/states`)
  await page.locator('#new-since-the-last-look [data-look=done]').waitFor()
  const built = (): Promise<number> => page.locator('.look:not([data-look=waiting])').count()
  assert.ok((await built()) < 20)
  assert.equal(await page.locator('.code').count(), 0)
  await page.locator('#cards').scrollIntoViewIfNeeded()
  await page.locator('#cards article').first().waitFor()
  assert.ok((await built()) < 60, 'states between the two are not built')
  await page.close()
})
