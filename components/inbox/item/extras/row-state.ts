// What a row shows of a button or reply between the press and the answer of the server.

import type { NotifId } from '../../../protocol/index.ts'
import type { InboxView } from '../../base/inbox-view.ts'

export interface RowState {
  /** Id of the button that waits for its answer. */
  readonly pressed?: string | undefined
  /** Why the last press failed; `''`: for no reason that a user needs. */
  readonly failed?: string | undefined
  /** The page has answered the button, with or without words. */
  readonly answered?: { readonly actionId: string; readonly text: string | undefined } | undefined
  readonly isReplying?: boolean
  readonly draft?: string
  readonly isSending?: boolean
  readonly isUnsent?: boolean
}

export interface RowStates {
  /** Grows with each change. */
  readonly revision: number
  get(id: NotifId): RowState
  /** Renders the row again. */
  set(id: NotifId, part: RowState): Promise<void>
  /** Why a press or reply failed, for the user. */
  describeFailure(error: unknown): string
}

export function createRowStates(inbox: InboxView): RowStates {
  const { host } = inbox
  const states = new Map<NotifId, RowState>()
  let revision = 0
  const focused = (): Element | null => (host.renderRoot as ShadowRoot).activeElement
  let focusedRow: HTMLElement | null | undefined
  // If an update removes the focused button or field, the row gets the focus.
  host.addController({
    hostUpdate: () => void (focusedRow = focused()?.closest('.below')?.closest('article')),
    hostUpdated: () => {
      if (focusedRow?.isConnected && !focused()) focusedRow.focus({ preventScroll: true })
    }
  })
  return {
    describeFailure(error) {
      if (typeof error === 'string') return error
      return Object(error).status === 0 ? inbox.messages.brokeOff : ''
    },
    get revision() {
      return revision
    },
    get: id => states.get(id) ?? {},
    async set(id, part) {
      states.set(id, { ...states.get(id), ...part })
      revision++
      host.requestUpdate()
      await host.updateComplete
    }
  }
}
