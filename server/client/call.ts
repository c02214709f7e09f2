// One call of the client: a request that is repeated until the server answers or the time is over.
//
// All attempts of a write carry the same Idempotency-Key, so the server applies it once.

import { path, query, type Query } from './encode.ts'
import { NotifProblem, NotifUnreachable } from './problem.ts'
import { backoffMs, isTemporary, retryAfterMs } from './retry.ts'

/** Time-outs and retries of a client. */
export interface Patience {
  /** Milliseconds for a call with all its attempts. Default: 30,000. */
  readonly timeout?: number
  /** Milliseconds for one attempt. Default: 10,000. */
  readonly attemptTimeout?: number
  /** How many times a call is repeated after a broken connection or a status of 429, 502, 503 or 504. Default: 5. */
  readonly retries?: number
}

/** Options of one call; the last argument of every operation. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds for this call with all its attempts. Default: the client's `timeout`. */
  readonly timeout?: number
  /** Milliseconds for one attempt. Default: the client's `attemptTimeout`. */
  readonly attemptTimeout?: number
  /**
   * Key of a call that changes something: the server applies the call once for each key within 24 hours and repeats its
   * answer. 1 to 255 printable ASCII characters. Default: a new key for each call, the same for all its attempts.
   */
  readonly idempotencyKey?: string
  /** `etagOf` what was read before: the server refuses the write (412) if the resource has changed since. */
  readonly ifMatch?: string | undefined
  /** `*` creates only: the server refuses the write (412) if the resource exists. */
  readonly ifNoneMatch?: '*' | undefined
}

const etags = new WeakMap<object, string>()

/** Returns the ETag with which the server answered this value, for `ifMatch`; undefined if it had none. */
export const etagOf = (value: object): string | undefined => etags.get(value)

/** What a call asks of the server. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments of the path below the base address, not encoded. */
  readonly path: readonly string[]
  readonly query?: Query
  readonly body?: unknown
}

/**
 * Makes a call and returns the JSON of its answer, or undefined if the answer has no body.
 *
 * @throws NotifProblem if the server refuses; NotifUnreachable if no complete answer came
 */
export type Call = <T>(operation: Operation, options?: CallOptions) => Promise<T>

/** As {@link Call}, for answers that `read` turns into a value. */
export type RetryingFetch = <T>(
  operation: Operation,
  options: CallOptions | undefined,
  read: (response: Response) => Promise<T>
) => Promise<T>

export const openCall =
  (retryingFetch: RetryingFetch): Call =>
  <T>(operation: Operation, options?: CallOptions) =>
    retryingFetch<T>(operation, options, readJson)

/** Fails on JSON that was cut off, which then counts as a broken connection. */
async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text()
  const value: unknown = text === '' ? undefined : JSON.parse(text)
  const etag = response.headers.get('etag')
  if (etag !== null && typeof value === 'object' && value !== null) etags.set(value, etag)
  return value as T
}

/** @throws TypeError if `baseURL` is not an http or https address, or has a query or a fragment */
export function checkedBase(baseURL: string): string {
  const { protocol, href, search, hash } = new URL(baseURL)
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    throw new TypeError(`baseURL: expected an http or https address without a query, not ${baseURL}.`)
  }
  return href.replace(/\/+$/, '')
}

/**
 * @param authorization - value of the Authorization header
 * @param base - address without a trailing slash
 */
export function openRetryingFetch(
  authorization: string,
  base: string,
  settings: Patience & { readonly fetch?: typeof globalThis.fetch }
): RetryingFetch {
  const {
    attemptTimeout: usualAttemptTimeout = 10_000,
    retries = 5,
    timeout: usualTimeout = 30_000
  } = settings
  // Some runtimes refuse a fetch that is called as a method of another object.
  const fetch: typeof globalThis.fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))
  return async <T>(
    operation: Operation,
    options: CallOptions = {},
    read: (response: Response) => Promise<T>
  ): Promise<T> => {
    const { body, method } = operation
    const address = base + path(...operation.path)
    const { attemptTimeout = usualAttemptTimeout, signal, timeout = usualTimeout } = options
    const idempotencyKey = method === 'GET' ? undefined : (options.idempotencyKey ?? crypto.randomUUID())
    const request: RequestInit = {
      headers: {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
        ...(options.ifNoneMatch !== undefined && { 'if-none-match': options.ifNoneMatch })
      },
      method,
      // A redirect that is followed would turn a POST into a GET, which changes nothing.
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) })
    }
    const endsAt = Date.now() + timeout
    // An attempt without an answer may have been applied.
    let mayBeApplied = false
    for (let attempts = 1; ; attempts++) {
      const timeoutMs = Math.min(endsAt - Date.now(), attemptTimeout)
      const target = address + query(operation.query)
      const result = await attempt({ address: target, fetch, read, request, signal, timeoutMs })
      if ('response' in result && !isTemporary(result.response.status)) {
        const { response, text } = result
        if (response.ok) return result.value as T
        if (method === 'DELETE' && mayBeApplied && response.status === 404) return undefined as T
        throw new NotifProblem(response, text, attempts)
      }
      mayBeApplied ||= 'cause' in result || result.response.status !== 429
      const requestedMs =
        'response' in result ? retryAfterMs(result.response.headers.get('retry-after'), Date.now()) : 0
      const waitMs = Math.max(requestedMs ?? 0, backoffMs(attempts, Math.random()))
      if (attempts > retries || Date.now() + waitMs >= endsAt) {
        if ('response' in result) throw new NotifProblem(result.response, result.text, attempts)
        throw new NotifUnreachable(`${method} ${address}`, { ...result, attempts, idempotencyKey })
      }
      await sleep(waitMs, signal)
    }
  }
}

/** A response that was read, or why there is none. */
type AttemptResult<T> =
  | { readonly response: Response; readonly text: string; readonly value?: T }
  | { readonly cause: unknown; readonly timedOut: boolean }

interface Attempt<T> {
  readonly fetch: typeof globalThis.fetch
  readonly address: string
  readonly request: RequestInit
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly read: (response: Response) => Promise<T>
}

/** @throws the signal's reason, and nothing else */
async function attempt<T>(options: Attempt<T>): Promise<AttemptResult<T>> {
  const { fetch, address, request, timeoutMs, signal, read } = options
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  let timedOut = false
  const timer = setTimeout(
    () => {
      timedOut = true
      controller.abort()
    },
    Math.max(0, timeoutMs)
  )
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const response = await fetch(address, { ...request, signal: controller.signal })
    if (response.ok) return { response, text: '', value: await read(response) }
    return { response, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    return { cause, timedOut }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** @throws the signal's reason */
function sleep(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, waitMs)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
}
