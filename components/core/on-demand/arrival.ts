// Announces notifications that arrived: to screen readers, and with a sound if the page wants it.

import { announce, ANNOUNCE_DELAY_MS, ARRIVAL } from '../../announce/live-region.ts'
import { countMessages } from '../../messages/count.en.ts'
import type { Notif } from '../../protocol/index.ts'
import { toUserKey, type KitConfig } from '../config.ts'
import { findLang, getMessages, toFallbackLang, withOverrides } from '../locale.ts'
import { getSound } from './sound-choice.ts'

let count = 0
let lastAt = 0

function speak(
  notifications: readonly Notif[],
  { lang, messages }: KitConfig,
  target: Document | HTMLElement
): void {
  const now = Date.now()
  count = now - lastAt > ANNOUNCE_DELAY_MS ? notifications.length : count + notifications.length
  lastAt = now
  const title = notifications.at(-1)?.title ?? ''
  const element = target instanceof Document ? target.documentElement : target
  announce(() => {
    const language = lang || findLang(element)
    const original = getMessages(language)
    const { arrived } = withOverrides(element, { ...countMessages, ...original }, messages)
    return [arrived(count, title), (!messages && toFallbackLang(language, original)) || language]
  }, ARRIVAL)
}

/** @param target - where the notifications arrived */
export function announceArrival(
  notifications: readonly Notif[],
  config: KitConfig,
  target: Document | HTMLElement
): void {
  speak(notifications, config, target)
  const { newNotificationSoundPath, playSoundOnNewNotification } = config
  if (getSound(toUserKey(config), playSoundOnNewNotification)) {
    import('./sound.ts').then(({ playSound }) => playSound(newNotificationSoundPath)).catch(() => {})
  }
}
