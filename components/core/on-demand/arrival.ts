// Announces notifications that arrived: the screen reader speaks, and a sound may play.

import { announce, ANNOUNCE_DELAY_MS, ARRIVAL } from '../../announce/live-region.ts'
import { countMessages } from '../../messages/count.en.ts'
import type { Notif } from '../../protocol/index.ts'
import type { KitConfig } from '../config.ts'
import { toFallbackLang, langOf, tableOf } from '../locale.ts'
import { withOverrides } from '../message-overrides.ts'

let count = 0
let lastAt = 0

function speak(
  notifications: readonly Notif[],
  { lang, messages }: KitConfig,
  place: Document | HTMLElement
): void {
  const now = Date.now()
  count = now - lastAt > ANNOUNCE_DELAY_MS ? notifications.length : count + notifications.length
  lastAt = now
  const title = notifications.at(-1)?.title ?? ''
  const element = place instanceof Document ? place.documentElement : place
  announce(() => {
    const language = lang || langOf(element)
    const table = tableOf(language)
    const words = withOverrides(element, { ...countMessages, ...table }, messages)
    return [words.arrived(count, title), (!messages && toFallbackLang(language, table)) || language]
  }, ARRIVAL)
}

async function play({ newNotificationSoundPath, playSoundOnNewNotification }: KitConfig): Promise<void> {
  // An attribute of a script tag is a text, and an empty one means yes.
  if (String(playSoundOnNewNotification ?? false) === 'false') return
  const { playSound } = await import('./sound.ts')
  await playSound(newNotificationSoundPath)
}

export function announceArrival(
  notifications: readonly Notif[],
  config: KitConfig,
  place: Document | HTMLElement
): void {
  speak(notifications, config, place)
  // Browsers reject sound before the first gesture of the user.
  play(config).catch(() => {})
}
