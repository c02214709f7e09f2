// Web push is offered at the second opening with news in it, where the browser has it. WebKitGTK has no push service.

import type { Page } from '../page.ts'
import { BELL, path, TITLES } from './path.ts'

const ROW = 'notif-popup >> .push-row'

/** The page has a worker of its own, and the browser can be asked. */
const canBeAsked = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const hasPush = 'PushManager' in globalThis && 'serviceWorker' in navigator
    if (hasPush) await navigator.serviceWorker.ready
    return hasPush && Notification.permission === 'default'
  })

/** How often the inbox was opened with news in it. */
const looks = (): string | undefined =>
  /"looks":(\d+)/.exec(Object.values(localStorage as Record<string, string>).join())?.[1]

export const pushPrompt = path(
  'web push is offered at the second opening, where the browser has it, and "not now" is kept',
  async ({ open, send, site }) => {
    await send('Spring')
    const worker = new URL(site.host('addEventListener("push", () => {})')).pathname
    const script = `<script>navigator.serviceWorker?.register('${worker}')</script>`
    const page = await open({ asksForPush: true, body: `${script}<notif-popup></notif-popup>` })
    const isAsked = await canBeAsked(page)
    await page.click(BELL)
    await page.lists(TITLES, 'Spring')
    if (isAsked) await page.shows(looks, '1')
    await page.lacks(ROW)
    await page.click(BELL)
    await page.lists(TITLES)
    await send('Summer')
    await page.click(BELL)
    await page.lists(TITLES, 'Summer', 'Spring')
    if (!isAsked) return page.lacks(ROW)
    await page.click(`${ROW} >> [title="Not now"]`)
    await page.lacks(ROW)
    await page.isFocused(/heading/)
    await page.press('Escape')
    await page.lists(TITLES)
    await send('Autumn')
    await page.click(BELL)
    await page.lists(TITLES, 'Autumn', 'Summer', 'Spring')
    await page.shows(looks, '3')
    await page.lacks(ROW)
  }
)
