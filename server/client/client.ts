// The client of one environment, for back ends.

import { checkedBase, openRetryingFetch, type Patience } from './call.ts'
import { basic, path, userHash, webhookSecret } from './encode.ts'
import { environmentCalls } from './environment-calls.ts'

export interface ClientSettings extends Patience {
  readonly clientId: string
  /** Secret of the environment. Keep it on your servers; a web page must never contain it. */
  readonly clientSecret: string
  /** Address of the server, with or without a path, e.g. `https://notify.example.com`. */
  readonly baseURL: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Creates a client for one environment. It needs `fetch`, WebCrypto and AbortController, and nothing else of its runtime.
 *
 * Every operation takes `CallOptions` as its last argument and throws NotifProblem if the server refuses the call,
 * or NotifUnreachable if no complete answer came in time.
 *
 * @throws TypeError if `baseURL` is not an http or https address, or `clientId` cannot stand in a path
 */
export function createClient(settings: ClientSettings) {
  const { clientId, clientSecret } = settings
  const base = checkedBase(settings.baseURL) + path(clientId)
  return {
    ...environmentCalls(openRetryingFetch(basic(clientId, clientSecret), base, settings)),
    /**
     * Returns the user hash, with which a page proves that your back end knows its user. Compute it in your back end, never
     * in a page.
     */
    userHash: (userId: string): Promise<string> => userHash(clientSecret, userId),
    /** Returns the secret with which your back end verifies webhooks of buttons and replies, for any Standard Webhooks library. */
    webhookSecret: (): Promise<string> => webhookSecret(clientSecret)
  }
}

export type NotifClient = ReturnType<typeof createClient>
