// The accessible name of a bell. It contains the visible text, such as `Inbox 99+`, so that speech input finds the button by it:
// WCAG 2.5.3, label in name.

import type { LocaleController } from './locale.ts'

interface Bell {
  /** Number of notifications, and whether it is that of new ones. */
  readonly value: number
  readonly isNew: boolean
  readonly isPaused: boolean
  /** Text of the badge; empty if there is none, or only a dot. */
  readonly shown: string
  /** Text of the page on the button, if any. */
  readonly text: string
}

export function nameBell(locale: LocaleController, { isNew, isPaused, shown, text, value }: Bell): string {
  const { messages } = locale
  const hasNew = isNew && value > 0
  if (text && shown) return `${text} ${shown}, ${hasNew ? messages.bellDot : messages.title}`
  let name = isPaused ? messages.bellPaused : messages.title
  if (shown) name = isNew ? messages.bellNew(shown) : messages.bell(shown)
  else if (hasNew) name = messages.bellDot
  else if (value > 0) name = messages.bell(locale.formatNumber(value))
  return text ? `${text}, ${name}` : name
}
