// Binds an element to the store of its place in the page, and lets go of it again.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import type { NotifStore } from '../store/types.ts'
import { followScope, type Scope } from './store-context.ts'
import { storeOf } from './validate.ts'

type Host = ReactiveElement & { store?: NotifStore | undefined }

/** Subscribes to what is needed and returns the ways to end it. `changed` renders the host again. */
export type Subscribe = (store: NotifStore, changed: () => void) => readonly (() => void)[]

/** Finds the store (own property, nearest provider, document) and renders the host again when it changes. */
export class StoreController implements ReactiveController {
  /** Before any other: a list that the page gave instead of a store. */
  own: NotifStore | undefined
  #bound: NotifStore | undefined
  #ends: (() => void)[] = []
  readonly #host: Host
  #leave: (() => void) | undefined
  #scope: Scope | undefined
  readonly #subscribers: Set<Subscribe>
  readonly #changed = (): void => this.#host.requestUpdate()

  constructor(host: Host, subscribe: Subscribe) {
    this.#host = host
    this.#subscribers = new Set([subscribe])
    host.addController(this)
  }

  get scope(): Scope | undefined {
    return this.#scope
  }

  get store(): NotifStore | undefined {
    return this.own ?? storeOf(this.#host) ?? this.scope?.store
  }

  /** A part of the host that came later also wants to listen; who said so already is not heard twice. */
  add(subscribe: Subscribe): void {
    if (this.#subscribers.has(subscribe)) return
    this.#subscribers.add(subscribe)
    if (this.#bound) this.#ends.push(...subscribe(this.#bound, this.#changed))
  }

  hostConnected(): void {
    this.#leave = followScope(this.#host, scope => {
      this.#scope = scope
      this.#changed()
    })
    this.#bind()
  }

  hostUpdate(): void {
    this.#bind()
  }

  hostDisconnected(): void {
    this.#leave?.()
    this.#release()
  }

  #bind(): void {
    const store = this.store
    if (store === this.#bound || !this.#host.isConnected) return
    this.#release()
    this.#bound = store
    if (!store) return
    for (const subscribe of this.#subscribers) this.#ends.push(...subscribe(store, this.#changed))
  }

  #release(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#bound = undefined
  }
}
