// Sends the actions of a user to the server, one request after another, so that they arrive in their order. A request that
// does not reach the server waits in the offline cache and is sent again after the back-off, or when the page comes back.

import type { Surroundings } from '../environment.ts'
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
  readonly environment: Pick<Surroundings, 'after' | 'now' | 'watch'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** What the offline cache stores of it. */
  readonly record: (request: T) => StoredAction | StoredChoices
  /** Sends it and applies the answer. */
  readonly send: (request: T) => Promise<void>
  /** Removes its optimistic update. */
  readonly rollBack: (request: T) => void
  /** Reads the newest state. Resolves with whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** Removes what was changed elsewhere since the user saw it. @param before - requests that are sent earlier */
  readonly shrink: (request: T, before: readonly T[]) => Remainder
  /** Called when all pending requests were shrunk. */
  readonly shrunk?: () => void
  /** Called when everything is sent. */
  readonly idle?: () => void
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
  /** A request has more content than before. */
  changed(request: T): void
  /** @param shrink - removes from each request what is out of date */
  review(shrink: (request: T) => Remainder): void
  /** Continues with what an earlier page left behind. Returns the requests that were not pending here. */
  adopt<Left extends Pick<OutboxRequest, 'at' | 'key'>>(
    left: readonly Left[],
    make: (left: Left) => T
  ): readonly T[]
  /** Informs the other pages of this browser. */
  readonly broadcast: OnRemoteChange
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

export function createOutbox<T extends OutboxRequest>(options: Options<T>): Outbox<T> {
  const { environment, openCache } = options
  let waiting: readonly T[] = []
  /** Pending requests and those sent before the others. */
  const open = new Set<T>()
  let sending = false
  /** The server was not reached for a while: other devices may have changed the same notifications. */
  let unsure = false
  let ended = false
  /** Time of the newest known action. A later action gets a later time even if the clock is set back. */
  let latest = 0
  let unwatch: (() => void) | undefined
  const retry = createRetry(environment)

  function keep(request: T): void {
    const record = options.record(request)
    request.isStored = openCache().then(async own => (await own?.keep(record)) ?? false)
  }
  const arrange = (...requests: T[]): void => {
    waiting = requests.sort((one, other) => one.at - other.at)
  }
  const observeTime = (at: number): void => {
    latest = Math.max(latest, at)
  }
  const drop = async (key: string): Promise<void> => (await openCache())?.drop(key)

  function leave(request: T): void {
    waiting = waiting.filter(other => other !== request)
    open.delete(request)
    void drop(request.key)
  }

  /** Resolves with whether the server answered. */
  async function deliver(request: T): Promise<boolean> {
    request.isSending = true
    try {
      await options.send(request)
      leave(request)
      for (const { resolve } of request.deferreds) resolve()
    } catch (error) {
      request.isSending = false
      if (isTemporary(error) && (await request.isStored) && !ended) return false
      leave(request)
      options.rollBack(request)
      for (const { reject } of request.deferreds) reject(error)
    }
    return true
  }

  function review(request: T, left: Remainder): void {
    if (left === 'some') {
      // Another content needs another key.
      void drop(request.key)
      request.key = createIdempotencyKey()
      keep(request)
    } else if (left === 'nothing') {
      leave(request)
      options.rollBack(request)
      for (const { resolve } of request.deferreds) resolve()
    }
  }

  async function send(): Promise<void> {
    // Actions of the same task may still join the request.
    await Promise.resolve()
    // After the end nothing is pending.
    for (let next; (next = waiting[0]);) {
      if (unsure) {
        if (!(await options.refresh())) return rest()
        unsure = false
        for (const request of waiting)
          review(request, options.shrink(request, waiting.slice(0, waiting.indexOf(request))))
        options.shrunk?.()
      } else {
        if (!(await deliver(next))) return rest()
        retry.reset()
      }
    }
    sending = false
    if (!ended) options.idle?.()
  }

  function rest(): void {
    sending = false
    unsure = true
    if (ended) return
    unwatch ??= environment.watch(signal => {
      if (signal === 'show' || signal === 'wake') resume()
    })
    retry.schedule(resume)
  }

  function resume(): void {
    retry.cancel()
    if (sending || ended || waiting.length === 0) return
    sending = true
    void send()
  }

  function changed(request: T): void {
    keep(request)
    resume()
  }

  return {
    adopt(left, make) {
      const known = new Set(waiting.map(({ key }) => key))
      const requests = left.filter(({ key }) => !known.has(key)).map(make)
      for (const request of requests) {
        open.add(request)
        observeTime(request.at)
        request.isStored = Promise.resolve(true)
      }
      arrange(...requests, ...waiting)
      unsure ||= requests.length > 0
      resume()
      return requests
    },
    enqueue: begin =>
      new Promise((resolve, reject) => {
        if (ended) reject(new TransportError(0, 'The store is destroyed.'))
        else begin({ resolve, reject }, (latest = Math.max(latest + 1, environment.now())))
      }),
    changed,
    end() {
      ended = true
      retry.cancel()
      unwatch?.()
      waiting = []
      for (const { deferreds } of open) for (const { resolve } of deferreds) resolve('left')
      open.clear()
    },
    observeTime,
    async sendNow(request) {
      open.add(request)
      keep(request)
      if (await deliver(request)) return
      arrange(...waiting, request)
      if (!sending) rest()
    },
    add(request) {
      open.add(request)
      arrange(...waiting, request)
      changed(request)
    },
    resume,
    broadcast: (newer, at) => void openCache().then(own => own?.tell(newer, at)),
    review: shrink => waiting.forEach(request => review(request, shrink(request))),
    pending: () => waiting
  }
}
