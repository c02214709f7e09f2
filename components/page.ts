// What the script tag does with a page: configures it by the tag's own data-*, and defines the elements that are on it.
// An element that comes later is defined when it comes; one that never comes is never loaded.

import { NotifLauncher } from './launcher/launcher.ts'
import { NotifPopup } from './popup/popup.ts'
import type { KitConfig } from './internal/config.ts'
import { configure } from './internal/configure.ts'
import { define } from './internal/define.ts'

/** Those that are not on the page yet. */
const missing = new Map<string, () => Promise<unknown>>(
  Object.entries({
    'notif-counter': () => import('./counter/define.ts'),
    'notif-feed': () => import('./feed/define.ts'),
    'notif-launcher': async () => define('notif-launcher', NotifLauncher),
    'notif-popup': async () => define('notif-popup', NotifPopup),
    'notif-provider': () => import('./provider/define.ts')
  })
)

const SELECTOR = [...missing.keys()].join()

function load(tag: string): void {
  const fetchCode = missing.get(tag)
  missing.delete(tag)
  fetchCode?.().catch(() => missing.set(tag, fetchCode))
}

function look(node: Node): void {
  if (!(node instanceof Element)) return
  if (node.matches(SELECTOR)) load(node.localName)
  for (const { localName } of node.querySelectorAll(SELECTOR)) load(localName)
}

/** @param address - of the script: a module does not know its own tag, but the tag knows the module */
export function servePage(address: string): void {
  const script = [...document.scripts].find(({ src }) => src === address)
  if (script?.dataset['clientId']) {
    const { webPushOptInMessage, ...data } = script.dataset
    const off = webPushOptInMessage === 'off' ? ({ webPushOptInMessage: 'off' } as const) : {}
    const { apiUrl, clientId, customServiceWorkerPath, lang, userHash, userId, wsUrl } = data
    const config: KitConfig = {
      apiUrl,
      clientId,
      customServiceWorkerPath,
      lang,
      userHash,
      userId,
      wsUrl,
      ...off
    }
    configure(config).catch((error: unknown) => console.warn(error))
  }
  look(document.documentElement)
  new MutationObserver(changes => {
    for (const { addedNodes } of changes) for (const node of addedNodes) look(node)
  }).observe(document, { childList: true, subtree: true })
}
