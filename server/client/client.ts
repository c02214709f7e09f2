// The client of one environment, for back-ends.

import { openAsk, type Patience } from './call.ts'
import { deadLetters } from './dead-letters.ts'
import { basic, path, userHash } from './encode.ts'
import { inApp } from './in-app.ts'
import { openLines } from './json-lines.ts'
import { logs } from './logs.ts'
import { baseOf, openLine } from './options.ts'
import { pieces } from './partials.ts'
import { preferences } from './preferences.ts'
import { trial } from './preview.ts'
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

/**
 * A client for one environment. Needs fetch, WebCrypto and AbortController and nothing else of its runtime.
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
    ...pieces(ask),
    ...trial(ask),
    /** What a page shows to prove that your back-end knows its user. Compute it here, never in a page. */
    userHash: (userId: string): Promise<string> => userHash(clientSecret, userId)
  }
}

export type NotifClient = ReturnType<typeof createClient>
