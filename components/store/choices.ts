// A person's choices of preferences: shown until an answer of the server holds them, or until they are taken back.

import type { Choice, Delivery } from '../protocol/index.ts'
import type { Surroundings } from '../transport/environment.ts'
import type { Kept, KeptChoices, Transport } from '../transport/transport.ts'
import { createOutbox, newKey, type Letter } from './outbox.ts'
import type { Outcome } from './store.ts'

interface Asked extends Letter {
  choices: readonly Choice[]
  seen: KeptChoices['seen']
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

const choicesOf = (asked: readonly Asked[]): Choice[] => asked.flatMap(({ choices }) => choices)

export function createChoices({ changed, find, transport, ...options }: Options): Choices {
  /** The server has them, and no answer holds them yet. */
  let sent: readonly Asked[] = []

  const outbox = createOutbox<Asked>({
    ...options,
    record: ({ choices, key, seen }) => ({ choices, key, seen }),
    async send(asked) {
      await transport.choose(asked.choices, asked.key)
      sent = [...sent, asked]
    },
    shrink(asked, before) {
      const { choices, seen } = asked
      const earlier = choicesOf(before)
      const stays = choices.map((choice, index) => {
        const [now, saw] = [find(choice, earlier), seen[index] ?? undefined]
        return now === undefined || saw === undefined || now === saw || now === choice.delivery
      })
      asked.choices = choices.filter((_, index) => stays[index])
      asked.seen = seen.filter((_, index) => stays[index])
      if (asked.choices.length === choices.length) return 'all'
      if (asked.choices.length === 0) return 'nothing'
      changed()
      return 'some'
    },
    takeBack: changed
  })
  const all = (): Choice[] => choicesOf([...sent, ...outbox.waiting()])

  return {
    adopt(left) {
      const ends: Promise<Outcome>[] = []
      outbox.adopt(left, ({ choices, key, seen }) => {
        const letter: Asked = { choices, key, seen, waiters: [] }
        ends.push(outbox.ask(waiter => letter.waiters.push(waiter)))
        return letter
      })
      changed()
      return Promise.all(ends)
    },
    all,
    choose: choices =>
      outbox.ask(waiter => {
        const before = all()
        const seen = choices.map(one => find(one, before) ?? null)
        outbox.put({ choices, key: newKey(), seen, waiters: [waiter] })
        changed()
      }),
    end() {
      outbox.end()
      sent = []
    },
    isIdle: () => outbox.waiting().length === 0,
    resume: outbox.resume,
    sent() {
      const over = new Set(sent)
      return () => (sent = sent.filter(one => !over.has(one)))
    }
  }
}
