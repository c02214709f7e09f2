// Commands over HTTP. A command that got no answer is sent again under the same key, so it happens once.

import { isInboxChange, isInboxPage, isInboxReset, parseJson } from '../protocol/index.ts'
import { clock } from '../store/clock.ts'
import type { Surroundings } from '../store/environment.ts'
import { TransportError, type Address, type Commands, type Identity } from '../store/transport.ts'
import type { Account } from './web-push.ts'

/** Longest wait for one answer, in milliseconds. */
const TIME_LIMIT = 15_000
/** Waits before the second and the third try, in milliseconds. */
const PAUSES = [400, 1600]
/** A body above this may not outlive its page (Fetch standard: 64 KiB for all of them together). */
const KEEPALIVE = 60_000
/** How long web push waits at the start of a page, in milliseconds. */
const AFTERWARDS = 1000
/** A difference of the clocks below this may be the way of an answer, in milliseconds. */
const TRAVEL = 10_000

interface Options {
  readonly address: Address
  readonly environment: Pick<Surroundings, 'after'>
  /** The user's hash; `forget` is called when the server does not accept it. */
  readonly hash: () => Promise<string>
  readonly forget: () => void
}

// btoa takes bytes; names are not ASCII only.
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

async function toError(answer: Response): Promise<TransportError> {
  const problem: unknown = await answer.json().catch(() => undefined)
  const { detail, message, title } = Object(problem) as Record<string, unknown>
  return new TransportError(
    answer.status,
    String(detail ?? message ?? title ?? `The server answered ${answer.status}.`)
  )
}

/** What the server's clock says (RFC 9110, section 6.6.1). Where a proxy has taken it away, the own one will do. */
function learnTime({ headers }: Response, asked: number): void {
  const ahead = Date.parse(String(headers.get('date'))) - (asked + Date.now()) / 2
  clock.ahead = Math.abs(ahead) > TRAVEL ? ahead : 0
}

/** Not reached, or a proxy whose server is just starting. */
const isPassing = ({ status }: TransportError): boolean => status === 0 || (status >= 502 && status <= 504)

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
      learnTime(answer, asked)
      if (answer.ok) return parseJson(await answer.text())
    } catch (cause) {
      throw new TransportError(0, 'The server could not be reached.', { cause })
    }
    if (answer.status === 401) forget()
    throw await toError(answer)
  }

  async function call<T>(path: string, is: (x: unknown) => x is T, init: RequestInit = {}): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await once(path, init)
        if (is(answer)) return answer
        throw new TransportError(502, 'The server answered something else than expected.')
      } catch (error) {
        const pause = PAUSES[tries]
        if (!(error instanceof TransportError) || pause === undefined) throw error
        // Whoever is asked for the hash may know a newer one.
        if (error.status === 401 && address.auth && tries === 0) continue
        if (!isPassing(error)) throw error
        await new Promise<void>(resolve => environment.after(pause * (0.5 + Math.random()), resolve))
      }
    }
  }

  function command<T>(
    method: string,
    path: string,
    data: unknown,
    is: (x: unknown) => x is T,
    key = newKey()
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
    if (localStorage['notifWebPush']) await (await import('./web-push.ts')).renew(push)
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
      const { openKept } = await import('../store/offline/cache.ts')
      return openKept(new URL(user, globalThis.location?.href).href, forgotten, overtaken)
    },
    async optIn(on) {
      const { answer } = await import('./web-push.ts')
      await answer(on, push)
    },
    page: (count, cursor) =>
      call(`/inbox?${new URLSearchParams({ count: String(count), ...(cursor && { cursor }) })}`, isInboxPage),
    patch: (patch, key) => command('PATCH', '/inbox', patch, isInboxChange, key)
  }
}
