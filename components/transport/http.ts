// Commands over HTTP. A command without an answer is sent again with the same Idempotency-Key, so the server applies it once.

import {
  isInboxChange,
  isInboxPage,
  isInboxReset,
  isObject,
  isWhole,
  parseJson,
  type Pause
} from '../protocol/index.ts'
import { createBackoff } from '../store/backoff.ts'
import type { BaseEnvironment, ServerClock } from '../store/environment.ts'
import { isTemporary } from '../store/retry.ts'
import {
  createIdempotencyKey,
  TransportError,
  type Address,
  type Commands,
  type Identity,
  type TypeCounts
} from '../store/transport.ts'
import type { Account } from './web-push.ts'

/** Longest wait for one answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 15_000
/** After the last attempt the caller decides when to try again. */
const MAX_ATTEMPTS = 3
/** Longer bodies cannot be sent while the page closes (Fetch standard: 64 KiB for all of them together). */
const KEEPALIVE_MAX_LENGTH = 60_000
const WEB_PUSH_DELAY_MS = 1000
/** A difference of the clocks up to this may be the travel time of the answer. */
const MAX_TRAVEL_MS = 10_000

interface Options {
  readonly address: Address
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock'>
  /** Returns the hash of the user; `forgetHash` is called if the server does not accept it. */
  readonly getHash: () => Promise<string>
  readonly forgetHash: () => void
}

type Changes = Awaited<ReturnType<Commands['getChanges']>>
type News = (Changes | { readonly preferences: true }) & { readonly pause?: Pause }

export interface HttpCommands extends Commands {
  /**
   * Resolves with the changes after the version `since` as soon as there are any, or without changes after `seconds`. Rejects after
   * one attempt.
   */
  waitForChange(since: number, seconds: number, signal: AbortSignal): Promise<News>
}

// btoa takes bytes; names are not ASCII only.
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Leaves out what is empty. */
const toQuery = (values: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  ).toString()

const unexpected = (): TransportError =>
  new TransportError(502, 'The answer of the server has another form than expected.')

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
  // An offset that changes with each answer would put the times of actions out of order.
  if (Math.abs(offsetMs - (clock.offsetMs ?? 0)) > MAX_TRAVEL_MS) clock.offsetMs = offsetMs
  else clock.offsetMs ??= 0
}

export function httpCommands({ address, environment, forgetHash, getHash }: Options): HttpCommands {
  const { apiUrl = '', clientId, serviceWorkerPath, userId } = address
  const user = `${apiUrl.replace(/\/+$/, '')}/${encodeURIComponent(clientId)}/users/${encodeURIComponent(userId)}`

  /** @param waitMs - how long the server may wait before it answers */
  async function request(path: string, init: RequestInit, waitMs = 0): Promise<unknown> {
    const userHash = await getHash()
    const credentials = base64([clientId, userId, ...(userHash ? [userHash] : [])].join(':'))
    const requestedAt = Date.now()
    let answer: Response
    try {
      answer = await fetch(user + path, {
        ...init,
        cache: 'no-store',
        // Otherwise a refusal opens the password dialog of the browser.
        credentials: 'omit',
        headers: { ...init.headers, authorization: `Basic ${credentials}` },
        signal: AbortSignal.any([
          AbortSignal.timeout(REQUEST_TIMEOUT_MS + waitMs),
          ...(init.signal ? [init.signal] : [])
        ])
      })
      if (environment.clock && !waitMs) observeTime(environment.clock, answer, requestedAt)
      if (answer.ok) return parseJson(await answer.text())
    } catch (cause) {
      throw new TransportError(0, 'The server could not be reached.', { cause })
    }
    if (answer.status === 401) forgetHash()
    throw await toError(answer)
  }

  async function requestWithRetries<T>(
    path: string,
    is: (x: unknown) => x is T,
    init: RequestInit = {}
  ): Promise<T> {
    const backoff = createBackoff()
    for (let attempts = 1; ; attempts++) {
      try {
        const answer = await request(path, init)
        if (is(answer)) return answer
        throw unexpected()
      } catch (error) {
        // The page may return a newer hash.
        const isExpired = error instanceof TransportError && error.status === 401
        if (isExpired && address.auth && attempts === 1) continue
        if (!isTemporary(error) || attempts === MAX_ATTEMPTS) throw error
        await new Promise<void>(resolve => environment.after(backoff.nextDelay(), resolve))
      }
    }
  }

  function send<T>(
    method: string,
    path: string,
    data: unknown,
    is: (x: unknown) => x is T,
    key = createIdempotencyKey()
  ): Promise<T> {
    const body = JSON.stringify(data)
    return requestWithRetries(path, is, {
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      // A click on a link may close the page.
      keepalive: body.length < KEEPALIVE_MAX_LENGTH,
      method
    })
  }

  const isMetadata = (x: unknown): x is { userAccountMetadata: Account } =>
    typeof Object(Object(x).userAccountMetadata).environmentVapidPublicKey === 'string'
  const isTypeCounts = (x: unknown): x is TypeCounts =>
    isObject(x) && isWhole(x['version']) && isObject(x['byType']) && isObject(x['tags'])
  const isAnything = (x: unknown): x is unknown => x !== undefined
  const isChanges = (x: unknown): x is Changes => isInboxChange(x) || isInboxReset(x)
  const isNews = (x: unknown): x is News => isChanges(x) || Object(x).preferences === true

  const account = async (): Promise<Account> =>
    (await requestWithRetries('/account_metadata', isMetadata)).userAccountMetadata
  const identify = async (identity: Identity): Promise<void> => {
    await send('POST', '', identity, isAnything)
  }

  const push = { account, identify, path: serviceWorkerPath, user }
  // A browser may replace its subscription while no page is open: the next page that reads its inbox registers the new one.
  const renew = async (): Promise<void> => {
    if (localStorage['notifWebPush']) await (await import('./web-push.ts')).renewSubscription(push)
  }
  // Later, because a page blocks until the browser has opened its storage. Without storage nothing is subscribed.
  if ('localStorage' in globalThis) environment.after(WEB_PUSH_DELAY_MS, () => void renew().catch(() => {}))

  return {
    async updateDeliveries(preferences, key) {
      await send('POST', '/preferences', { preferences }, isAnything, key)
    },
    async updateSettings(patch, key) {
      await send('PATCH', '/preferences', patch, isAnything, key)
    },
    async updateTopic(id, isMember) {
      await send(isMember ? 'PUT' : 'DELETE', `/topics/${encodeURIComponent(id)}`, {}, isAnything)
    },
    async getPreferences() {
      // Most pages do not need this code.
      const { isPreferences } = await import('../protocol/preferences.ts')
      return requestWithRetries('/preferences', isPreferences)
    },
    getChanges: since => requestWithRetries(`/inbox/changes?since=${since}`, isChanges),
    identify,
    async openCache(forgotten) {
      if (!('indexedDB' in globalThis)) return undefined
      const { openCache } = await import('../store/offline/cache.ts')
      const address = new URL(user, globalThis.location?.href).href
      return openCache(address, environment.clock, forgotten)
    },
    async setWebPushOptIn(isOn) {
      const { setOptIn } = await import('./web-push.ts')
      await setOptIn(isOn, push)
    },
    getPage: (count, cursor, { tags, types, view } = {}) =>
      requestWithRetries(
        `/inbox?${toQuery({ count: String(count), cursor, tags: tags?.join(), types: types?.join(), view })}`,
        isInboxPage
      ),
    getTypeCounts: (types, tags) =>
      requestWithRetries(
        `/inbox/counts?${toQuery({ tags: tags.join(), types: types.join() })}`,
        isTypeCounts
      ),
    patch: (patch, key) => send('PATCH', '/inbox', patch, isInboxChange, key),
    press: (id, actionId, key) =>
      send(
        'POST',
        `/inbox/${encodeURIComponent(id)}/actions/${encodeURIComponent(actionId)}`,
        {},
        isInboxChange,
        key
      ),
    async waitForChange(since, seconds, signal) {
      const answer = await request(
        `/inbox/changes?since=${since}&wait=${seconds}`,
        { signal },
        seconds * 1000
      )
      if (isNews(answer)) return answer
      throw unexpected()
    }
  }
}
