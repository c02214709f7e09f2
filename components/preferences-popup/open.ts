// Opens the preferences from an inbox; loaded with the dialog at the first click.

import { define } from '../core/dom.ts'
import type { TemplateElement } from '../view/template-element.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

/**
 * Opens the dialog with the store and the language of the inbox, and removes it when it closes.
 *
 * @returns undefined if it is open already
 */
export function openPreferences({ renderRoot, store }: TemplateElement): NotifPreferencesPopup | undefined {
  // A second click before the code was loaded.
  if (renderRoot.querySelector('notif-preferences-popup')) return undefined
  define('notif-preferences-popup', NotifPreferencesPopup)
  const dialog = document.createElement('notif-preferences-popup')
  Object.assign(dialog, { open: true, store })
  dialog.addEventListener('close', () => dialog.remove())
  renderRoot.append(dialog)
  return dialog
}
