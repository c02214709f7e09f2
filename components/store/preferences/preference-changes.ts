// Changes of preferences: shown until an answer of the server contains them, or until they are rolled back.

import type { Choice, Delivery } from '../../protocol/index.ts'
import { topicOf } from '../../protocol/preferences.ts'
import type { Surroundings } from '../environment.ts'
import { createOutbox, type OutboxRequest, type Remainder } from '../outbox/outbox.ts'
import { createIdempotencyKey, type OfflineCache, type StoredChoices, type Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'

/** How long another page counts as still sending: a page that crashed never reports the end. */
const REMOTE_SEND_TIMEOUT_MS = 60_000

interface Told extends Choice {
  readonly at: number
  /** Whatever is read from then on holds it. */
  until: number
}

interface Asked extends OutboxRequest {
  choices: readonly Choice[]
  seen: StoredChoices['seen']
}

interface Options {
  readonly environment: Pick<Surroundings, 'after' | 'now' | 'watch'>
  readonly transport: Pick<Transport, 'choose'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Asks what applies, and says whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** What applies on the server after some choices; undefined: it is not known. */
  readonly find: (choice: Choice, before: readonly Choice[]) => Delivery | undefined
  /** The pending choices have changed. */
  readonly changed: () => void
  /** Called when the server has all of them. */
  readonly idle: () => void
}

interface Choices {
  /** In their order, with those that no answer holds yet: of the server, and of other pages of this browser. */
  all(): readonly Choice[]
  isIdle(): boolean
  /** Those that an answer asked for now holds; the returned function says that it has come. */
  sent(): () => void
  choose(choices: readonly Choice[]): Promise<Outcome>
  /** Goes on with what an earlier page left behind; rejects when the server refuses any of it. */
  adopt(left: readonly StoredChoices[]): Promise<unknown>
  /**
   * Another page has chosen these.
   *
   * @param newer - none: what was chosen there at that time waits no more, and whatever is read from now on holds it
   * @param at - when: what was chosen here later stays
   */
  onRemoteChange(newer: readonly Choice[], at: number): void
  /** Whatever other pages have said until now: what is read next holds it, or they are there no more. */
  doubt(): void
  /** Tries at once what waits. */
  resume(): void
  end(): void
}

const choicesOf = (asked: readonly Asked[]): Choice[] => asked.flatMap(({ choices }) => choices)

export function createPreferenceChanges({ changed, find, transport, ...options }: Options): Choices {
  /** The server has them, and no answer holds them yet. */
  let sent: readonly Asked[] = []
  /** Those of other pages, which send them, and say when they wait no more. */
  let told: readonly Told[] = []

  function leaveOut(asked: Asked, isOver: (choice: Choice, index: number) => boolean): Remainder {
    const { choices, seen } = asked
    const stays = choices.map((choice, index) => !isOver(choice, index))
    asked.choices = choices.filter((_, index) => stays[index])
    asked.seen = seen.filter((_, index) => stays[index])
    if (asked.choices.length === choices.length) return 'all'
    if (asked.choices.length === 0) return 'nothing'
    changed()
    return 'some'
  }

  function isAbout(choices: readonly Choice[]): (choice: Choice) => boolean {
    const topics = new Set(choices.map(topicOf))
    return choice => topics.has(topicOf(choice))
  }

  const outbox = createOutbox<Asked>({
    ...options,
    record: ({ at, choices, key, seen }) => ({ at, choices, key, seen }),
    async send(asked) {
      await transport.choose(asked.choices, asked.key)
      sent = [...sent, asked]
      outbox.broadcast([], asked.at)
    },
    shrink(asked, before) {
      const earlier = choicesOf(before)
      const { seen } = asked
      return leaveOut(asked, (choice, index) => {
        const [now, saw] = [find(choice, earlier), seen[index] ?? undefined]
        return now !== undefined && saw !== undefined && now !== saw && now !== choice.delivery
      })
    },
    rollBack(asked) {
      outbox.broadcast([], asked.at)
      changed()
    }
  })
  const own = (): Choice[] => choicesOf([...sent, ...outbox.pending()])

  return {
    adopt(left) {
      const ends: Promise<Outcome>[] = []
      told = told.filter(one => !left.some(({ at }) => at === one.at))
      // Had that page been there when they were chosen, it would have heard of them.
      const isLater = isAbout(choicesOf(outbox.pending()))
      const adopted = outbox.adopt(left, ({ at, choices, key, seen }) => {
        const request: Asked = { at, choices, key, seen, deferreds: [] }
        ends.push(outbox.enqueue(deferred => request.deferreds.push(deferred)))
        return request
      })
      outbox.review(asked => (adopted.includes(asked) ? leaveOut(asked, isLater) : 'all'))
      changed()
      return Promise.all(ends)
    },
    all: () => [...choicesOf(sent), ...told, ...choicesOf(outbox.pending())],
    choose: choices =>
      outbox.enqueue((deferred, at) => {
        // What another page is only about to send changes nothing that the server could say.
        const before = own()
        const seen = choices.map(one => find(one, before) ?? null)
        const isNewer = isAbout(choices)
        told = told.filter(one => !isNewer(one))
        outbox.broadcast(choices, at)
        outbox.add({ at, choices, key: createIdempotencyKey(), seen, deferreds: [deferred] })
        changed()
      }),
    doubt() {
      for (const one of told) one.until = 0
    },
    end() {
      outbox.end()
      sent = []
      told = []
    },
    isIdle: () => outbox.pending().length === 0,
    onRemoteChange(newer, at) {
      outbox.observeTime(at)
      const isOver = isAbout(newer)
      for (const one of newer.length > 0 ? [] : told) if (one.at === at) one.until = 0
      const until = options.environment.now() + REMOTE_SEND_TIMEOUT_MS
      told = [...told, ...newer.map(one => ({ ...one, at, until }))]
      outbox.review(asked => leaveOut(asked, choice => asked.at <= at && isOver(choice)))
      changed()
    },
    resume: outbox.resume,
    sent() {
      const now = options.environment.now()
      const over = new Set<object>([...sent, ...told.filter(({ until }) => until <= now)])
      return () => {
        sent = sent.filter(one => !over.has(one))
        told = told.filter(one => !over.has(one))
      }
    }
  }
}
