// Sends the actions of a user to the server, one request after another, so that they arrive in their order. A request that
// does not reach the server waits in the offline cache and is sent again after the back-off, or when the page comes back.

import type { BaseEnvironment } from '../environment.ts'
import { createRetry, isTemporary } from '../retry.ts'
import { TransportError, type OfflineCache, type StoredAction, type StoredChoices } from '../transport.ts'
import type { Outcome } from '../types.ts'

export interface Deferred {
  resolve(outcome?: Outcome): void
  reject(error: unknown): void
}

/** One write to the server. */
export interface OutboxRequest {
  /** Time of its first action by the local clock, in milliseconds since 1970. Requests are sent in this order. */
  readonly at: number
  /** Its Idempotency-Key. */
  readonly key: string
  /** Whether the offline cache has it, set by the outbox. */
  isStored?: Promise<boolean>
  /** False: it is sent again, because the server may have it. Undefined: not sent yet, so more can be added. */
  isSending?: boolean
  readonly deferreds: Deferred[]
}

interface Options<T extends OutboxRequest> {
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock' | 'now' | 'watch'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Returns what the offline cache stores of a request. */
  readonly record: (request: T) => StoredAction | StoredChoices
  /** Sends a request and applies the answer. */
  readonly send: (request: T) => Promise<void>
  /** Removes the optimistic update of a request. */
  readonly rollBack: (request: T) => void
  /** Called when everything is sent. */
  readonly onIdle?: () => void
}

interface Outbox<T extends OutboxRequest> {
  /** Requests that the server has not answered, in their order. */
  pending(): readonly T[]
  /** @param begin - adds the request that settles `deferred`; `at` is the time of the action by the local clock. Not called after the end */
  enqueue(begin: (deferred: Deferred, at: number) => void): Promise<Outcome>
  add(request: T): void
  /** Sends a request before all others, because its order does not matter. */
  sendNow(request: T): Promise<void>
  /** Stores a request that has another content than before. */
  store(request: T): void
  /** Removes a request and its optimistic update, unless the server may have it. Returns whether it did. */
  drop(request: T): boolean
  /** Continues with requests of closed pages. Returns those that were not pending here. */
  restore<Stored extends Pick<OutboxRequest, 'at' | 'key'>>(
    stored: readonly Stored[],
    toRequest: (stored: Stored) => T
  ): readonly T[]
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

export function createOutbox<T extends OutboxRequest>(options: Options<T>): Outbox<T> {
  const { environment, openCache } = options
  let pending: readonly T[] = []
  /** Pending requests and those sent before the others. */
  const unsettled = new Set<T>()
  let isSending = false
  let isEnded = false
  /** Time of the newest known action. A later action gets a later time even if the clock is set back. */
  let latestActionAt = 0
  let unwatch: (() => void) | undefined
  const retry = createRetry(environment)

  function store(request: T): void {
    const record = options.record(request)
    request.isStored = openCache().then(async cache => (await cache?.put(record)) ?? false)
  }
  const setPending = (requests: T[]): void => {
    pending = requests.sort((one, other) => one.at - other.at)
  }
  function remove(request: T): void {
    pending = pending.filter(other => other !== request)
    unsettled.delete(request)
    void openCache().then(cache => cache?.delete(request.key))
  }

  /** Resolves with whether the server answered. */
  async function deliver(request: T): Promise<boolean> {
    request.isSending = true
    try {
      await options.send(request)
      remove(request)
      for (const { resolve } of request.deferreds) resolve()
    } catch (error) {
      request.isSending = false
      if (isTemporary(error) && (await request.isStored) && !isEnded) return false
      remove(request)
      options.rollBack(request)
      for (const { reject } of request.deferreds) reject(error)
    }
    return true
  }

  async function sendPending(): Promise<void> {
    // Actions of the same task may still join the request.
    await Promise.resolve()
    // After the end nothing is pending.
    for (let next; (next = pending[0]);) {
      if (!(await deliver(next))) return pause()
      retry.reset()
    }
    isSending = false
    if (!isEnded) options.onIdle?.()
  }

  /** Waits for the back-off, or until the page comes back. */
  function pause(): void {
    isSending = false
    if (isEnded) return
    unwatch ??= environment.watch(signal => {
      if (signal === 'show' || signal === 'wake') resume()
    })
    retry.schedule(resume)
  }

  function resume(): void {
    retry.cancel()
    if (isSending || isEnded || pending.length === 0) return
    isSending = true
    void sendPending()
  }

  return {
    add(request) {
      unsettled.add(request)
      setPending([...pending, request])
      store(request)
      resume()
    },
    drop(request) {
      if (request.isSending !== undefined) return false
      remove(request)
      options.rollBack(request)
      for (const { resolve } of request.deferreds) resolve()
      return true
    },
    end() {
      isEnded = true
      retry.cancel()
      unwatch?.()
      pending = []
      for (const { deferreds } of unsettled) for (const { resolve } of deferreds) resolve('left')
      unsettled.clear()
    },
    enqueue: begin =>
      new Promise((resolve, reject) => {
        if (isEnded) reject(new TransportError(0, 'The store is destroyed.'))
        else {
          const now = environment.now() - (environment.clock?.offsetMs ?? 0)
          begin({ resolve, reject }, (latestActionAt = Math.max(latestActionAt + 1, now)))
        }
      }),
    pending: () => pending,
    restore(stored, toRequest) {
      const keys = new Set(pending.map(({ key }) => key))
      const requests = stored.filter(({ key }) => !keys.has(key)).map(toRequest)
      for (const request of requests) {
        unsettled.add(request)
        latestActionAt = Math.max(latestActionAt, request.at)
        request.isStored = Promise.resolve(true)
      }
      setPending([...requests, ...pending])
      resume()
      return requests
    },
    resume,
    async sendNow(request) {
      unsettled.add(request)
      store(request)
      if (await deliver(request)) return
      setPending([...pending, request])
      if (!isSending) pause()
    },
    store
  }
}
