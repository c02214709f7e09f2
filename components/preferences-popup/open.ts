// Opens the preferences from an inbox; loaded with the dialog at the first click.

import { define } from '../core/dom.ts'
import type { TemplateElement } from '../view/template-element.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

/**
 * Opens the dialog with the store and the language of the inbox, and removes it when it closes.
 *
 * @param type - notification type whose first control gets the focus
 */
export function openPreferences({ renderRoot, store }: TemplateElement, type?: string): void {
  // A second click before the code was loaded.
  if (renderRoot.querySelector('notif-preferences-popup')) return
  define('notif-preferences-popup', NotifPreferencesPopup)
  const dialog = document.createElement('notif-preferences-popup')
  Object.assign(dialog, { open: true, store })
  dialog.addEventListener('close', () => dialog.remove())
  renderRoot.append(dialog)
  if (type !== undefined) focusType(dialog, type)
}

/** As soon as the preferences are there. The focus shows which type it is. */
function focusType(dialog: NotifPreferencesPopup, type: string): void {
  const controller = {
    hostUpdated(): void {
      const rows = [...dialog.renderRoot.querySelectorAll<HTMLElement>('[data-type]')]
      if (rows.length === 0) return
      dialog.removeController(controller)
      const row = rows.find(({ dataset }) => dataset['type'] === type)
      // The dialog opens after the update, and focuses its heading.
      queueMicrotask(() => {
        row?.scrollIntoView({ block: 'center' })
        row
          ?.querySelector<HTMLElement>('input, select, button')
          ?.focus({ focusVisible: true, preventScroll: true })
      })
    }
  }
  dialog.addController(controller)
}
