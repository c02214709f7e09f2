// Web push is asked for where the browser has it, and only there. WebKitGTK has no push service.

import { BELL, path, TITLES } from './path.ts'

export const pushPrompt = path(
  'the prompt for web push shows where the browser has it, and "no" is kept',
  async ({ open, send }) => {
    await send('Spring')
    const page = await open({ asksForPush: true })
    const hasPush = await page.evaluate(
      () =>
        'PushManager' in globalThis && 'serviceWorker' in navigator && Notification.permission === 'default'
    )
    await page.click(BELL)
    await page.lists(TITLES, 'Spring')
    const PROMPT = 'notif-popup >> .push-prompt'
    if (!hasPush) return page.lacks(PROMPT)
    await page.click(`${PROMPT} >> .btn:not(.main)`)
    await page.lacks(PROMPT)
    await page.isFocused(/heading/)
  }
)
