// The way of a person's choices to the server: one request after another, so that they arrive in their order. What does
// not reach the server waits where the browser keeps it, and is tried again when others succeed.

import { task } from 'nanostores'

import type { Choice, Delivery } from '../protocol/index.ts'
import type { Surroundings } from '../transport/environment.ts'
import { TransportError, type Kept, type KeptChoices, type Transport } from '../transport/transport.ts'
import type { Outcome } from './store.ts'

/** First and longest wait before the server is tried again, in milliseconds; a network that comes back is not waited for. */
const [FIRST, LONGEST] = [2000, 60_000]

interface Asked extends KeptChoices {
  /** The server has it: over with the next answer that was asked for after this. */
  sent: boolean
  /** Whether the next page of this browser will find it. */
  kept: Promise<boolean>
  done(outcome?: Outcome): void
  refused(error: unknown): void
}

interface Options {
  readonly environment: Pick<Surroundings, 'after' | 'watch'>
  readonly transport: Pick<Transport, 'choose'>
  readonly kept: () => Promise<Kept | undefined>
  /** Asks what applies, and says whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** What applies by the server with some choices on it; undefined: nobody knows. */
  readonly find: (choice: Choice, before: readonly Choice[]) => Delivery | undefined
  /** Others wait than before. */
  readonly changed: () => void
  /** The server has all of them. */
  readonly idle: () => void
}

export interface Choices {
  /** In their order, with those that the server has and no answer holds yet. */
  all(): readonly Choice[]
  isIdle(): boolean
  /** Those that the server has now; the returned function says that an answer holds them. */
  sent(): () => void
  choose(choices: readonly Choice[]): Promise<Outcome>
  /** Goes on with what an earlier page left behind; rejects when the server refuses any of it. */
  adopt(left: readonly KeptChoices[]): Promise<unknown>
  /** Tries at once what waits. */
  resume(): void
  end(): void
}

// As in group.ts and actions.ts: to share them would cost every list a request.
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
const isPassing = (error: unknown): boolean =>
  error instanceof TransportError && (error.status === 0 || [429, 502, 503, 504].includes(error.status))

export function createChoices({ changed, environment, find, idle, transport, ...options }: Options): Choices {
  let pending: readonly Asked[] = []
  let sending = false
  /** The server was not reached since: others may have been there before us. */
  let unsure = false
  let ended = false
  let failures = 0
  let cancelRetry = (): void => {}
  let unwatch: (() => void) | undefined

  const waiting = (): readonly Asked[] => pending.filter(({ sent }) => !sent)
  const drop = async (key: string): Promise<void> => (await options.kept())?.drop(key)

  function keep({ choices, key, seen }: KeptChoices): Promise<boolean> {
    return options.kept().then(async kept => (await kept?.keep({ choices, key, seen })) ?? false)
  }

  function put(old: Asked, ...by: readonly Asked[]): void {
    void drop(old.key)
    pending = pending.flatMap(one => (one === old ? by : [one]))
    changed()
  }

  /** What others have changed since the person saw it stays as it is. */
  function yieldTo(): void {
    const before: Choice[] = []
    for (const one of waiting()) {
      const stays = one.choices.map((choice, index) => {
        const [now, saw] = [find(choice, before), one.seen[index] ?? undefined]
        return now === undefined || saw === undefined || now === saw || now === choice.delivery
      })
      const choices = one.choices.filter((_, index) => stays[index])
      before.push(...choices)
      if (choices.length === one.choices.length) continue
      const seen = one.seen.filter((_, index) => stays[index])
      // Another request, so another key.
      const left = { ...one, choices, key: newKey(), seen }
      if (choices.length > 0) put(one, { ...left, kept: keep(left) })
      else {
        put(one)
        one.done()
      }
    }
  }

  /** Whether the server has said anything to it. */
  async function deliver(one: Asked): Promise<boolean> {
    try {
      await transport.choose(one.choices, one.key)
      one.sent = true
      void drop(one.key)
      one.done()
    } catch (error) {
      if (isPassing(error) && (await one.kept) && !ended) return false
      put(one)
      one.refused(error)
    }
    return true
  }

  async function send(): Promise<void> {
    // After the end nothing waits.
    for (let next; (next = waiting()[0]);) {
      if (unsure) {
        if (!(await options.refresh())) return rest()
        unsure = false
        yieldTo()
      } else {
        if (!(await deliver(next))) return rest()
        failures = 0
      }
    }
    sending = false
    if (!ended) idle()
  }

  function rest(): void {
    sending = false
    unsure = true
    if (ended) return
    unwatch ??= environment.watch(signal => {
      if (signal === 'show' || signal === 'wake') go()
    })
    const wait = Math.min(LONGEST, FIRST * 2 ** failures++)
    cancelRetry = environment.after(wait * (0.5 + Math.random() / 2), go)
  }

  function go(): void {
    cancelRetry()
    if (sending || ended || waiting().length === 0) return
    sending = true
    void task(send)
  }

  return {
    adopt(left) {
      const known = new Set(pending.map(({ key }) => key))
      const fresh = left.filter(({ key }) => !known.has(key))
      const adopted: Asked[] = []
      const ends = fresh.map(
        one =>
          new Promise((done, refused) =>
            adopted.push({ ...one, done, kept: Promise.resolve(true), refused, sent: false })
          )
      )
      pending = [...adopted, ...pending]
      unsure ||= fresh.length > 0
      changed()
      go()
      return Promise.all(ends)
    },
    all: () => pending.flatMap(({ choices }) => choices),
    choose: choices =>
      new Promise((done, refused) => {
        if (ended) return refused(new TransportError(0, 'The store is destroyed.'))
        const before = pending.flatMap(one => one.choices)
        const asked = { choices, key: newKey(), seen: choices.map(one => find(one, before) ?? null) }
        pending = [...pending, { ...asked, done, kept: keep(asked), refused, sent: false }]
        changed()
        go()
      }),
    end() {
      ended = true
      cancelRetry()
      unwatch?.()
      for (const { done } of waiting()) done('left')
      pending = []
    },
    isIdle: () => waiting().length === 0,
    resume: go,
    sent() {
      const over = new Set(pending.filter(({ sent }) => sent))
      return () => (pending = pending.filter(one => !over.has(one)))
    }
  }
}
