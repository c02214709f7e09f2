// The client of one environment, for back-ends.

import { openAsk, openInsist, type Patience } from './ask.ts'
import { deadLetters } from './dead-letters.ts'
import { basic, path, userHash } from './encode.ts'
import { inApp } from './in-app.ts'
import { openLines } from './lines.ts'
import { logs } from './logs.ts'
import { preferences } from './preferences.ts'
import { schedules } from './schedules.ts'
import { sending } from './send.ts'
import { types } from './types.ts'
import { users } from './users.ts'

export interface ClientSettings extends Patience {
  readonly clientId: string
  /** Never in a page. */
  readonly clientSecret: string
  /** Address of the server, with or without a path, e.g. `https://notify.example.com`. */
  readonly baseURL: string
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
}

export const PATIENCE: Required<Patience> = { attemptTimeout: 10_000, retries: 5, timeout: 30_000 }

/** Settings of a client that says who it is in its own way. */
export function openLine(
  authorization: string,
  base: string,
  settings: Patience & Pick<ClientSettings, 'fetch'>
) {
  const { attemptTimeout, retries, timeout } = { ...PATIENCE, ...defined(settings) }
  return openInsist({
    authorization,
    base,
    // Some runtimes want it called as a function of nobody, not of an object.
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    patience: { attemptTimeout, retries, timeout }
  })
}

const defined = (settings: Patience): Patience =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

/** @throws TypeError */
export function baseOf(baseURL: string): string {
  const { protocol, href, search, hash } = new URL(baseURL)
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    throw new TypeError(`Expected an http or https address without query, not ${baseURL}.`)
  }
  return href.replace(/\/+$/, '')
}

/**
 * A client for one environment. Needs fetch, WebCrypto and AbortController and nothing else: Node 20, Bun, Deno, workers.
 *
 * @throws TypeError when the address or the client id cannot be one
 */
export function createClient(settings: ClientSettings) {
  const { clientId, clientSecret } = settings
  const base = baseOf(settings.baseURL) + path(clientId)
  const insist = openLine(basic(clientId, clientSecret), base, settings)
  const ask = openAsk(insist)
  return {
    ...sending(ask),
    ...users(ask, openLines(insist)),
    ...preferences(ask),
    ...inApp(ask),
    ...schedules(ask),
    ...logs(ask),
    ...deadLetters(ask),
    ...types(ask),
    /** What a page shows to prove that your back-end knows its user. Compute it here, never in a page. */
    userHash: (userId: string): Promise<string> => userHash(clientSecret, userId)
  }
}

export type NotifClient = ReturnType<typeof createClient>
