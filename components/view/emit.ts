// The typed events of the elements.

import type { ItemAction, Notif } from '../protocol/index.ts'

/** Actions on a notification besides opening it. */
export type NotifAction =
  | 'archive'
  | 'archive-all'
  | 'digest'
  | 'mute'
  | 'pause'
  | 'read'
  | 'read-all'
  | 'snooze'
  | 'unarchive'
  | 'unread'
  | 'unsnooze'

export interface NotifEventMap {
  /** The user opens a notification. `preventDefault()` neither marks it as clicked nor follows its link. */
  'notif-select': CustomEvent<{ readonly item: Notif }>
  /** The user chooses an action; without `item` it is for all. `preventDefault()` leaves the notification unchanged. */
  'notif-action': CustomEvent<{ readonly action: NotifAction; readonly item?: Notif }>
  /**
   * The user presses a button of a notification. A button without `url` and `send` is for the page: `respondWith` shows it as
   * pending until the promise settles, then its text as the answer, or that it failed. `preventDefault()` leaves everything as it is.
   */
  'notif-item-action': CustomEvent<{
    readonly item: Notif
    readonly action: ItemAction
    respondWith(answer: PromiseLike<string | void>): void
  }>
  /** The server refused a change, which is undone already. `preventDefault()` hides the message about it. */
  'notif-error': CustomEvent<{ readonly error: unknown }>
  /** The inbox of a popup or launcher opens. `preventDefault()` keeps it closed. */
  'notif-show': CustomEvent<undefined>
  'notif-after-show': CustomEvent<undefined>
  /** It closes. `preventDefault()` keeps it open. */
  'notif-hide': CustomEvent<undefined>
  'notif-after-hide': CustomEvent<undefined>
  /** A toast is about to be shown. `preventDefault()` leaves it out. */
  'notif-toast-show': CustomEvent<{ readonly item: Notif }>
  'notif-toast-hide': CustomEvent<{ readonly item: Notif }>
  /** Notifications arrived live. Does not bubble. */
  'notif-new-notifications': CustomEvent<{ readonly notifications: readonly Notif[] }>
}

/** Fires an event that crosses shadow roots. Returns false if the page prevented it. */
export function emit<T extends keyof NotifEventMap>(
  from: EventTarget,
  type: T,
  ...[detail]: NotifEventMap[T]['detail'] extends undefined ? [] : [NotifEventMap[T]['detail']]
): boolean {
  return from.dispatchEvent(
    new CustomEvent(type, { bubbles: true, cancelable: true, composed: true, detail })
  )
}

declare global {
  interface HTMLElementEventMap extends NotifEventMap {}
  /** `configure` fires `notif-new-notifications` on the document, and the others bubble there. */
  interface DocumentEventMap extends NotifEventMap {}
}
