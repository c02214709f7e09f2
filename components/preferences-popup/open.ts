// The way from an inbox to the preferences; fetched with the dialog when somebody wants it.

import { define } from '../internal/define.ts'
import type { InboxElement } from '../internal/inbox-element.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

/** Opens the dialog over the page. It has the store and the language of the inbox, and goes when it is closed. */
export function openPreferences(host: InboxElement): void {
  // Asked for twice before the code was there.
  if (host.renderRoot.querySelector('notif-preferences-popup')) return
  define('notif-preferences-popup', NotifPreferencesPopup)
  const dialog = document.createElement('notif-preferences-popup')
  dialog.store = host.store
  dialog.open = true
  dialog.addEventListener('close', () => dialog.remove())
  host.renderRoot.append(dialog)
}
