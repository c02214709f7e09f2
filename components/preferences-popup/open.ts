// Opens the preferences from an inbox; loaded with the dialog at the first click.

import type { ReactiveElement } from '@lit/reactive-element'

import { define } from '../core/dom.ts'
import type { NotifStore } from '../store/types.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

interface Host extends ReactiveElement {
  readonly store: NotifStore | undefined
}

/** Opens the dialog with the store and the language of the inbox, and removes it when it closes. */
export function openPreferences(host: Host): void {
  // A second click before the code was loaded.
  if (host.renderRoot.querySelector('notif-preferences-popup')) return
  define('notif-preferences-popup', NotifPreferencesPopup)
  const dialog = document.createElement('notif-preferences-popup')
  dialog.store = host.store
  dialog.open = true
  dialog.addEventListener('close', () => dialog.remove())
  host.renderRoot.append(dialog)
}
