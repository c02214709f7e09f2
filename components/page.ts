// What the script tag does with a page: configures it by the tag's own data-*, and defines the elements that are on it.
// An element that comes later is defined when it comes; one that never comes is never loaded.

import { NotifCounter } from './counter/counter.ts'
import { NotifLauncher } from './launcher/launcher.ts'
import { NotifPopup } from './popup/popup.ts'
import type { KitConfig } from './internal/config.ts'
import { configure } from './internal/configure.ts'
import { define } from './internal/define.ts'
import { setHome } from './internal/load-store.ts'

/** Those that are not on the page yet. */
const missing: Record<string, (() => Promise<unknown>) | undefined> = {
  'notif-counter': async () => define('notif-counter', NotifCounter),
  'notif-feed': () => import('./feed/define.ts'),
  'notif-launcher': async () => define('notif-launcher', NotifLauncher),
  'notif-popup': async () => define('notif-popup', NotifPopup),
  'notif-preferences': () => import('./preferences/define.ts'),
  'notif-preferences-popup': () => import('./preferences-popup/define.ts'),
  'notif-provider': () => import('./provider/define.ts')
}

const SELECTOR = Object.keys(missing).join()

function load(tag: string): void {
  const fetchCode = missing[tag]
  missing[tag] = undefined
  fetchCode?.().catch(() => (missing[tag] = fetchCode))
}

function look(node: Node): void {
  if (!(node instanceof Element)) return
  if (node.matches(SELECTOR)) load(node.localName)
  for (const { localName } of node.querySelectorAll(SELECTOR)) load(localName)
}

const observer = new MutationObserver(changes => {
  for (const { addedNodes } of changes) for (const node of addedNodes) look(node)
})

/**
 * Defines the elements in a root, and those that come later. The document is served by itself; the shadow root of an
 * element of the page's own is served when the page says so, since nobody can look into all of them.
 */
export function serve(root: Document | ShadowRoot): void {
  for (const child of root.children) look(child)
  observer.observe(root, { childList: true, subtree: true })
}

/** @param address - of the script: a module does not know its own tag, but the tag knows the module */
export function servePage(address: string): void {
  // A proxy may give the server only a path of its host.
  setHome(new URL('.', address).href)
  const script = [...document.scripts].find(({ src }) => src === address)
  // Every parameter that is a text; what is none of ours is not looked at.
  const config = { ...script?.dataset } as KitConfig
  // Half of it, or an empty one that a template left, is a mistake that is told. Neither: the page configures itself.
  if ('clientId' in config || 'userId' in config) configure(config).catch(console.warn)
  serve(document)
}
