// Web push is offered at the second opening with news in it, where the browser has it. WebKitGTK has no push service.

import { BELL, path, TITLES } from './path.ts'

export const pushPrompt = path(
  'web push is offered at the second opening, where the browser has it, and "not now" is kept',
  async ({ open, send }) => {
    await send('Spring')
    const page = await open({ asksForPush: true })
    const hasPush = await page.evaluate(
      () =>
        'PushManager' in globalThis && 'serviceWorker' in navigator && Notification.permission === 'default'
    )
    await page.click(BELL)
    await page.lists(TITLES, 'Spring')
    const ROW = 'notif-popup >> .push-row'
    await page.lacks(ROW)
    await page.click(BELL)
    await send('Summer')
    await page.click(BELL)
    await page.lists(TITLES, 'Summer', 'Spring')
    if (!hasPush) return page.lacks(ROW)
    await page.click(`${ROW} >> .icon`)
    await page.lacks(ROW)
    await page.isFocused(/heading/)
  }
)
