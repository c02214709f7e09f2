// New sends of the log: a socket says when there are some, and the newest page is read again; they are kept until they may be shown.

import type { ReactiveController } from 'lit'

import type { LoaderHost } from '../api/loader.ts'
import type { AdminScope } from '../api/scope.ts'
import { querySends, type SendRecord, type SendsQuery } from '../api/sends.ts'
import { openTail } from '../api/suggestions.ts'

/** Without a socket. */
const POLL_MS = 2000
/** With one: what is shown changes its state without a message. */
const REFRESH_MS = 5000
const REOPEN_DELAY_MS = 10_000

export class Tail implements ReactiveController {
  /** Sends that came since, newest first, and were not taken. */
  waiting: readonly SendRecord[] = []
  /** Ids that were taken last: their rows are tinted. */
  fresh: ReadonlySet<string> = new Set()

  readonly #host: LoaderHost
  readonly #known: () => readonly SendRecord[]
  readonly #query: () => SendsQuery | undefined
  readonly #onChange: (changed: readonly SendRecord[]) => void
  #timer: ReturnType<typeof setInterval> | undefined
  #reopening: ReturnType<typeof setTimeout> | undefined
  #close: (() => void) | undefined
  #scope: AdminScope | undefined
  #polledAtMs = 0
  #hasSocket = false
  #isBusy = false

  /**
   * @param query - undefined while nothing is to be followed
   * @param known - what is shown
   * @param onChange - with records that are shown and differ now
   */
  constructor(
    host: LoaderHost,
    query: () => SendsQuery | undefined,
    known: () => readonly SendRecord[],
    onChange: (changed: readonly SendRecord[]) => void
  ) {
    this.#host = host
    this.#query = query
    this.#known = known
    this.#onChange = onChange
    host.addController(this)
  }

  hostConnected(): void {
    this.#timer = setInterval(() => {
      if (!this.#hasSocket || Date.now() - this.#polledAtMs >= REFRESH_MS) void this.#poll()
    }, POLL_MS)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
    this.#stop()
    this.clear()
  }

  /** The socket is of one environment, and open while something is to be followed. */
  hostUpdated(): void {
    const scope = this.#query() ? this.#host.scope : undefined
    if (scope === this.#scope) return
    this.#stop()
    this.#scope = scope
    if (scope) this.#open(scope)
  }

  #open(scope: AdminScope): void {
    this.#close = openTail(scope, {
      onClose: () => {
        this.#hasSocket = false
        this.#reopening = setTimeout(() => this.#open(scope), REOPEN_DELAY_MS)
      },
      onOpen: () => (this.#hasSocket = true),
      onSends: () => void this.#poll()
    })
  }

  #stop(): void {
    clearTimeout(this.#reopening)
    this.#close?.()
    this.#close = this.#scope = undefined
    this.#hasSocket = false
  }

  clear(): void {
    this.waiting = []
    this.fresh = new Set()
  }

  /** @returns what waited, which is shown from now on */
  take(): readonly SendRecord[] {
    const taken = this.waiting
    this.fresh = new Set(taken.map(({ trackingId }) => trackingId))
    this.waiting = []
    return taken
  }

  async #poll(): Promise<void> {
    const { scope } = this.#host
    const query = this.#query()
    if (!scope || !query || this.#isBusy || document.visibilityState !== 'visible') return
    this.#isBusy = true
    this.#polledAtMs = Date.now()
    const answer = await querySends(scope, query, null, undefined)
    this.#isBusy = false
    // The filter may be another one by now.
    if (!answer.ok || JSON.stringify(query) !== JSON.stringify(this.#query())) return
    const shown = new Map(this.#known().map(record => [record.trackingId, record]))
    const newest = this.#known()[0]?.received_at ?? ''
    const { logs } = answer.value
    this.waiting = logs.filter(one => !shown.has(one.trackingId) && one.received_at >= newest)
    const changed = logs.filter(one => {
      const before = shown.get(one.trackingId)
      return before && JSON.stringify(before) !== JSON.stringify(one)
    })
    if (changed.length > 0) this.#onChange(changed)
    if (changed.length > 0 || this.waiting.length > 0) this.#host.requestUpdate()
  }
}
