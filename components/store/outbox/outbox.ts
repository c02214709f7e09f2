// Sends the actions of a user to the server, one request after another, so that they arrive in their order. A request that
// does not reach the server waits in the offline cache and is sent again after the back-off, or when the page comes back.

import type { BaseEnvironment } from '../environment.ts'
import { createRetry, isTemporary } from '../retry.ts'
import {
  createIdempotencyKey,
  TransportError,
  type OfflineCache,
  type StoredAction,
  type StoredChoices,
  type OnRemoteChange
} from '../transport.ts'
import type { Outcome } from '../types.ts'

export interface Deferred {
  resolve(outcome?: Outcome): void
  reject(error: unknown): void
}

/** One write to the server. */
export interface OutboxRequest {
  /** Time of its first action, here or in another page, in milliseconds since 1970. Requests are sent in this order. */
  readonly at: number
  /** Its Idempotency-Key: it changes with the content. */
  key: string
  /** Whether the offline cache has it, set by the outbox. */
  isStored?: Promise<boolean>
  /** True: nothing can be removed. False: the server may have it, so nothing is added. Undefined: not sent yet. */
  isSending?: boolean
  readonly deferreds: Deferred[]
}

/** How much of a request is left. */
export type Remainder = 'all' | 'some' | 'nothing'

interface Options<T extends OutboxRequest> {
  readonly environment: Pick<BaseEnvironment, 'after' | 'now' | 'watch'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Returns what the offline cache stores of a request. */
  readonly record: (request: T) => StoredAction | StoredChoices
  /** Sends a request and applies the answer. */
  readonly send: (request: T) => Promise<void>
  /** Removes the optimistic update of a request. */
  readonly rollBack: (request: T) => void
  /** Reads the newest state. Resolves with whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** Removes what was changed elsewhere since the user saw it. @param before - requests that are sent earlier */
  readonly shrink: (request: T, before: readonly T[]) => Remainder
  /** Called when all pending requests were shrunk. */
  readonly onShrunk?: () => void
  /** Called when everything is sent. */
  readonly onIdle?: () => void
}

interface Outbox<T extends OutboxRequest> {
  /** Requests that the server has not answered, in their order. */
  pending(): readonly T[]
  /** @param begin - adds the request that settles `deferred`; `at` is the time of the action. Not called after the end */
  enqueue(begin: (deferred: Deferred, at: number) => void): Promise<Outcome>
  /** Another page did something at this time: actions from now on count as later. */
  observeTime(at: number): void
  add(request: T): void
  /** Sends a request before all others, because its order does not matter. */
  sendNow(request: T): Promise<void>
  /** Stores and sends a request that has more content than before. */
  update(request: T): void
  /** @param shrink - removes from each request what is out of date */
  review(shrink: (request: T) => Remainder): void
  /** Continues with requests of closed pages. Returns those that were not pending here. */
  restore<Stored extends Pick<OutboxRequest, 'at' | 'key'>>(
    stored: readonly Stored[],
    toRequest: (stored: Stored) => T
  ): readonly T[]
  /** Informs the other pages of this browser. */
  readonly broadcast: OnRemoteChange
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
  /** The server was not reached for a while: other devices may have changed the same notifications. */
  let needsRefresh = false
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
  const observeTime = (at: number): void => {
    latestActionAt = Math.max(latestActionAt, at)
  }
  const deleteStored = async (key: string): Promise<void> => (await openCache())?.delete(key)

  function remove(request: T): void {
    pending = pending.filter(other => other !== request)
    unsettled.delete(request)
    void deleteStored(request.key)
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

  function applyRemainder(request: T, remainder: Remainder): void {
    if (remainder === 'some') {
      // Another content needs another key.
      void deleteStored(request.key)
      request.key = createIdempotencyKey()
      store(request)
    } else if (remainder === 'nothing') {
      remove(request)
      options.rollBack(request)
      for (const { resolve } of request.deferreds) resolve()
    }
  }

  async function sendPending(): Promise<void> {
    // Actions of the same task may still join the request.
    await Promise.resolve()
    // After the end nothing is pending.
    for (let next; (next = pending[0]);) {
      if (needsRefresh) {
        if (!(await options.refresh())) return pause()
        needsRefresh = false
        for (const request of pending)
          applyRemainder(request, options.shrink(request, pending.slice(0, pending.indexOf(request))))
        options.onShrunk?.()
      } else {
        if (!(await deliver(next))) return pause()
        retry.reset()
      }
    }
    isSending = false
    if (!isEnded) options.onIdle?.()
  }

  /** Waits for the back-off, or until the page comes back. */
  function pause(): void {
    isSending = false
    needsRefresh = true
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

  function update(request: T): void {
    store(request)
    resume()
  }

  return {
    add(request) {
      unsettled.add(request)
      setPending([...pending, request])
      update(request)
    },
    broadcast: (newer, at) => void openCache().then(cache => cache?.broadcast(newer, at)),
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
        else begin({ resolve, reject }, (latestActionAt = Math.max(latestActionAt + 1, environment.now())))
      }),
    observeTime,
    pending: () => pending,
    restore(stored, toRequest) {
      const keys = new Set(pending.map(({ key }) => key))
      const requests = stored.filter(({ key }) => !keys.has(key)).map(toRequest)
      for (const request of requests) {
        unsettled.add(request)
        observeTime(request.at)
        request.isStored = Promise.resolve(true)
      }
      setPending([...requests, ...pending])
      needsRefresh ||= requests.length > 0
      resume()
      return requests
    },
    resume,
    review: shrink => pending.forEach(request => applyRemainder(request, shrink(request))),
    async sendNow(request) {
      unsettled.add(request)
      store(request)
      if (await deliver(request)) return
      setPending([...pending, request])
      if (!isSending) pause()
    },
    update
  }
}
