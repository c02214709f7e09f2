// Pictures, progress and buttons of toasts. Loaded when the first item has some.

import { css } from '@lit/reactive-element'

import { getFormats } from '../inbox/base/formats.ts'
import type { ExtrasView, ItemView } from '../inbox/base/inbox-view.ts'
import { createExtras } from '../inbox/item/extras/extras.ts'
import type { Messages } from '../messages/en.ts'
import type { Notif, NotifId } from '../protocol/index.ts'
import { adoptStyles } from '../view/render.ts'
import type { ToastHost } from './template.ts'

const styles = css`
  /* It gets the focus by script when its button is gone, so it has no outline. */
  .toast:focus {
    outline: none;
  }
`

/**
 * After a press, the back end answers by changing the notification, so the store loads its list.
 *
 * @param brokenImages - addresses of pictures that did not load
 */
export function createToastExtras(host: ToastHost, brokenImages: Set<string | null>): ExtrasView {
  adoptStyles(host, styles)
  let newest = new Map<NotifId, Notif>()
  let unsubscribe: (() => void) | undefined
  const listen = (items: readonly Notif[]): void => {
    newest = new Map(items.map(item => [item.id, item]))
    host.requestUpdate()
  }
  const extras = createExtras({
    brokenImages,
    extras: undefined,
    get formats() {
      return getFormats(host.language.lang)
    },
    hasTabStops: true,
    host,
    get messages() {
      return host.language.messages as Messages
    },
    get now() {
      return host.source.store?.now() ?? Date.now()
    },
    readState: { markRead: () => void (unsubscribe ??= host.source.store?.$notifications.subscribe(listen)) },
    get store() {
      return host.source.store
    }
  } satisfies ItemView)
  const stop = (): void => {
    unsubscribe?.()
    unsubscribe = undefined
  }
  host.addController({
    hostDisconnected: stop,
    hostUpdated: () => void (host.renderRoot.querySelector('article') ?? stop())
  })
  return {
    ...extras,
    // A reply takes longer than a toast is shown.
    renderBelow: ({ id, ...item }) => {
      const { reply: _, ...shown } = newest.get(id) ?? { ...item, id }
      return extras.renderBelow(shown)
    }
  }
}
