// What happens when notifications arrive live: the page is told at once, then a screen reader speaks and a sound may play.

import { countMessages } from '../messages/count.en.ts'
import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'
import { foreign, langOf, tableOf } from './locale.ts'
import { withOwn } from './message-overrides.ts'

let count = 0
let last = 0

async function speak(
  notifications: readonly Notif[],
  { lang, messages }: KitConfig,
  place: Document | HTMLElement
): Promise<void> {
  const { announce, BURST, NEWS } = await import('../announce/live-region.ts')
  const now = Date.now()
  count = now - last > BURST ? notifications.length : count + notifications.length
  last = now
  const title = notifications.at(-1)?.title ?? ''
  const element = place instanceof Document ? place.documentElement : place
  announce(() => {
    const own = lang || langOf(element)
    const table = tableOf(own)
    const words = withOwn(element, { ...countMessages, ...table }, messages)
    return [words.arrived(count, title), (!messages && foreign(own, table)) || own]
  }, NEWS)
}

async function play({ newNotificationSoundPath, playSoundOnNewNotification }: KitConfig): Promise<void> {
  // An attribute of a script tag is a text, and an empty one says yes.
  if (String(playSoundOnNewNotification ?? false) === 'false') return
  const { playSound } = await import('./on-demand/sound.ts')
  await playSound(newNotificationSoundPath)
}

/** Listens until the returned function is called. `config` is read at every arrival; `target` fires the event. */
export const watchNews = (
  store: NotifStore,
  config: KitConfig,
  target: Document | HTMLElement
): (() => void) => {
  const unwatch = store.onNewNotifications(notifications => {
    target.dispatchEvent(new CustomEvent('notif-new-notifications', { detail: { notifications } }))
    // Without the code of the live region the notification itself is on the page.
    speak(notifications, config, target).catch(() => {})
    // Browsers refuse sound before the first gesture.
    play(config).catch(() => {})
    // Last: what it throws is the page's own to hear, and keeps nobody else from the news.
    config.onNewNotifications?.(notifications)
  })
  // Reason enough to be connected: perhaps nothing on the page shows anything else.
  const leave = store.$unopened.listen(() => {})
  return () => {
    leave()
    unwatch()
  }
}
