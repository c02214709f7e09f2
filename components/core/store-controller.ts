// Binds an element to the store that it finds in the page, while the element is connected.

import { ContextConsumer } from '@lit/context'
import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import type { NotifStore } from '../store/types.ts'
import { rootProvider, storeContext, type StoreContext } from './store-context.ts'
import { validateStore } from './validate.ts'

type Host = ReactiveElement & { store?: NotifStore | undefined }

/** Subscribes to atoms of the store and returns what unsubscribes. `onChange` renders the host again. */
export type Subscribe = (store: NotifStore, onChange: () => void) => readonly (() => void)[]

/** Finds the store (own property, nearest provider, document) and renders the host again when it changes. */
export class StoreController implements ReactiveController {
  /** Store of a list of the page; takes precedence. */
  listStore: NotifStore | undefined
  #bound: NotifStore | undefined
  #unsubscribes: (() => void)[] = []
  readonly #consumer: ContextConsumer<typeof storeContext, Host>
  readonly #host: Host
  readonly #subscribers: Set<Subscribe>
  readonly #update = (): void => this.#host.requestUpdate()

  constructor(host: Host, ...subscribers: readonly Subscribe[]) {
    this.#host = host
    this.#subscribers = new Set(subscribers)
    // First: a request that no provider answers is not repeated when a provider comes later.
    rootProvider()
    this.#consumer = new ContextConsumer(host, { context: storeContext, subscribe: true })
    host.addController(this)
  }

  get context(): StoreContext | undefined {
    return this.#consumer.value
  }

  get store(): NotifStore | undefined {
    return this.listStore ?? validateStore(this.#host) ?? this.context?.store
  }

  /** Adds a subscription of a part of the host that was loaded later. The same function is added once. */
  add(subscribe: Subscribe): void {
    if (this.#subscribers.has(subscribe)) return
    this.#subscribers.add(subscribe)
    if (this.#bound) this.#unsubscribes.push(...subscribe(this.#bound, this.#update))
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
    for (const subscribe of this.#subscribers) this.#unsubscribes.push(...subscribe(store, this.#update))
  }

  #release(): void {
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe()
    this.#bound = undefined
  }
}
