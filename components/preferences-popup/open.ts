// The way from an inbox to the preferences; fetched with the dialog when somebody wants it.

import type { ReactiveElement } from '@lit/reactive-element'

import { define } from '../core/define.ts'
import type { NotifStore } from '../store/types.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

interface Host extends ReactiveElement {
  readonly store: NotifStore | undefined
}

/** Opens the dialog over the page. It has the store and the language of the inbox, and goes when it is closed. */
export function openPreferences(host: Host): void {
  // Asked for twice before the code was there.
  if (host.renderRoot.querySelector('notif-preferences-popup')) return
  define('notif-preferences-popup', NotifPreferencesPopup)
  const dialog = document.createElement('notif-preferences-popup')
  dialog.store = host.store
  dialog.open = true
  dialog.addEventListener('close', () => dialog.remove())
  host.renderRoot.append(dialog)
}
