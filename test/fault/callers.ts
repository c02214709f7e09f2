// Careful back-ends under load: each send has a key of its own and is repeated under it until it is accepted.

import { setTimeout as pause } from 'node:timers/promises'

import { CLIENT, SECRET } from '../process/call.ts'

export interface Callers {
  /** Tracking id of every accepted send, by its key. */
  readonly accepted: ReadonlyMap<string, string>
  /** Answers that were neither 2xx nor 503: none is expected. */
  readonly surprises: readonly string[]
  /** Keys for which two tracking ids were answered: none is expected. */
  readonly split: readonly string[]
  /** Requests that failed or were refused for a while, and were repeated. */
  readonly repeats: () => number
  /** Resolves when so many more sends are accepted. */
  more(count: number): Promise<void>
  /** No new sends; resolves when every one under way is accepted. */
  finish(): Promise<void>
}

const AUTHORIZATION = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`

const bodyOf = (key: string, user: number): string =>
  JSON.stringify({
    email: { html: `<p>${key}</p>`, subject: key },
    inapp: { title: key },
    to: { email: `user${user}@example.com`, id: `user${user}` },
    type: 'fault'
  })

export interface CallersOptions {
  readonly callers: number
  /** How many inboxes take turns. */
  readonly users: number
  /** Default: into the inbox and by mail. */
  readonly body?: (key: string, user: number) => string
}

/** @param base - where the server is right now; it may move */
export function startCallers(
  base: () => string,
  { body: makeBody = bodyOf, callers, users }: CallersOptions
): Callers {
  const accepted = new Map<string, string>()
  const surprises: string[] = []
  const split: string[] = []
  const waiters: { at: number; resolve: () => void }[] = []
  let repeats = 0
  let made = 0
  const closing = new AbortController()

  /** @returns whether it is accepted */
  const attempt = async (key: string, body: string): Promise<boolean> => {
    try {
      const answer = await fetch(`${base()}/${CLIENT}/sender`, {
        body,
        headers: { authorization: AUTHORIZATION, 'idempotency-key': key },
        method: 'POST',
        signal: AbortSignal.timeout(10_000)
      })
      const text = await answer.text()
      if (!answer.ok) {
        if (answer.status !== 503) surprises.push(`${answer.status} ${text}`)
        return false
      }
      const { trackingId } = JSON.parse(text) as { trackingId: string }
      const before = accepted.get(key)
      if (before !== undefined && before !== trackingId) split.push(key)
      accepted.set(key, trackingId)
      return true
    } catch {
      return false
    }
  }

  const caller = async (name: number): Promise<void> => {
    while (!closing.signal.aborted) {
      const key = `${name}-${made++}`
      const body = makeBody(key, made % users)
      while (!(await attempt(key, body))) {
        repeats += 1
        await pause(20)
      }
      // A reader of the answer may die too: every tenth asks again and must hear the same.
      if (made % 10 === 0) await attempt(key, body)
      for (const waiter of waiters.splice(0)) {
        if (accepted.size >= waiter.at) waiter.resolve()
        else waiters.push(waiter)
      }
    }
  }

  const running = Array.from({ length: callers }, (_, name) => caller(name))
  return {
    accepted,
    async finish() {
      closing.abort()
      await Promise.all(running)
    },
    more: count => new Promise(resolve => void waiters.push({ at: accepted.size + count, resolve })),
    repeats: () => repeats,
    split,
    surprises
  }
}
