// Says news aloud: one sentence for a burst, and a sound where the page wants one.

import { countWords } from '../messages/count.en.ts'
import type { Notif } from '../protocol/index.ts'
import { announce, BURST, NEWS } from './announcer.ts'
import type { KitConfig } from './config.ts'
import { foreign, langOf, tableOf } from './locale.ts'
import { withOwn } from './own-words.ts'

let count = 0
let last = 0

export function proclaim(
  notifications: readonly Notif[],
  { lang, messages, newNotificationSoundPath, playSoundOnNewNotification }: KitConfig,
  place: Document | HTMLElement
): void {
  const now = Date.now()
  count = now - last > BURST ? notifications.length : count + notifications.length
  last = now
  const title = notifications.at(-1)?.title ?? ''
  const element = place instanceof Document ? place.documentElement : place
  announce(() => {
    const own = lang || langOf(element)
    const table = tableOf(own)
    const words = withOwn(element, { ...countWords, ...table }, messages)
    return [words.arrived(count, title), (!messages && foreign(own, table)) || own]
  }, NEWS)
  // An attribute of a script tag is a text, and an empty one says yes.
  if (String(playSoundOnNewNotification ?? false) === 'false') return
  import('./sound.ts')
    .then(({ playSound }) => playSound(newNotificationSoundPath))
    // Browsers refuse sound before the first gesture.
    .catch(() => {})
}
