// Announces notifications that arrived: to screen readers, and with a sound if the page wants it.

import { announce, ANNOUNCE_DELAY_MS, ARRIVAL } from '../../announce/live-region.ts'
import { arrivalMessages } from '../../messages/arrival.en.ts'
import type { Notif } from '../../protocol/index.ts'
import type { NotifStore } from '../../store/types.ts'
import { toUserKey, type KitConfig } from '../config.ts'
import { findLang, getMessages, toFallbackLang, withOverrides } from '../locale.ts'
import { readInterruptions } from './interruptions.ts'
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
    const { arrived } = withOverrides(element, { ...arrivalMessages, ...original }, messages)
    return [arrived(count, title), (!messages && toFallbackLang(language, original)) || language]
  }, ARRIVAL)
}

/**
 * During a pause only urgent ones are announced. The sound also obeys quiet hours and muted types.
 *
 * @param target - where the notifications arrived
 */
export async function announceArrival(
  notifications: readonly Notif[],
  config: KitConfig,
  target: Document | HTMLElement,
  store: NotifStore
): Promise<void> {
  const { newNotificationSoundPath, playSoundOnNewNotification } = config
  const hasSound = getSound(toUserKey(config), playSoundOnNewNotification)
  const isPaused = store.$pause?.get()?.isOn === true
  if (!isPaused) speak(notifications, config, target)
  if (!isPaused && !hasSound) return
  const interruptions = await readInterruptions(store)
  const allowed = notifications.filter(({ type }) => interruptions.allows(type))
  if (allowed.length === 0) return
  if (isPaused) speak(allowed, config, target)
  if (hasSound)
    import('./sound.ts').then(({ playSound }) => playSound(newNotificationSoundPath)).catch(() => {})
}
