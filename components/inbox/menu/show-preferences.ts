// Opens the preferences from a menu.

import type { InboxView } from '../base/inbox-view.ts'

/**
 * @param close - closes the panel around the inbox; a feed has none
 * @param type - notification type to show first
 */
export async function showPreferences(
  { host }: InboxView,
  close: (() => void) | undefined,
  type?: string
): Promise<void> {
  try {
    const { openPreferences } = await import('../../preferences-popup/open.ts')
    // First, so that the focus returns to the bell and not into a hidden panel.
    close?.()
    openPreferences(host, type)
  } catch (error) {
    console.warn('notif-kit: the preferences could not be loaded.', error)
  }
}
