// The script tag: configures the page with its `data-*` attributes, and defines the elements that the page contains. Elements that
// are added later are defined then, and the code of other elements is never loaded.

import { configure } from './configure.ts'
import type { KitConfig } from './core/config.ts'
import { define, reportSecondCopy, type ElementClass } from './core/dom.ts'
import { setHome } from './core/load-store.ts'
import { warnBy } from './core/validate.ts'
import { NotifCounter } from './counter/counter.ts'
import { NotifLauncher } from './launcher/launcher.ts'
import { NotifPopup } from './popup/popup.ts'

/** Elements that are not defined yet. */
const loaders: Record<string, (() => Promise<ElementClass>) | undefined> = {
  'notif-counter': async () => NotifCounter,
  'notif-feed': async () => (await import('./feed/feed.ts')).NotifFeed,
  'notif-launcher': async () => NotifLauncher,
  'notif-popup': async () => NotifPopup,
  'notif-preferences': async () => (await import('./preferences/preferences.ts')).NotifPreferences,
  'notif-preferences-popup': async () =>
    (await import('./preferences-popup/preferences-popup.ts')).NotifPreferencesPopup,
  'notif-provider': async () => (await import('./provider/provider.ts')).NotifProvider,
  'notif-toast': async () => (await import('./toast/toast.ts')).NotifToast
}

const SELECTOR = Object.keys(loaders).join()

function load(tag: string): void {
  const loader = loaders[tag]
  loaders[tag] = undefined
  loader?.().then(
    element => define(tag, element),
    () => (loaders[tag] = loader)
  )
}

/** Texts have neither method, and roots no `matches`. */
function defineIn(node: Partial<Element>): void {
  if (node.matches?.(SELECTOR)) load(node.localName!)
  for (const { localName } of node.querySelectorAll?.(SELECTOR) ?? []) load(localName)
}

const observer = new MutationObserver(changes => {
  for (const { addedNodes } of changes) for (const node of addedNodes) defineIn(node as Element)
})

function observe(root: Document | ShadowRoot): void {
  defineIn(root as Partial<Element>)
  observer.observe(root, { childList: true, subtree: true })
}

type Serve = typeof observe & {
  /** A script tag has configured the user. */
  isConfigured?: boolean
}

/**
 * Defines the elements in a root, and those that are added later. The script tag calls it for the document. A page calls it for
 * the shadow roots of its own elements, because a script cannot find them.
 *
 * Of two copies of the kit the first serves all of the page: the other one loads no unused code, and opens no
 * second connection.
 */
export const serve = ((globalThis as Record<symbol, unknown>)[Symbol.for('notif:page')] ??= observe) as Serve

/** @param address - of the script: a module does not know its own tag, but the tag knows the module */
export function servePage(address: string): void {
  // A proxy may give the server only a path of its host.
  setHome(new URL('.', address).href)
  const script = [...document.scripts].find(({ src }) => src === address)
  // Other attributes are ignored.
  const config = { ...script?.dataset } as KitConfig
  // With only one of them, or an empty one, `configure` fails with a warning. Without both the page calls it itself.
  const hasUser = (config.clientId ?? config.userId) !== undefined
  const isSecond = hasUser && serve.isConfigured
  if (hasUser && !isSecond) configure(config).catch(console.warn)
  else if (script?.matches('[data-clientid]'))
    warnBy(({ warnScriptAttributes }) => warnScriptAttributes(script))
  serve.isConfigured ||= hasUser
  serve(document)
  if (isSecond || serve !== observe) reportSecondCopy()
}
