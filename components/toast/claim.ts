// Decides which tab of a browser shows a notification: exactly one of those that are visible.

import type { Notif } from '../protocol/index.ts'

/** The tab that has the focus comes first, if there is one. */
const UNFOCUSED_DELAY_MS = 250

/** All tabs have the notification long before; then the lock is released. */
const HOLD_MS = 60_000

/**
 * Claims a notification for this tab, by a lock that no other tab can have. Pages over plain HTTP have no locks; there each visible
 * tab shows it.
 *
 * @returns false if the page is hidden, or another tab was faster
 */
export async function claim({ date, id }: Notif): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined
  if (locks && !document.hasFocus()) await new Promise(resolve => setTimeout(resolve, UNFOCUSED_DELAY_MS))
  if (document.hidden || !locks) return !document.hidden
  return new Promise(resolve => {
    locks
      .request(`notif-toast:${id}:${date}`, { ifAvailable: true }, lock => {
        resolve(lock !== null)
        return lock && new Promise<void>(release => setTimeout(release, HOLD_MS))
      })
      .catch(() => resolve(true))
  })
}
