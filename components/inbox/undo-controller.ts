// Performs actions so that they can be undone, and loads the code of undo.

import type { Notif } from '../protocol/index.ts'
import { emit, type NotifAction } from '../view/emit.ts'
import type { InboxView } from './base/inbox-view.ts'
import type { Lines } from './undo/lines.ts'

export class UndoController {
  /** Undefined until the code is loaded. */
  lines: Lines | undefined
  readonly #inbox: InboxView
  readonly #onRefused: (error: unknown) => void
  #loading: Promise<Lines> | undefined
  /** Of the last action of the user. */
  #key: string | undefined

  /** @param onRefused - called if the server refuses an action that has no line */
  constructor(inbox: InboxView, onRefused: (error: unknown) => void) {
    this.#inbox = inbox
    this.#onRefused = onRefused
  }

  /**
   * @param apply - applies the action to the store
   * @param again - what a repetition applies; default: what the name of the action says
   */
  perform(
    action: NotifAction,
    item: Notif | undefined,
    apply: () => Promise<unknown>,
    again?: Parameters<InboxView['act']>[2]
  ): void {
    const { host, store } = this.#inbox
    const row = item && (host.renderRoot as ShadowRoot).getElementById(item.id)
    const height = row?.offsetHeight ?? 0
    // A store that the page wrote itself may have no undo.
    const before = store?.$undoable?.get()
    const change = apply()
    const undoable = store?.$undoable?.get()
    const isUndoable = undoable && undoable !== before
    const retry = (): void => this.#inbox.act(action, item, again)
    if (isUndoable) this.#key = undoable.key
    if (isUndoable) this.#use(lines => lines.add(undoable, item, height, retry))
    change.catch((error: unknown) => {
      if (!isUndoable) return this.#onRefused(error)
      // The code of the line may be what a lost connection kept away.
      this.load().then(
        lines => emit(host, 'notif-error', { error }) && lines.fail(undoable, item, retry),
        () => this.#onRefused(error)
      )
    })
  }

  /** Whether the last action was done here. Opening an inbox may mark all as opened, which no user did. */
  get canUndo(): boolean {
    return this.#key !== undefined && this.#inbox.store?.$undoable?.get()?.key === this.#key
  }

  undoLast(): void {
    if (this.canUndo) this.#use(lines => void lines.undo())
  }

  load(): Promise<Lines> {
    return (this.#loading ??= this.#import())
  }

  async #import(): Promise<Lines> {
    try {
      const { Lines } = await import('./undo/lines.ts')
      return (this.lines = new Lines(this.#inbox))
    } catch (error) {
      this.#loading = undefined
      throw error
    }
  }

  /** If the code cannot be loaded, the inbox works without undo. */
  #use(use: (lines: Lines) => void): void {
    if (this.lines) use(this.lines)
    else this.load().then(use, () => {})
  }
}
