// Focuses a notification type in a dialog of preferences that opens.

import type { NotifPreferencesPopup } from '../../preferences-popup/preferences-popup.ts'

/** As soon as the preferences are there. The focus shows which type it is. */
export function focusType(dialog: NotifPreferencesPopup, type: string): void {
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
  controller.hostUpdated()
}
