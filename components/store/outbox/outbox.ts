// The way of what a person does to the server: one request after another, so that they arrive in their order. What does
// not reach the server waits where the browser keeps it, and is tried again when others succeed.

import type { Surroundings } from '../environment.ts'
import { createRetry, isTemporary } from '../retry.ts'
import {
  createIdempotencyKey,
  TransportError,
  type Kept,
  type KeptAction,
  type KeptChoices,
  type Overtaken
} from '../transport.ts'
import type { Outcome } from '../types.ts'

export interface Waiter {
  done(outcome?: Outcome): void
  refused(error: unknown): void
}

/** One request. */
export interface Letter {
  /** When the person did the first of it, here or in another page: the order in which they are sent. Milliseconds since 1970. */
  readonly at: number
  /** Its Idempotency-Key: it changes with what is in it. */
  key: string
  /** Whether the next page of this browser will find it; the outbox sees to it. */
  kept?: Promise<boolean>
  /** Nothing can be taken out of it now; once it was, the server may have it, so nothing is added any more. */
  underWay?: boolean
  readonly waiters: Waiter[]
}

/** How much is left of a letter. */
export type Remainder = 'all' | 'some' | 'nothing'

interface Options<T extends Letter> {
  readonly environment: Pick<Surroundings, 'after' | 'now' | 'watch'>
  readonly kept: () => Promise<Kept | undefined>
  /** What the browser keeps of it. */
  readonly record: (letter: T) => KeptAction | KeptChoices
  /** Sends it, and takes the answer in. */
  readonly send: (letter: T) => Promise<void>
  /** Shows nothing of it any more. */
  readonly takeBack: (letter: T) => void
  /** Asks what has happened, and says whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** Leaves out what others have changed since the person saw it. @param before - sent earlier */
  readonly shrink: (letter: T, before: readonly T[]) => Remainder
  /** All that waits has been shrunk. */
  readonly shrunk?: () => void
  /** Everything is sent. */
  readonly idle?: () => void
}

interface Outbox<T extends Letter> {
  /** In their order, without those that the server has answered. */
  waiting(): readonly T[]
  /** @param begin - puts in what its waiter waits for, and is told the time of it; not called after the end */
  ask(begin: (waiter: Waiter, at: number) => void): Promise<Outcome>
  /** Something was done at this time in another page; what is asked from now on is later. */
  heard(at: number): void
  put(letter: T): void
  /** The same for what need not be in order: it is sent before all others. */
  hurry(letter: T): Promise<void>
  /** There is more in it than before. */
  changed(letter: T): void
  /** @param shrink - leaves out of each what nobody wants any more */
  review(shrink: (letter: T) => Remainder): void
  /** Goes on with what an earlier page left behind; gives the letters that are made of what is not there yet. */
  adopt<Left extends Pick<Letter, 'at' | 'key'>>(left: readonly Left[], make: (left: Left) => T): readonly T[]
  /** Tells the other pages. */
  readonly tell: Overtaken
  /** Tries at once what waits. */
  resume(): void
  end(): void
}

export function createOutbox<T extends Letter>(options: Options<T>): Outbox<T> {
  const { environment, kept } = options
  let waiting: readonly T[] = []
  /** Those and the hurried: nobody knows yet how they end. */
  const open = new Set<T>()
  let sending = false
  /** The server was not reached since: others may have been there before us. */
  let unsure = false
  let ended = false
  /** Time of the newest that is known: a clock may be set back, and what is done after something is later all the same. */
  let latest = 0
  let unwatch: (() => void) | undefined
  const retry = createRetry(environment)

  function keep(letter: T): void {
    const record = options.record(letter)
    letter.kept = kept().then(async own => (await own?.keep(record)) ?? false)
  }
  const arrange = (...letters: T[]): void => {
    waiting = letters.sort((one, other) => one.at - other.at)
  }
  const heard = (at: number): void => {
    latest = Math.max(latest, at)
  }
  const drop = async (key: string): Promise<void> => (await kept())?.drop(key)

  function leave(letter: T): void {
    waiting = waiting.filter(other => other !== letter)
    open.delete(letter)
    void drop(letter.key)
  }

  /** Whether the server has said anything to it. */
  async function deliver(letter: T): Promise<boolean> {
    letter.underWay = true
    try {
      await options.send(letter)
      leave(letter)
      for (const { done } of letter.waiters) done()
    } catch (error) {
      letter.underWay = false
      if (isTemporary(error) && (await letter.kept) && !ended) return false
      leave(letter)
      options.takeBack(letter)
      for (const { refused } of letter.waiters) refused(error)
    }
    return true
  }

  function review(letter: T, left: Remainder): void {
    if (left === 'some') {
      // Another request, so another key.
      void drop(letter.key)
      letter.key = createIdempotencyKey()
      keep(letter)
    } else if (left === 'nothing') {
      leave(letter)
      options.takeBack(letter)
      for (const { done } of letter.waiters) done()
    }
  }

  async function send(): Promise<void> {
    // Whatever the same task still does belongs to the same request.
    await Promise.resolve()
    // After the end nothing waits.
    for (let next; (next = waiting[0]);) {
      if (unsure) {
        if (!(await options.refresh())) return rest()
        unsure = false
        for (const letter of waiting)
          review(letter, options.shrink(letter, waiting.slice(0, waiting.indexOf(letter))))
        options.shrunk?.()
      } else {
        if (!(await deliver(next))) return rest()
        retry.reset()
      }
    }
    sending = false
    if (!ended) options.idle?.()
  }

  function rest(): void {
    sending = false
    unsure = true
    if (ended) return
    unwatch ??= environment.watch(signal => {
      if (signal === 'show' || signal === 'wake') resume()
    })
    retry.schedule(resume)
  }

  function resume(): void {
    retry.cancel()
    if (sending || ended || waiting.length === 0) return
    sending = true
    void send()
  }

  function changed(letter: T): void {
    keep(letter)
    resume()
  }

  return {
    adopt(left, make) {
      const known = new Set(waiting.map(({ key }) => key))
      const letters = left.filter(({ key }) => !known.has(key)).map(make)
      for (const letter of letters) {
        open.add(letter)
        heard(letter.at)
        letter.kept = Promise.resolve(true)
      }
      arrange(...letters, ...waiting)
      unsure ||= letters.length > 0
      resume()
      return letters
    },
    ask: begin =>
      new Promise((done, refused) => {
        if (ended) refused(new TransportError(0, 'The store is destroyed.'))
        else begin({ done, refused }, (latest = Math.max(latest + 1, environment.now())))
      }),
    changed,
    end() {
      ended = true
      retry.cancel()
      unwatch?.()
      waiting = []
      for (const { waiters } of open) for (const { done } of waiters) done('left')
      open.clear()
    },
    heard,
    async hurry(letter) {
      open.add(letter)
      keep(letter)
      if (await deliver(letter)) return
      arrange(...waiting, letter)
      if (!sending) rest()
    },
    put(letter) {
      open.add(letter)
      arrange(...waiting, letter)
      changed(letter)
    },
    resume,
    tell: (newer, at) => void kept().then(own => own?.tell(newer, at)),
    review: shrink => waiting.forEach(letter => review(letter, shrink(letter))),
    waiting: () => waiting
  }
}
