// Back ends under load: each send has its own idempotency key and is repeated with it until it is accepted.

import { setTimeout as pause } from 'node:timers/promises'

import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { untilCount } from '../support/process.ts'

/** Disposal drops the requests in progress. */
export interface Callers extends Disposable {
  /** Tracking id of every accepted send, by its key. */
  readonly accepted: ReadonlyMap<string, string>
  /** Answers that were neither 2xx nor 503: none is expected. */
  readonly surprises: readonly string[]
  /** Keys for which two tracking ids were answered: none is expected. */
  readonly split: readonly string[]
  /** Number of repeated requests by the message of their failure. */
  readonly repeats: ReadonlyMap<string, number>
  /** Resolves when so many more sends are accepted. @throws after {@link PATIENCE}, and at the first surprise */
  more(count: number): Promise<void>
  /** No new sends; resolves when every one under way is accepted. @throws after {@link PATIENCE} */
  finish(): Promise<void>
}

/** Longer than any fault may keep both nodes from accepting sends, in milliseconds. */
const PATIENCE = 60_000

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
  /** Default: to the inbox and by email. */
  readonly body?: (key: string, user: number) => string
  /** Milliseconds from an answer to the next send of the same caller. Default: 0 */
  readonly rest?: number
}

/** @param base - returns the current address of the server */
export function startCallers(
  base: () => string,
  { body: makeBody = bodyOf, callers, rest = 0, users }: CallersOptions
): Callers {
  const accepted = new Map<string, string>()
  const surprises: string[] = []
  const split: string[] = []
  const repeats = new Map<string, number>()
  let sendCount = 0
  let underway = callers
  const closing = new AbortController()
  const dropped = new AbortController()

  /** @returns why it is not accepted */
  const attempt = async (key: string, body: string): Promise<string | undefined> => {
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
        return `${answer.status}`
      }
      const { trackingId } = JSON.parse(text) as { trackingId: string }
      const before = accepted.get(key)
      if (before !== undefined && before !== trackingId) split.push(key)
      accepted.set(key, trackingId)
      return undefined
    } catch (error) {
      const { cause, name } = error as Error
      return (cause as { code?: string } | undefined)?.code ?? name
    }
  }

  const caller = async (name: number): Promise<void> => {
    while (!closing.signal.aborted) {
      const key = `${name}-${sendCount++}`
      const body = makeBody(key, sendCount % users)
      for (;;) {
        const refusal = await attempt(key, body)
        if (refusal === undefined || dropped.signal.aborted) break
        repeats.set(refusal, (repeats.get(refusal) ?? 0) + 1)
        await pause(50)
      }
      // The reader of an answer may crash as well: every tenth request is repeated and must get the same answer.
      if (sendCount % 10 === 0) await attempt(key, body)
      if (rest > 0) await pause(rest)
    }
    underway -= 1
  }
  for (let name = 0; name < callers; name += 1) void caller(name)

  const isSo = async (what: string, question: () => boolean): Promise<void> => {
    const enough = (): boolean => question() || surprises.length > 0
    await untilCount(() => accepted.size, enough, what, PATIENCE)
    if (surprises.length > 0) throw new Error(`An answer that nobody expects: ${surprises[0]}`)
  }
  return {
    [Symbol.dispose]() {
      closing.abort()
      dropped.abort()
    },
    accepted,
    async finish() {
      closing.abort()
      await isSo('every send under way is accepted', () => underway === 0)
    },
    async more(count) {
      const enough = accepted.size + count
      await isSo(`${count} more sends are accepted`, () => accepted.size >= enough)
    },
    repeats,
    split,
    surprises
  }
}
