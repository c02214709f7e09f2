// The lines that undo actions. A row that leaves becomes its own line, so no other row comes under the pointer; an action on all rows has
// its line first in the list. One line has words at a time.

import { announce } from '../../announce/live-region.ts'
import { addEnglish } from '../../core/locale.ts'
import { actionMessages } from '../../messages/actions.en.ts'
import type { Notif } from '../../protocol/index.ts'
import type { Undoable } from '../../store/types.ts'
import { ALERT } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView, UndoLine, UndoLines } from '../base/inbox-view.ts'
import { keyCap } from '../base/key.styles.ts'
import { animateHeight, watchPointer } from './leaving.ts'
import { styles } from './line.styles.ts'
import { renderLine } from './line.ts'
import { describe } from './words.ts'

/** An undo that lies where the button of the row was does not answer a double click. */
const DEAD_MS = 300

/** Actions after which a row is not where it was. */
const LEAVING: ReadonlySet<Undoable['action']> = new Set(['archive', 'digest', 'mute', 'snooze', 'unarchive'])

export class Lines implements UndoLines {
  all: readonly UndoLine[] = []
  readonly #inbox: InboxView
  /** Vertical place of the pointer in the list; undefined if it is not there. */
  readonly #pointer: () => number | undefined

  constructor(inbox: InboxView) {
    const { host } = inbox
    this.#inbox = inbox
    adoptStyles(host, keyCap, styles)
    addEnglish(actionMessages)
    host.source.add(store => [store.$undoable.listen(undoable => this.endOthers(undoable?.key))])
    this.#pointer = watchPointer(host.renderRoot, () => {
      for (const line of this.all) if (line.state === 'spent') void this.#close(line)
    })
  }

  /**
   * @param height - of the row that left, in pixels
   * @param retry - repeats the action if the server refuses it
   */
  add(undoable: Undoable, item: Notif | undefined, height: number, retry: () => void): void {
    const { host, view } = this.#inbox
    const { icon, words } = describe(this.#inbox, undoable)
    announce(() => [`${words}. ${this.#inbox.messages.pressZ}`, host.language.messagesLang])
    const isRow = item !== undefined
    this.endOthers(undoable.key)
    // A row that stays needs no line; Z still takes the action back.
    if (isRow && view?.rows.some(({ id }) => id === item.id) && !this.#leaves(item)) return
    const line: UndoLine = {
      bornAt: performance.now(),
      height,
      icon,
      item,
      key: undoable.key,
      retry,
      state: 'live',
      words
    }
    this.all = [...this.all, line]
    void this.#enter(line)
  }

  /** Whether a row of the last view is not in the list any more. */
  #leaves({ id }: Notif): boolean {
    const { store, tab } = this.#inbox
    const now = store?.$notifications.get().find(item => item.id === id)
    if (!now) return true
    // Another time leaves the row among the snoozed ones.
    if (tab === 'snoozed') return !now.snoozedUntil
    if (now.snoozedUntil) return true
    if (tab === 'archived') return !now.archived
    return Boolean(now.archived) || (tab === 'unread' && !this.#inbox.isUnread(now))
  }

  async #enter(line: UndoLine): Promise<void> {
    const { host } = this.#inbox
    host.requestUpdate()
    await host.updateComplete
    const element = this.#find(line)
    if (element) await animateHeight(element, line.height, element.offsetHeight)
  }

  #find({ key }: UndoLine): HTMLElement | undefined {
    const lines = this.#inbox.host.renderRoot.querySelectorAll<HTMLElement>('.undo-line')
    return [...lines].find(element => element.dataset['key'] === key)
  }

  /** The server refused: the row is back, and its line says so until the next action. */
  fail({ action, key }: Undoable, item: Notif | undefined, retry: () => void): void {
    const { host, messages } = this.#inbox
    const words = item && action === 'archive' ? messages.notArchived : messages.notDone
    const text = item && LEAVING.has(action) ? messages.isBack(item.title) : undefined
    const line = this.all.find(one => one.key === key)
    const failed: UndoLine = {
      bornAt: performance.now(),
      height: 0,
      item,
      key,
      ...line,
      icon: ALERT,
      retry,
      state: 'failed',
      text,
      words
    }
    this.all = [...this.all.filter(one => one.key !== key), failed]
    announce(() => [words, host.language.messagesLang])
    host.requestUpdate()
  }

  /** The next action ends the lines before it, wherever it was done. Without one, a line about a failure stays. */
  endOthers(key: string | undefined): void {
    for (const line of this.all) {
      const isEnded = line.state === 'live' || (line.state === 'failed' && key !== undefined)
      if (isEnded && line.key !== key) this.spend(line)
    }
  }

  /** The time of a line is over. What lies above the pointer stays blank until the pointer leaves, so that no row moves under it. */
  spend(line: UndoLine): void {
    const pointer = this.#pointer()
    const element = this.#find(line)
    if (element && pointer !== undefined && element.getBoundingClientRect().top < pointer) {
      this.#set(line, 'spent')
    } else void this.#close(line)
  }

  #set(line: UndoLine, state: UndoLine['state']): void {
    this.all = this.all.map(one => (one.key === line.key ? { ...one, state } : one))
    this.#inbox.host.requestUpdate()
  }

  async #close(line: UndoLine): Promise<void> {
    this.#set(line, 'closing')
    const element = this.#find(line)
    if (element) await animateHeight(element, element.offsetHeight, 0)
    this.#remove(line)
  }

  #remove({ key }: UndoLine): void {
    this.all = this.all.filter(line => line.key !== key || line.state !== 'closing')
    this.#inbox.host.requestUpdate()
  }

  clear(): void {
    this.all = []
  }

  /** Takes the last action back, also if its line is gone, and focuses the row that returns. */
  async undo(line?: UndoLine, isByPointer = false): Promise<void> {
    const { host, store } = this.#inbox
    const undoable = store?.$undoable.get()
    if (!store || !undoable || (line && line.key !== undoable.key)) return
    if (line && isByPointer && performance.now() - line.bornAt < DEAD_MS) return
    const root = host.renderRoot as ShadowRoot
    const hadFocus = root.activeElement !== null
    this.all = this.all.filter(one => one.key !== undoable.key)
    this.#inbox.reportRefusal(store.undo())
    announce(() => [this.#inbox.messages.undone, host.language.messagesLang])
    host.requestUpdate()
    await host.updateComplete
    const id = undoable.ids === 'ALL' ? undefined : undoable.ids[0]
    // The button of the line may have had the focus. After "all", the first row gets it.
    const first = hadFocus && !root.activeElement ? root.querySelector<HTMLElement>('article.item') : null
    const row = (id && root.getElementById(id)) || first
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }

  retry(line: UndoLine): void {
    this.all = this.all.filter(one => one !== line)
    line.retry()
  }

  render(line: UndoLine): unknown {
    return renderLine(this.#inbox, this, line)
  }
}
