// Commands over HTTP. A command that got no answer is sent again under the same key, so it happens once.

import { isInboxChange, isInboxPage, isInboxReset, parseJson } from '../protocol/index.ts'
import type { ServerClock } from '../store/clock.ts'
import type { Surroundings } from '../store/environment.ts'
import { createBackoff, isTemporary } from '../store/retry.ts'
import {
  createIdempotencyKey,
  TransportError,
  type Address,
  type Commands,
  type Identity
} from '../store/transport.ts'
import type { Account } from './web-push.ts'

/** Longest wait for one answer, in milliseconds. */
const TIME_LIMIT = 15_000
/** After the last attempt the caller decides when to ask again. */
const MAX_ATTEMPTS = 3
/** A body above this may not outlive its page (Fetch standard: 64 KiB for all of them together). */
const KEEPALIVE = 60_000
/** How long web push waits at the start of a page, in milliseconds. */
const AFTERWARDS = 1000
/** A difference of the clocks up to this may be the travel time of the answer. */
const MAX_TRAVEL_MS = 10_000

interface Options {
  readonly address: Address
  readonly environment: Pick<Surroundings, 'after' | 'clock'>
  /** The user's hash; `forget` is called when the server does not accept it. */
  readonly hash: () => Promise<string>
  readonly forget: () => void
}

// btoa takes bytes; names are not ASCII only.
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

async function toError(answer: Response): Promise<TransportError> {
  const problem: unknown = await answer.json().catch(() => undefined)
  const { detail, message, title } = Object(problem) as Record<string, unknown>
  return new TransportError(
    answer.status,
    String(detail ?? message ?? title ?? `The server answered ${answer.status}.`)
  )
}

/** Reads the server's clock from the Date header (RFC 9110, section 6.6.1). Without the header the local clock is used. */
function observeTime(clock: ServerClock, { headers }: Response, requestedAt: number): void {
  const offsetMs = Date.parse(String(headers.get('date'))) - (requestedAt + Date.now()) / 2
  clock.offsetMs = Math.abs(offsetMs) > MAX_TRAVEL_MS ? offsetMs : 0
}

export function httpCommands({ address, environment, forget, hash }: Options): Commands {
  const { apiUrl = '', clientId, serviceWorkerPath, userId } = address
  const user = `${apiUrl.replace(/\/+$/, '')}/${encodeURIComponent(clientId)}/users/${encodeURIComponent(userId)}`

  async function once(path: string, init: RequestInit): Promise<unknown> {
    const own = await hash()
    const credentials = base64([clientId, userId, ...(own ? [own] : [])].join(':'))
    const asked = Date.now()
    let answer: Response
    try {
      answer = await fetch(user + path, {
        ...init,
        cache: 'no-store',
        // A refusal shall come back here, not as the browser's own question for a password.
        credentials: 'omit',
        headers: { ...init.headers, authorization: `Basic ${credentials}` },
        signal: AbortSignal.timeout(TIME_LIMIT)
      })
      if (environment.clock) observeTime(environment.clock, answer, asked)
      if (answer.ok) return parseJson(await answer.text())
    } catch (cause) {
      throw new TransportError(0, 'The server could not be reached.', { cause })
    }
    if (answer.status === 401) forget()
    throw await toError(answer)
  }

  async function call<T>(path: string, is: (x: unknown) => x is T, init: RequestInit = {}): Promise<T> {
    const backoff = createBackoff()
    for (let attempts = 1; ; attempts++) {
      try {
        const answer = await once(path, init)
        if (is(answer)) return answer
        throw new TransportError(502, 'The server answered something else than expected.')
      } catch (error) {
        // The page may know a newer hash.
        const isExpired = error instanceof TransportError && error.status === 401
        if (isExpired && address.auth && attempts === 1) continue
        if (!isTemporary(error) || attempts === MAX_ATTEMPTS) throw error
        await new Promise<void>(resolve => environment.after(backoff.nextDelay(), resolve))
      }
    }
  }

  function command<T>(
    method: string,
    path: string,
    data: unknown,
    is: (x: unknown) => x is T,
    key = createIdempotencyKey()
  ): Promise<T> {
    const body = JSON.stringify(data)
    return call(path, is, {
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      // A click that leads away is still told.
      keepalive: body.length < KEEPALIVE,
      method
    })
  }

  const isMetadata = (x: unknown): x is { userAccountMetadata: Account } =>
    typeof Object(Object(x).userAccountMetadata).environmentVapidPublicKey === 'string'
  const isAnything = (x: unknown): x is unknown => x !== undefined
  const isChanges = (x: unknown): x is Awaited<ReturnType<Commands['changes']>> =>
    isInboxChange(x) || isInboxReset(x)

  const account = async (): Promise<Account> =>
    (await call('/account_metadata', isMetadata)).userAccountMetadata
  const identify = async (identity: Identity): Promise<void> => {
    await command('POST', '', identity, isAnything)
  }

  const push = { account, identify, path: serviceWorkerPath, user }
  // A browser may give out another subscription while no page looks: the next one that reads its inbox tells.
  const renew = async (): Promise<void> => {
    if (localStorage['notifWebPush']) await (await import('./web-push.ts')).renewSubscription(push)
  }
  // Not at once: a page stands still until the browser has opened its storage. Where none can be had, nothing was
  // subscribed.
  if ('localStorage' in globalThis) environment.after(AFTERWARDS, () => void renew().catch(() => {}))

  return {
    async choose(preferences, key) {
      await command('POST', '/preferences', { preferences }, isAnything, key)
    },
    async preferences() {
      // Most pages never ask.
      const { isPreferences } = await import('../protocol/preferences.ts')
      return call('/preferences', isPreferences)
    },
    changes: since => call(`/inbox/changes?since=${since}`, isChanges),
    identify,
    async kept(forgotten, overtaken) {
      if (!('indexedDB' in globalThis)) return undefined
      const { openCache } = await import('../store/offline/cache.ts')
      const address = new URL(user, globalThis.location?.href).href
      return openCache(address, environment.clock, forgotten, overtaken)
    },
    async optIn(on) {
      const { setOptIn } = await import('./web-push.ts')
      await setOptIn(on, push)
    },
    page: (count, cursor) =>
      call(`/inbox?${new URLSearchParams({ count: String(count), ...(cursor && { cursor }) })}`, isInboxPage),
    patch: (patch, key) => command('PATCH', '/inbox', patch, isInboxChange, key)
  }
}
