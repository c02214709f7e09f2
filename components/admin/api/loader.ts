// Reads one answer for an element: again when its key changes, on demand and at an interval; aborts requests whose answer is no longer needed.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

import type { Answer } from './client.ts'
import type { Problem } from './problem.ts'
import type { AdminScope } from './scope.ts'

/** A skeleton appears after this time, and then stays for the other one, so that it does not flash. */
const SKELETON_DELAY_MS = 150
const SKELETON_MIN_MS = 300

export interface LoaderHost extends ReactiveControllerHost, HTMLElement {
  readonly scope: AdminScope | undefined
}

export interface LoaderOptions<T> {
  readonly read: (scope: AdminScope, signal: AbortSignal) => Promise<Answer<T>> | undefined
  /** What the answer depends on beside the environment. Another key removes the value that is shown. */
  readonly key?: () => string
  /** Reads again at this interval while the page is visible. */
  readonly intervalMs?: number
  readonly onValue?: (value: T) => void
}

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

export class Loader<T> implements ReactiveController {
  value: T | undefined
  etag: string | undefined
  problem: Problem | undefined
  isLoading = false
  /** The place of the value is to be filled by a skeleton. */
  hasSkeleton = false

  readonly #host: LoaderHost
  readonly #options: LoaderOptions<T>
  #key: string | undefined
  #scope: AdminScope | undefined
  #abort = new AbortController()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(host: LoaderHost, options: LoaderOptions<T>) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  hostConnected(): void {
    const { intervalMs } = this.#options
    if (intervalMs) this.#timer = setInterval(this.#refresh, intervalMs)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
    this.#abort.abort()
    this.#key = undefined
  }

  hostUpdate(): void {
    const { scope } = this.#host
    const key = this.#options.key?.() ?? ''
    if (!scope || (key === this.#key && scope === this.#scope)) return
    this.#key = key
    this.#scope = scope
    this.value = this.problem = undefined
    void this.#read()
  }

  /** Reads again; the old value stays until the answer. */
  reload(): Promise<void> {
    return this.#read()
  }

  /** Shows a value that is known without a request, such as the answer of a change. */
  set(value: T): void {
    this.value = value
    this.#host.requestUpdate()
  }

  readonly #refresh = (): void => {
    if (document.visibilityState === 'visible' && !this.isLoading && this.#key !== undefined)
      void this.#read()
  }

  async #read(): Promise<void> {
    const scope = this.#scope
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    const reading = scope && this.#options.read(scope, signal)
    if (!reading) {
      this.isLoading = this.hasSkeleton = false
      return
    }
    this.isLoading = true
    const skeleton = this.value === undefined ? this.#showSkeleton(signal, reading) : undefined
    const answer = await reading
    await skeleton
    if (signal.aborted) return
    this.isLoading = this.hasSkeleton = false
    if (answer.ok) {
      this.problem = undefined
      this.value = answer.value
      this.etag = answer.etag
      this.#options.onValue?.(answer.value)
    } else if (!answer.problem.isAborted) this.problem = answer.problem
    this.#host.requestUpdate()
  }

  /** Resolves when the value may be shown. */
  async #showSkeleton(signal: AbortSignal, reading: Promise<unknown>): Promise<void> {
    const isEarly = await Promise.race([reading.then(() => true), wait(SKELETON_DELAY_MS)])
    if (isEarly || signal.aborted) return
    this.hasSkeleton = true
    this.#host.requestUpdate()
    await wait(SKELETON_MIN_MS)
  }
}
