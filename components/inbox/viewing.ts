// What opening an inbox does: it moves the line "New", or marks all notifications as opened.

import type { ReactiveController } from '@lit/reactive-element'

import type { NotifStore } from '../store/types.ts'
import { findVisible } from './actions.ts'
import type { InboxView } from './base/inbox-view.ts'
import { readMarkOpened } from './base/options.ts'
import { LookLine } from './look-line.ts'
import type { ReadState } from './read-state.ts'

export class Viewing implements ReactiveController {
  readonly lookLine = new LookLine()
  readonly #inbox: InboxView & { readonly readState: ReadState }
  #hasLooked = false
  #mode: ReturnType<typeof readMarkOpened> | undefined

  constructor(inbox: InboxView & { readonly readState: ReadState }) {
    this.#inbox = inbox
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.update)
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.update)
  }

  /** An inbox that is open follows another value of `mark-opened`. */
  hostUpdated(): void {
    const mode = readMarkOpened(this.#inbox.host)
    const isOther = this.#mode !== undefined && this.#mode !== mode
    this.#mode = mode
    // After the update, because looking makes another one.
    if (isOther && this.#inbox.readState.isViewed) queueMicrotask(this.update)
  }

  start(): void {
    this.#inbox.readState.isViewed = true
    this.update()
  }

  stop(): void {
    const newest = this.#inbox.store?.$notifications.get()[0]
    if (this.#hasLooked && newest) this.lookLine.look(newest.date)
    this.#hasLooked = false
    this.#inbox.readState.isViewed = false
    this.#inbox.readState.reset()
  }

  /** There may be other notifications. */
  readonly update = (): void => {
    const { host, readState, store } = this.#inbox
    if (!store) return
    const mode = readMarkOpened(host)
    if (mode === 'visible') this.#look(store)
    else if (mode === 'open')
      this.#inbox.reportRefusal(readState.openVisible(store, findVisible(host, store)))
  }

  /** Once for each time that the inbox is open, as soon as its notifications are there. */
  #look(store: NotifStore): void {
    const { host, readState } = this.#inbox
    if (this.#hasLooked || !readState.isViewed || store.$loading.get().state !== 'ready') return
    this.#hasLooked = true
    this.lookLine.open(host, store.$notifications.get())
    host.requestUpdate()
  }

  /** Another user. */
  forget(): void {
    this.lookLine.forget()
    this.#hasLooked = false
  }
}
