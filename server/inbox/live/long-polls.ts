// Long polls: requests that wait for the next change of an inbox, for networks that refuse WebSockets. A waiting request is a
// connection of the registry, so it costs a timer and an entry, and its inbox is read together with those of other connections.

import { userKeyText, type UserKey } from '../../core/id.ts'
import { Problem } from '../../http/problem.ts'
import { PREFERENCES_ANSWER, type Connection } from './connection.ts'
import type { SocketHub } from './socket-hub.ts'
import { CountPerKey } from './socket-limits.ts'

/** Waiting polls of one user: more than the browsers of a user, because a proxy may not pass on that a page was closed. */
export const MAX_POLLS_PER_USER = 20
/** Waiting polls of a process. An address has at most NOTIF_SOCKETS_PER_ADDRESS of them, together with its sockets. */
const MAX_POLLS = 20_000

export interface LongPoll extends UserKey {
  /** Inbox version of the client. */
  readonly since: number
  readonly waitMs: number
  /** See `addressKey`. */
  readonly addressKey: string
  /** See `UserCall`. */
  readonly credential: string | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface LongPolls {
  /**
   * Waits until the inbox or the preferences have changed.
   *
   * @returns the answer as JSON text: a change, a reset, or an empty change after the wait. Undefined if nothing was read yet, or
   *   if too many polls wait: the caller answers with the changes until now.
   * @throws Problem `unauthorized` if the credential becomes invalid
   */
  wait(poll: LongPoll): Promise<string | undefined>
}

class WaitingPoll implements Connection {
  readonly kind = 'long-poll'
  version: number | undefined
  credential: string | undefined
  isReady = false
  nextHeartbeatAt: number | undefined
  readonly answer: Promise<string | undefined>
  readonly #since: number
  readonly #result = Promise.withResolvers<string | undefined>()
  /** The answer if nothing changes. */
  #unchanged: string | undefined

  constructor(since: number) {
    this.#since = since
    this.answer = this.#result.promise
  }

  send(text: string): void {
    if (this.version !== this.#since || text.startsWith(PREFERENCES_ANSWER)) this.#result.resolve(text)
    else this.#unchanged = text
  }

  sendHeartbeat(): void {
    // A request is open until it is answered.
  }

  requestReconnect(): void {
    this.#result.resolve(this.#unchanged)
  }

  terminate(): void {
    this.#result.reject(new Problem('unauthorized', 'The credentials are no longer valid.'))
  }
}

export function createLongPolls(hub: SocketHub): LongPolls {
  const all = new CountPerKey(MAX_POLLS)
  const ofUser = new CountPerKey(MAX_POLLS_PER_USER)

  return {
    async wait({ addressKey, credential, signal, since, waitMs, ...user }) {
      const releases = [all.take(''), ofUser.take(userKeyText(user)), hub.addresses.take(addressKey)]
      const release = (): void => releases.forEach(end => end?.())
      if (hub.isClosing || releases.includes(undefined)) {
        release()
        return undefined
      }
      const poll = new WaitingPoll(since)
      const { close } = hub.open(poll, { ...user, credential, version: since })
      const end = (): void => poll.requestReconnect()
      const timer = setTimeout(end, waitMs)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      try {
        return await poll.answer
      } finally {
        clearTimeout(timer)
        close()
        release()
      }
    }
  }
}
