// New sends of the log: asks for the newest page again and again, and keeps what came until it may be shown.

import type { ReactiveController } from 'lit'

import type { LoaderHost } from '../api/loader.ts'
import { querySends, type SendRecord, type SendsQuery } from '../api/sends.ts'

const POLL_MS = 2000

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
    this.#timer = setInterval(() => void this.#poll(), POLL_MS)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
    this.clear()
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
