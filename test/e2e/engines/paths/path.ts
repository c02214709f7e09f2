// The form of a path: what a user does on a page and sees there, written once for every engine.
//
// A new interaction is added here and nowhere else: a file of this folder with `path(...)` and what it does, and its line in
// list.ts. It has a user of its own, and opens as many pages as it needs. Methods of a page wait for their conditions. At the
// end no page may have complained: an error, a warning, or a violation of its policy.
//
//   export const snooze = path('a snoozed item leaves the list', async ({ open, send }) => {
//     await send('Spring')
//     const page = await open()
//     await page.click('notif-popup >> .bell')
//     await page.hover(row('Spring'))
//     await page.click(`${row('Spring')} >> [data-act=snooze]`)
//     await page.lists(TITLES)
//   })
//
// One engine: `node test/run.ts test/e2e/engines/webkit.test.ts`. TEST_PICTURES=/tmp/pictures keeps a picture of each page at
// the end of its path.

import type { WebhookPeer } from '../../../inbox/updates/webhook-peer.ts'
import { until } from '../../../support/process.ts'
import type { PageOptions, Site } from '../../site.ts'
import type { Engine, Size } from '../engine.ts'
import type { Find } from '../in-page.ts'
import type { Page } from '../page.ts'

export interface VisitOptions extends Partial<PageOptions> {
  /** Shows the prompt for web push. Default: false. */
  readonly asksForPush?: boolean
}

export interface Visit {
  readonly engine: Engine['name']
  readonly site: Site
  /** Receives the webhooks of all users. */
  readonly backEnd: WebhookPeer
  /** Has no notification yet. */
  readonly user: string
  /** Opens a page of another origin that uses the kit, signed in as the user. Default: with a popup. */
  open(options?: VisitOptions): Promise<Page>
  /** Opens a page of the server, in a tab of its own. */
  openAt(address: string): Promise<Page>
  /** Sends to the user. @param more - other fields of the notification; `type`: of the send */
  send(title: string, more?: Readonly<Record<string, unknown>>): Promise<unknown>
}

export interface Path {
  readonly name: string
  readonly run: (visit: Visit) => Promise<void>
  /** Of the window. Default: 1,000 x 800. */
  readonly size?: Size
}

export const path = (name: string, run: Path['run'], size?: Size): Path => ({
  name,
  run,
  ...(size && { size })
})

export const BELL = 'notif-popup >> .bell'
export const BADGE = 'notif-popup >> .badge'
export const TITLES = 'notif-popup >> article .title'
export const row = (title: string): string => `notif-popup >> article >> "${title}"`

/** Chooses in the menu of the header. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.click('notif-popup >> [data-act=menu]')
  await page.click(`notif-popup >> [role=menuitem] >> "${name}"`)
}

export const LINE = 'notif-popup >> .undo-line'

/** Whether no line is left, once the page has drawn what the last click did. */
const isUndone = async (find: Find, line: string): Promise<boolean> => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
  return find(line).length === 0
}

/** Clicks the line of an action until it answers: in its first 300 ms it does not, because that may be a double click. */
export async function undo(page: Page): Promise<void> {
  await page.hover(`${LINE} >> button`)
  await until(async () => {
    await page.tab.click()
    return page.evaluate(isUndone, LINE)
  }, 'the line answers')
}
