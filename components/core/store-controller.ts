// Binds an element to the store that it finds in the page, while the element is connected.

import { ContextConsumer } from '@lit/context'
import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import type { NotifStore } from '../store/types.ts'
import { rootProvider, storeContext, type StoreContext } from './store-context.ts'
import { validateStore } from './validate.ts'

type Host = ReactiveElement & { store?: NotifStore | undefined }

/** Subscribes to atoms of the store and returns what unsubscribes. `changed` renders the host again. */
export type Subscribe = (store: NotifStore, changed: () => void) => readonly (() => void)[]

/** Finds the store (own property, nearest provider, document) and renders the host again when it changes. */
export class StoreController implements ReactiveController {
  /** Takes precedence: a list that the page passed instead of a store. */
  own: NotifStore | undefined
  #bound: NotifStore | undefined
  #ends: (() => void)[] = []
  readonly #consumer: ContextConsumer<typeof storeContext, Host>
  readonly #host: Host
  readonly #subscribers: Set<Subscribe>
  readonly #changed = (): void => this.#host.requestUpdate()

  constructor(host: Host, ...subscribers: readonly Subscribe[]) {
    this.#host = host
    this.#subscribers = new Set(subscribers)
    // First: a request that no provider answers would stay without one.
    rootProvider()
    this.#consumer = new ContextConsumer(host, { context: storeContext, subscribe: true })
    host.addController(this)
  }

  get scope(): StoreContext | undefined {
    return this.#consumer.value
  }

  get store(): NotifStore | undefined {
    return this.own ?? validateStore(this.#host) ?? this.scope?.store
  }

  /** Adds a subscription of a part of the host that was loaded later. The same function is added once. */
  add(subscribe: Subscribe): void {
    if (this.#subscribers.has(subscribe)) return
    this.#subscribers.add(subscribe)
    if (this.#bound) this.#ends.push(...subscribe(this.#bound, this.#changed))
  }

  hostConnected(): void {
    this.#bind()
  }

  hostUpdate(): void {
    this.#bind()
  }

  hostDisconnected(): void {
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
