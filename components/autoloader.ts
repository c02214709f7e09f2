// What the script tag does with a page: configures it by the tag's own data-*, and defines the elements that are on it.
// An element that comes later is defined when it comes; one that never comes is never loaded.

import { configure } from './configure.ts'
import type { KitConfig } from './core/config.ts'
import { define, reportSecondCopy } from './core/dom.ts'
import { setHome } from './core/load-store.ts'
import { warnBy } from './core/validate.ts'
import { NotifCounter } from './counter/counter.ts'
import { NotifLauncher } from './launcher/launcher.ts'
import { NotifPopup } from './popup/popup.ts'

/** Those that are not on the page yet. */
const loaders: Record<string, (() => Promise<CustomElementConstructor>) | undefined> = {
  'notif-counter': async () => NotifCounter,
  'notif-feed': async () => (await import('./feed/feed.ts')).NotifFeed,
  'notif-launcher': async () => NotifLauncher,
  'notif-popup': async () => NotifPopup,
  'notif-preferences': async () => (await import('./preferences/preferences.ts')).NotifPreferences,
  'notif-preferences-popup': async () =>
    (await import('./preferences-popup/preferences-popup.ts')).NotifPreferencesPopup,
  'notif-provider': async () => (await import('./provider/provider.ts')).NotifProvider
}

const SELECTOR = Object.keys(loaders).join()

function load(tag: string): void {
  const fetchCode = loaders[tag]
  loaders[tag] = undefined
  fetchCode?.().then(
    element => define(tag, element),
    () => (loaders[tag] = fetchCode)
  )
}

/** A text has neither of the two, and a root no tag of its own. */
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
  /** A tag has said who the user is. */
  isConfigured?: boolean
}

/**
 * Defines the elements in a root, and those that come later. The document is served by itself; the shadow root of an
 * element of the page's own is served when the page says so, since a script cannot find all of them.
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
  // Every parameter that is a text; what is none of ours is not looked at.
  const config = { ...script?.dataset } as KitConfig
  // Half of it, or an empty one that a template left, is a mistake that is told. Neither: the page configures itself.
  const tells = (config.clientId ?? config.userId) !== undefined
  const again = tells && serve.isConfigured
  if (tells && !again) configure(config).catch(console.warn)
  else if (script?.matches('[data-clientid]'))
    warnBy(({ warnMisnamedAttributes }) => warnMisnamedAttributes(script))
  serve.isConfigured ||= tells
  serve(document)
  if (again || serve !== observe) reportSecondCopy()
}
