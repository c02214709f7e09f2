// The accessible name of a bell. It contains the visible text, such as `Inbox 99+`, so that speech input finds the button by it:
// WCAG 2.5.3, label in name.

import type { LocaleController } from './locale.ts'

interface Bell {
  /** Number of notifications, and whether it is that of unread ones. */
  readonly value: number
  readonly isUnread: boolean
  /** Text of the badge; empty if there is none, or only a dot. */
  readonly shown: string
  /** Text of the page on the button, if any. */
  readonly text: string
}

export function nameBell(locale: LocaleController, { isUnread, shown, text, value }: Bell): string {
  const { messages } = locale
  const hasUnread = isUnread && value > 0
  if (text && shown) return `${text} ${shown}, ${hasUnread ? messages.bellDot : messages.title}`
  let name = messages.title
  if (shown) name = isUnread ? messages.bellUnread(shown) : messages.bell(shown)
  else if (hasUnread) name = messages.bellDot
  else if (value > 0) name = messages.bell(locale.formatNumber(value))
  return text ? `${text}, ${name}` : name
}
