// What a row shows of a button or reply between the press and the answer of the server.

import type { NotifId } from '../../../protocol/index.ts'
import type { NotifStore } from '../../../store/types.ts'
import type { ItemView } from '../../base/inbox-view.ts'

/** Of the buttons of an item: the same in each element with its store. */
interface PressState {
  /** Id of the button that waits for its answer. */
  readonly pressed?: string | undefined
  /** Why the last press failed; `''`: for no reason that a user needs. */
  readonly failed?: string | undefined
  /** The page has answered the button, with or without words. */
  readonly answered?: { readonly actionId: string; readonly text: string | undefined } | undefined
}

/** Of the field for a reply, in one element. */
interface ReplyState {
  readonly isReplying?: boolean
  readonly draft?: string
  readonly isSending?: boolean
  readonly isUnsent?: boolean
}

export interface RowStates {
  /** Grows with each change. */
  readonly revision: number
  get(id: NotifId): PressState & ReplyState
  /** Renders the row again, here and in other elements with the store. */
  press(id: NotifId, part: PressState): Promise<void>
  /** Renders the row again. */
  reply(id: NotifId, part: ReplyState): Promise<void>
  /** Why a press or reply failed, for the user. */
  describeFailure(error: unknown): string
}

interface Presses {
  readonly states: Map<NotifId, PressState>
  readonly listeners: Set<() => void>
}

const pressesOf = new WeakMap<NotifStore, Presses>()

function findPresses(store: NotifStore | undefined): Presses {
  const found = (store && pressesOf.get(store)) ?? { listeners: new Set(), states: new Map() }
  if (store) pressesOf.set(store, found)
  return found
}

export function createRowStates(inbox: ItemView): RowStates {
  const { host } = inbox
  const replies = new Map<NotifId, ReplyState>()
  let presses = findPresses(undefined)
  let revision = 0
  const focused = (): Element | null => (host.renderRoot as ShadowRoot).activeElement
  let focusedRow: HTMLElement | null | undefined

  function render(): void {
    revision++
    host.requestUpdate()
  }

  function listen(next: Presses): void {
    presses.listeners.delete(render)
    presses = next
    presses.listeners.add(render)
  }

  listen(findPresses(inbox.store))
  host.addController({
    hostDisconnected: () => listen(findPresses(undefined)),
    hostUpdate() {
      const next = findPresses(inbox.store)
      if (inbox.store && next !== presses) listen(next)
      focusedRow = focused()?.closest('.below')?.closest('article')
    },
    // If an update removes the focused button or field, the row gets the focus.
    hostUpdated() {
      if (focusedRow?.isConnected && !focused()) focusedRow.focus({ preventScroll: true })
    }
  })
  return {
    describeFailure(error) {
      if (typeof error === 'string') return error
      return Object(error).status === 0 ? inbox.messages.brokeOff : ''
    },
    get: id => ({ ...presses.states.get(id), ...replies.get(id) }),
    async press(id, part) {
      const { listeners, states } = presses
      states.set(id, { ...states.get(id), ...part })
      for (const listener of listeners) listener()
      await host.updateComplete
    },
    async reply(id, part) {
      replies.set(id, { ...replies.get(id), ...part })
      render()
      await host.updateComplete
    },
    get revision() {
      return revision
    }
  }
}
