// The events of the kit, in one place and typed.

import type { Notif } from '../protocol/index.ts'

/** What a person can do to a notification besides following it. */
export type NotifAction = 'archive' | 'archive-all' | 'read' | 'read-all' | 'unarchive' | 'unread'

export interface NotifEventMap {
  /** A notification was chosen. Prevent it to neither mark it as clicked nor follow its link. */
  'notif-select': CustomEvent<{ readonly item: Notif }>
  /** An action was chosen; `item` is absent where it means all. Prevent it to leave the server alone. */
  'notif-action': CustomEvent<{ readonly action: NotifAction; readonly item?: Notif }>
  /** A change was refused and is already taken back. Prevent it to show no line about it. */
  'notif-error': CustomEvent<{ readonly error: unknown }>
  /** Notifications arrived live. Does not bubble. */
  'notif-new-notifications': CustomEvent<{ readonly notifications: readonly Notif[] }>
}

type Detail<T extends keyof NotifEventMap> = NotifEventMap[T]['detail']

/** Tells what a person wants to do, through every shadow root. Returns false when the page prevented it. */
export function emit<T extends keyof NotifEventMap>(from: EventTarget, type: T, detail: Detail<T>): boolean {
  return from.dispatchEvent(
    new CustomEvent(type, { bubbles: true, cancelable: true, composed: true, detail })
  )
}

declare global {
  interface HTMLElementEventMap extends NotifEventMap {}
}
