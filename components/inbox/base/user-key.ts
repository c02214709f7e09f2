// Which user an inbox belongs to: what is stored in the browser is stored for each user.

import { isComplete, toUserKey, type KitConfig } from '../../core/config.ts'
import type { InboxElement } from './inbox-element.ts'

interface KnownUser {
  readonly key: string
  readonly config: KitConfig
}

/** @returns undefined if the page gave a store instead of a user */
export function readUserKey(host: InboxElement): KnownUser | undefined {
  if (host.store) return undefined
  // The context of `configure` contains its parameter; a provider has the same properties itself.
  const contexts: readonly unknown[] = [findProvider(host), host.source.context]
  const config = contexts.map(context => Object(context) as KitConfig).find(isComplete)
  return config && { config, key: toUserKey(config) }
}

function findProvider(start: Element): Element | undefined {
  for (let element: Element | undefined = start; element;) {
    const found: Element | null = element.closest('notif-provider')
    if (found) return found
    const root: Node = element.getRootNode()
    element = root instanceof ShadowRoot ? root.host : undefined
  }
  return undefined
}
