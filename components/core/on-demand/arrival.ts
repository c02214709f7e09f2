// Announces notifications that arrived: to screen readers, and with a sound if the page wants it.

import { announce, ANNOUNCE_DELAY_MS, ARRIVAL } from '../../announce/live-region.ts'
import { countMessages } from '../../messages/count.en.ts'
import type { Notif } from '../../protocol/index.ts'
import type { KitConfig } from '../config.ts'
import { findLang, getMessages, toFallbackLang } from '../locale.ts'
import { withOverrides } from '../message-overrides.ts'

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

const TONES_HZ = [880, 1318.5]
const TONE_SECONDS = 0.14
const CLOSE_DELAY_MS = 1000

/** @param path - of a file of the page. Default: two short tones, which need no request */
async function playSound(path?: string): Promise<void> {
  // Before the first gesture of the user browsers refuse sound and log an error.
  if (!navigator.userActivation.hasBeenActive) return
  if (path) return new Audio(path).play()
  const context = new AudioContext()
  const volume = context.createGain()
  volume.connect(context.destination)
  volume.gain.setValueAtTime(0.12, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 4 * TONE_SECONDS)
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start(context.currentTime + index * TONE_SECONDS)
    tone.stop(context.currentTime + (index + 3) * TONE_SECONDS)
  }
  await new Promise(resolve => setTimeout(resolve, CLOSE_DELAY_MS))
  await context.close()
}

/** @param target - where the notifications arrived */
export function announceArrival(
  notifications: readonly Notif[],
  config: KitConfig,
  target: Document | HTMLElement
): void {
  speak(notifications, config, target)
  const { newNotificationSoundPath, playSoundOnNewNotification } = config
  // The attribute of a script tag is a text; an empty one turns the sound on.
  if (String(playSoundOnNewNotification ?? false) !== 'false') {
    playSound(newNotificationSoundPath).catch(() => {})
  }
}
