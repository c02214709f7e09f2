// The page of all states in every look: nothing complains, nothing runs out of its place, and the measures are those of
// the design, whatever the fonts of the machine.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

import type { BrowserContextOptions, Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { watchComplaints } from './site.ts'

/** All is in sight, because a state that somebody has to bring about is played when it comes into sight. */
const TALL = { height: 24_000, width: 1280 }
const PHONE = { hasTouch: true, isMobile: true, viewport: { height: 60_000, width: 375 } }

const LOOKS: Readonly<Record<string, { readonly query: string; readonly options?: BrowserContextOptions }>> =
  {
    arabic: { query: 'lang=ar' },
    dark: { query: 'scheme=dark' },
    'forced colours': { options: { forcedColors: 'active' }, query: '' },
    german: { query: 'lang=de' },
    light: { query: 'scheme=light' },
    phone: { options: PHONE, query: '' },
    'phone, arabic': { options: PHONE, query: 'lang=ar' },
    // 640 px at 200 % are 320 px.
    'zoomed to 200 %': {
      options: { deviceScaleFactor: 2, viewport: { height: 60_000, width: 320 } },
      query: 'lang=de'
    }
  }

async function open(
  look: keyof typeof LOOKS,
  more: BrowserContextOptions = {}
): Promise<{ page: Page; complaints: readonly string[] }> {
  const { options, query } = LOOKS[look]!
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: TALL, ...options, ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints = watchComplaints(page)
  await page.goto(`${site.base}/demo/states?${query}`)
  await page.locator('[data-play=waiting]').first().waitFor({ state: 'detached', timeout: 60_000 })
  await page.locator('#cards notif-feed article').nth(5).waitFor()
  await page.locator('#failed .empty-state').waitFor()
  await page.locator('#offline .banner').waitFor()
  await page.locator('#a-list-of-the-page article').nth(1).waitFor()
  await page.locator('#preferences .type').nth(3).waitFor()
  await page.locator('#preferences-that-did-not-load .empty-state').waitFor()
  return { complaints, page }
}

/** One state is that of a user whom the server does not know, which the kit says in the console. */
const unexpected = (complaints: readonly string[]): readonly string[] =>
  complaints.filter(text => !/the server refused the connection/.test(text))

/** Elements that overflow their section horizontally. */
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

for (const look of Object.keys(LOOKS)) {
  test(`no state overflows, ${look}`, async () => {
    const { complaints, page } = await open(look)
    assert.deepEqual(await strays(page), [])
    assert.deepEqual(unexpected(complaints), [])
    await page.context().close()
  })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

for (const look of ['light', 'dark', 'arabic', 'phone']) {
  test(`axe finds nothing, ${look}`, async () => {
    const { page } = await open(look, { bypassCSP: true })
    for (const frame of page.frames()) await frame.evaluate(AXE)
    const said = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(place: Document, options: object): Promise<Result> }
      }
      interface Result {
        readonly violations: readonly {
          readonly id: string
          readonly nodes: readonly { readonly html: string }[]
        }[]
      }
      const { violations } = await axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      })
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join('; ')}`
      )
    })
    assert.deepEqual(said, [])
    await page.context().close()
  })
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

for (const look of ['light', 'arabic', 'german']) {
  test(`edges are aligned and rows have the designed height, ${look}`, async () => {
    const { page } = await open(look)
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
    await page.context().close()
  })
}

test('every state has its code, and its look stays as it is meanwhile', async () => {
  const { complaints, page } = await open('light')
  const sections = page.locator('section.state')
  assert.ok((await sections.count()) > 70)
  for (const section of await sections.all()) {
    const height = (await section.boundingBox())!.height
    await section.getByRole('button', { name: 'Code' }).click()
    assert.notEqual((await section.locator('.code').innerText()).trim(), '')
    assert.ok(await section.locator('.look').evaluate(look => (look as HTMLElement).inert))
    assert.equal((await section.boundingBox())!.height, height)
    await section.getByRole('button', { name: 'Look' }).click()
    await section.locator('.code').waitFor({ state: 'hidden' })
  }
  assert.deepEqual(unexpected(complaints), [])
  await page.context().close()
})

test('the gallery has no holes', async () => {
  const { page } = await open('light')
  const holes = await page.locator('.states').evaluateAll(groups =>
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
  assert.deepEqual(holes, [])
  await page.context().close()
})

test('touch targets have 44 px', async () => {
  const { page } = await open('phone')
  const small = await page.locator('notif-feed').evaluateAll(feeds =>
    feeds.flatMap(feed =>
      [...feed.shadowRoot!.querySelectorAll('button')]
        .map(button => {
          const { height, width } = button.getBoundingClientRect()
          // A larger area than what is drawn.
          const { position, top } = getComputedStyle(button, '::after')
          const beyond = position === 'absolute' ? -Number.parseFloat(top) || 0 : 0
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
  await page.context().close()
})

/** What the play of a state leads to, by the id of the state. */
const PLAYED: Readonly<Record<string, string>> = {
  'all-archived': '.undo-line.all',
  'all-marked-as-read': '.undo-line.all',
  archived: '[data-tab=archived][aria-pressed=true]',
  'archived-to-be-undone': '.undo-line',
  'not-archived': '.undo-line[data-danger]',
  'not-sent': '.field[data-bad]',
  'nothing-snoozed': '.empty-state',
  sending: '.field .spin',
  'snoozed-to-be-undone': '.undo-line',
  writing: '.field'
}

test('states that somebody has to bring about are there, and stay', async () => {
  const { page } = await open('light')
  for (const [id, selector] of Object.entries(PLAYED)) {
    await page.locator(`#${id} notif-feed ${selector}`).waitFor()
  }
  const focused = await page.evaluate(() => document.activeElement?.localName)
  assert.equal(focused, 'body')
  assert.equal(await page.evaluate(() => scrollY), 0)
  await page.context().close()
})

/** What stands above the page in the window of a state. */
const WINDOWS: Readonly<Record<string, string>> = {
  keys: '.help:popover-open',
  'menu-of-the-inbox': '.menu:popover-open',
  snooze: '.menu:popover-open',
  'snooze-until-a-time': '.picker:popover-open',
  'three-and-two-more-in-the-inbox': '.toast >> nth=2',
  toast: '.toast',
  urgent: '.toast.urgent'
}

test('what opens above the page does so in a window of its own', async () => {
  const { page } = await open('light')
  for (const [id, selector] of Object.entries(WINDOWS)) {
    await page.frameLocator(`#${id} iframe`).locator(selector).waitFor()
  }
  await page.context().close()
})
