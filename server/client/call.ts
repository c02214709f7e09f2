// One call: the same request, asked until it is answered or its time is over. A key makes that one deed.

import { path, query, type Query } from './encode.ts'
import { NotifProblem, NotifUnreachable } from './problem.ts'
import { backoff, isTemporary, retryAfter } from './retry.ts'

/** Settings of a client that are about the network. */
export interface Patience {
  /** Milliseconds for a call with all its tries. Default 30,000. */
  readonly timeout?: number
  /** Milliseconds for one try. Default 10,000. */
  readonly attemptTimeout?: number
  /** How often a call is made again after a broken connection, 429, 502, 503 or 504. Default 5. */
  readonly retries?: number
}

/** Last argument of every operation. */
export interface CallOptions {
  /** Gives up: the call throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds for this call with all its tries. Default: that of the client. */
  readonly timeout?: number
  /** Milliseconds for one try. Default: that of the client. */
  readonly attemptTimeout?: number
  /**
   * Of what changes something: the server does it once for each key within 24 hours, and repeats its answer. 1 to 255 printable
   * ASCII characters. Default: a new one for each call, the same for all its tries.
   */
  readonly idempotencyKey?: string
}

export interface Wanted {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parts of it, after the base. */
  readonly path: readonly string[]
  readonly query?: Query
  readonly body?: unknown
}

/** Asks, and gives the JSON of the answer; undefined where it has none. @throws NotifProblem, NotifUnreachable */
export type Ask = <T>(wanted: Wanted, options?: CallOptions) => Promise<T>

export interface Desk {
  /** Without trailing slash. */
  readonly base: string
  readonly authorization: string
  readonly patience: Required<Patience>
  readonly fetch: typeof globalThis.fetch
}

/** An answer that was read, or why there is none. */
type Heard<T> =
  | { readonly answer: Response; readonly text: string; readonly value?: T }
  | { readonly cause: unknown; readonly timedOut: boolean }

/** As {@link Ask}, for answers that are read in another way than as JSON. */
export type Insist = <T>(
  wanted: Wanted,
  options: CallOptions | undefined,
  read: (answer: Response) => Promise<T>
) => Promise<T>

export const openAsk =
  (insist: Insist): Ask =>
  <T>(wanted: Wanted, options?: CallOptions) =>
    insist<T>(wanted, options, readJson)

/** An answer that is cut off where nobody counts its bytes is not JSON either, and counts as broken. */
async function readJson<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export function openInsist({ base, authorization, patience, fetch }: Desk): Insist {
  return async <T>(
    wanted: Wanted,
    options: CallOptions = {},
    read: (answer: Response) => Promise<T>
  ): Promise<T> => {
    const { method } = wanted
    const address = base + path(...wanted.path)
    const { attemptTimeout = patience.attemptTimeout, signal, timeout = patience.timeout } = options
    const isDeed = method !== 'GET'
    const idempotencyKey = isDeed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const request: RequestInit = {
      headers: {
        authorization,
        ...(wanted.body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey })
      },
      method,
      // Followed, a POST would become a GET and the deed nothing.
      redirect: 'manual',
      ...(wanted.body !== undefined && { body: JSON.stringify(wanted.body) })
    }
    const end = Date.now() + timeout
    // What was not answered may have been done.
    let unsure = false
    for (let attempts = 1; ; attempts++) {
      const time = Math.min(end - Date.now(), attemptTimeout)
      const heard = await hear({ address: address + query(wanted.query), fetch, read, request, signal, time })
      if ('answer' in heard && !isTemporary(heard.answer.status)) {
        if (heard.answer.ok) return heard.value as T
        if (method === 'DELETE' && unsure && heard.answer.status === 404) return undefined as T
        throw new NotifProblem(heard.answer, heard.text, attempts)
      }
      unsure ||= 'cause' in heard || heard.answer.status !== 429
      const asked = 'answer' in heard ? retryAfter(heard.answer.headers.get('retry-after'), Date.now()) : 0
      const wait = Math.max(asked ?? 0, backoff(attempts, Math.random()))
      if (attempts > patience.retries || Date.now() + wait >= end) {
        if ('answer' in heard) throw new NotifProblem(heard.answer, heard.text, attempts)
        const what = `${method} ${address}`
        throw new NotifUnreachable(what, { ...heard, attempts, idempotencyKey })
      }
      await pause(wait, signal)
    }
  }
}

interface Try<T> {
  readonly fetch: typeof globalThis.fetch
  readonly address: string
  readonly request: RequestInit
  /** Milliseconds. */
  readonly time: number
  readonly signal: AbortSignal | undefined
  readonly read: (answer: Response) => Promise<T>
}

/** One try. @throws the signal's reason, and nothing else */
async function hear<T>({ fetch, address, request, time, signal, read }: Try<T>): Promise<Heard<T>> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(signal?.reason)
  let timedOut = false
  const late = () => {
    timedOut = true
    controller.abort()
  }
  const timer = setTimeout(late, Math.max(0, time))
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const answer = await fetch(address, { ...request, signal: controller.signal })
    if (answer.ok) return { answer, text: '', value: await read(answer) }
    return { answer, text: await answer.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    return { cause, timedOut }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}

function pause(wait: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, wait)
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
  })
}
