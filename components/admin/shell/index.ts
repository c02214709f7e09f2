// The script of the dashboard, `/notif-admin.js`: defines `<notif-admin>`, `<notif-admin-provider>`, and each screen when a page has it.

import { setHome } from '../api/home.ts'
import { NotifAdmin } from './admin.ts'
import { NotifAdminProvider } from './provider.ts'
import { defineScreen, SCREENS } from './screens.ts'

const SELECTOR = SCREENS.map(({ tag }) => tag).join()

/** Screens in the document, not in the shadow root of the dashboard, which defines them itself. */
function defineIn(root: ParentNode): void {
  for (const { localName } of root.querySelectorAll(SELECTOR)) {
    const screen = SCREENS.find(({ tag }) => tag === localName)
    if (screen && !customElements.get(localName)) void defineScreen(screen)
  }
}

function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element)
}

setHome(import.meta.url)
define('notif-admin', NotifAdmin)
define('notif-admin-provider', NotifAdminProvider)
defineIn(document)
new MutationObserver(() => defineIn(document)).observe(document, { childList: true, subtree: true })
