// The accessibility tree of each element and state, as text in `trees/`.
//
// After a wanted change: `node --test --test-update-snapshots test/e2e/looks/accessibility-tree.test.ts`, and read what changed.

import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openStage, type Stage } from '../../elements/shots/stage.ts'
import { openBrowser } from '../site.ts'
import { treeOf } from './accessibility-tree.ts'

let browser: Browser
let desk: Stage
let phone: Stage

before(async () => {
  browser = await openBrowser()
  desk = await openStage(browser)
  phone = await openStage(browser, { hasTouch: true, isMobile: true, viewport: { height: 720, width: 375 } })
})
after(() => browser?.close())

type Step = (page: Page) => Promise<unknown>

/** The panel is open, and in it stands `wanted`. */
const open =
  (wanted: string, bell = 'notif-popup'): Step =>
  async page => {
    await page.locator(`${bell} .bell`).first().click()
    await page.locator(`${bell} .panel:popover-open ${wanted}`).first().waitFor()
  }
const turnOn =
  (wanted: string): Step =>
  async page => {
    await open('.push-row .main')(page)
    await page.locator('.push-row .main').click()
    await page.locator(wanted).waitFor()
  }
const there =
  (wanted: string, count = 1): Step =>
  page =>
    page
      .locator(wanted)
      .nth(count - 1)
      .waitFor({ state: 'attached' })

/** Something has been announced. */
const spoken: Step = page => page.getByRole('status').filter({ hasText: /\S/ }).waitFor({ state: 'attached' })

/** Announcements come and go while the state stays. */
const unspoken: Step = page =>
  page.evaluate(() => document.querySelectorAll('[role=status]').forEach(region => region.remove()))

const STATES: readonly (readonly [name: string, scene: string, ready: Step])[] = [
  ['popup closed', 'popup', there('notif-popup .badge')],
  ['popup', 'popup', open('article')],
  ['popup arabic', 'arabic', open('article')],
  [
    'popup empty',
    'empty',
    async page => {
      await open('.empty-state')(page)
      await spoken(page)
    }
  ],
  [
    'popup failed',
    'error',
    async page => {
      await open('.empty-state .btn')(page)
      await spoken(page)
    }
  ],
  ['popup loading', 'loading', open('.skeleton')],
  [
    'popup archived',
    'empty',
    async page => {
      await open('.empty-state')(page)
      await page.getByRole('button', { name: 'Archived' }).click()
      await page.getByRole('status').filter({ hasText: 'Nothing archived' }).waitFor({ state: 'attached' })
    }
  ],
  [
    'popup offline',
    'offline',
    async page => {
      await open('article')(page)
      await there('notif-popup .banner')(page)
      await spoken(page)
    }
  ],
  ['popup asked about web push', 'asked', open('.push-row .main')],
  ['popup with web push on', 'asked-on', turnOn('.push-row .good')],
  ['popup with web push blocked', 'asked-blocked', turnOn('.push-row .quiet')],
  ['popup with web push failed', 'asked-failed', turnOn('.push-row .bad')],
  ['popup paused', 'paused', open('.paused')],
  [
    'popup with tabs',
    'tabs',
    async page => {
      await open('article')(page)
      await there('notif-popup .tab-more')(page)
    }
  ],
  [
    'popup snoozed',
    'tabs',
    async page => {
      await open('.tab-more')(page)
      await page.locator('notif-popup .tab-more').click()
      await page.getByRole('menuitem', { name: 'Snoozed' }).click()
      await there('notif-popup .wake-time')(page)
    }
  ],
  [
    'popup with an action to undo',
    'popup',
    async page => {
      await open('article')(page)
      await page.locator('notif-popup article').nth(1).focus()
      await page.keyboard.press('e')
      // Under the pointer its time does not run.
      await page.locator('notif-popup .undo-line').hover()
      await unspoken(page)
    }
  ],
  [
    'menu of fewer',
    'fewer',
    async page => {
      await open('article')(page)
      await page.locator('notif-popup article').first().focus()
      await page.keyboard.press('m')
      await there('notif-popup .menu:popover-open [role=menuitem]', 3)(page)
    }
  ],
  [
    'toasts',
    'toasts',
    async page => {
      await there('notif-popup .badge')(page)
      await page.evaluate('arrive()')
      await there('notif-toast article', 3)(page)
      await page.locator('notif-toast .rest').waitFor()
      await page.locator('notif-toast article').first().hover()
      await unspoken(page)
    }
  ],

  [
    'news',
    'arriving',
    async page => {
      await there('notif-popup .badge')(page)
      await page.evaluate('arrive(); arrive()')
      await spoken(page)
    }
  ],
  [
    'badges',
    'badges',
    async page => {
      // The others differ in colour only.
      await page.evaluate(() => document.querySelectorAll('.bar ~ .bar').forEach(bar => bar.remove()))
      await there('notif-counter .badge', 3)(page)
    }
  ],
  ['launcher', 'corner', open('article', 'notif-launcher')],
  ['feed', 'lists', there('article', 2 + 5)],
  ['preferences', 'preferences', there('notif-preferences [role=switch]', 10)],
  ['preferences dialog', 'preferences-dialog', there('notif-preferences-popup [part=type]', 3)],
  ['preferences empty', 'preferences-empty', there('notif-preferences .empty-state')],
  ['preferences failed', 'preferences-error', there('notif-preferences .empty-state .btn')],
  ['preferences loading', 'preferences-loading', there('notif-preferences .placeholder')]
]

async function same(
  stage: Stage,
  state: (typeof STATES)[number],
  keep: (tree: string) => void
): Promise<void> {
  const [, scene, ready] = state
  const page = await stage.show(scene)
  await ready(page)
  keep(await treeOf(page))
}

const file = (name: string): string => join(import.meta.dirname, 'trees', `${name.replaceAll(' ', '-')}.txt`)
// As it is, so that a person can read it.
const plain = { serializers: [String] }

for (const state of STATES) {
  test(state[0], t => same(desk, state, tree => t.assert.fileSnapshot(tree, file(state[0]), plain)))
}

test('a menu on a phone', async t => {
  const page = await phone.show('popup')
  await open('article')(page)
  await page.getByRole('button', { name: 'More' }).first().click()
  await there('notif-popup .menu:popover-open button', 2)(page)
  t.assert.fileSnapshot(await treeOf(page), file('popup menu on a phone'), plain)
})
