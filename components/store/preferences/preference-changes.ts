// Changes of preferences: shown until an answer of the server contains them, or until they are rolled back.

import type { Choice, Delivery } from '../../protocol/index.ts'
import { topicOf } from '../../protocol/preferences.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type OutboxRequest, type Remainder } from '../outbox/outbox.ts'
import { createIdempotencyKey, type OfflineCache, type StoredChoices, type Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'

/** How long another page counts as still sending: a page that crashed never reports the end. */
const REMOTE_SEND_TIMEOUT_MS = 60_000

/** A choice that another page of this browser sends. */
interface RemoteChoice extends Choice {
  readonly at: number
  /** Answers to reads that begin after this time contain it, in milliseconds since 1970. */
  until: number
}

interface ChoiceRequest extends OutboxRequest {
  choices: readonly Choice[]
  seen: StoredChoices['seen']
}

interface Options {
  readonly environment: Pick<BaseEnvironment, 'after' | 'now' | 'watch'>
  readonly transport: Pick<Transport, 'updateDeliveries'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Reads the preferences. Resolves with whether the server was reached. */
  readonly refresh: () => Promise<boolean>
  /** The delivery on the server after some choices; undefined if it is not known. */
  readonly findDelivery: (choice: Choice, before: readonly Choice[]) => Delivery | undefined
  /** Called when `list` has changed. */
  readonly onChange: () => void
  /** Called when the server has all choices of this page. */
  readonly onIdle: () => void
}

interface PreferenceChanges {
  /** Choices that no answer contains yet, of this page and of other pages of this browser, in their order. */
  list(): readonly Choice[]
  isIdle(): boolean
  /** Called before the preferences are read; the returned function removes the choices that the answer contains. */
  beginRead(): () => void
  choose(choices: readonly Choice[]): Promise<Outcome>
  /** Continues with choices of closed pages; rejects when the server refuses one of them. */
  restore(stored: readonly StoredChoices[]): Promise<unknown>
  /**
   * Applies choices of another page.
   *
   * @param newer - if empty, the choices of that time are no longer pending there, and the next answer contains them
   * @param at - time of the choice, in milliseconds since 1970: later choices of this page stay
   */
  onRemoteChange(newer: readonly Choice[], at: number): void
  /** The next answer replaces all choices of other pages: they may have been closed. */
  expireRemote(): void
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

const listChoices = (requests: readonly ChoiceRequest[]): Choice[] =>
  requests.flatMap(({ choices }) => choices)

/** Returns a function that says whether a choice is about the same topic as one of `choices`. */
function createTopicFilter(choices: readonly Choice[]): (choice: Choice) => boolean {
  const topics = new Set(choices.map(topicOf))
  return choice => topics.has(topicOf(choice))
}

export function createPreferenceChanges({
  findDelivery,
  onChange,
  transport,
  ...options
}: Options): PreferenceChanges {
  /** The server has them, but no answer contains them yet. */
  let sentRequests: readonly ChoiceRequest[] = []
  let remoteChoices: readonly RemoteChoice[] = []

  function removeChoices(
    request: ChoiceRequest,
    shouldRemove: (choice: Choice, index: number) => boolean
  ): Remainder {
    const { choices, seen } = request
    const stays = choices.map((choice, index) => !shouldRemove(choice, index))
    request.choices = choices.filter((_, index) => stays[index])
    request.seen = seen.filter((_, index) => stays[index])
    if (request.choices.length === choices.length) return 'all'
    if (request.choices.length === 0) return 'nothing'
    onChange()
    return 'some'
  }

  const outbox = createOutbox<ChoiceRequest>({
    ...options,
    record: ({ at, choices, key, seen }) => ({ at, choices, key, seen }),
    async send(request) {
      await transport.updateDeliveries(request.choices, request.key)
      sentRequests = [...sentRequests, request]
      outbox.broadcast([], request.at)
    },
    shrink(request, before) {
      const earlier = listChoices(before)
      const { seen } = request
      return removeChoices(request, (choice, index) => {
        const [now, before] = [findDelivery(choice, earlier), seen[index] ?? undefined]
        return now !== undefined && before !== undefined && now !== before && now !== choice.delivery
      })
    },
    rollBack(request) {
      outbox.broadcast([], request.at)
      onChange()
    }
  })

  return {
    beginRead() {
      const now = options.environment.now()
      const contained = new Set<object>([
        ...sentRequests,
        ...remoteChoices.filter(({ until }) => until <= now)
      ])
      return () => {
        sentRequests = sentRequests.filter(request => !contained.has(request))
        remoteChoices = remoteChoices.filter(choice => !contained.has(choice))
      }
    },
    choose: choices =>
      outbox.enqueue((deferred, at) => {
        // Without the choices of other pages: as long as they are not sent, the server does not have them.
        const own = listChoices([...sentRequests, ...outbox.pending()])
        const seen = choices.map(choice => findDelivery(choice, own) ?? null)
        const isReplaced = createTopicFilter(choices)
        remoteChoices = remoteChoices.filter(choice => !isReplaced(choice))
        outbox.broadcast(choices, at)
        outbox.add({ at, choices, key: createIdempotencyKey(), seen, deferreds: [deferred] })
        onChange()
      }),
    end() {
      outbox.end()
      sentRequests = []
      remoteChoices = []
    },
    expireRemote() {
      for (const choice of remoteChoices) choice.until = 0
    },
    isIdle: () => outbox.pending().length === 0,
    list: () => [...listChoices(sentRequests), ...remoteChoices, ...listChoices(outbox.pending())],
    onRemoteChange(newer, at) {
      outbox.observeTime(at)
      const isReplaced = createTopicFilter(newer)
      for (const choice of newer.length > 0 ? [] : remoteChoices) if (choice.at === at) choice.until = 0
      const until = options.environment.now() + REMOTE_SEND_TIMEOUT_MS
      remoteChoices = [...remoteChoices, ...newer.map(choice => ({ ...choice, at, until }))]
      outbox.review(request => removeChoices(request, choice => request.at <= at && isReplaced(choice)))
      onChange()
    },
    restore(stored) {
      const outcomes: Promise<Outcome>[] = []
      remoteChoices = remoteChoices.filter(choice => !stored.some(({ at }) => at === choice.at))
      // An open page would have removed the choices that this page replaced since; a closed page did not.
      const isReplaced = createTopicFilter(listChoices(outbox.pending()))
      const restored = outbox.restore(stored, ({ at, choices, key, seen }) => {
        const request: ChoiceRequest = { at, choices, key, seen, deferreds: [] }
        outcomes.push(outbox.enqueue(deferred => request.deferreds.push(deferred)))
        return request
      })
      outbox.review(request => (restored.includes(request) ? removeChoices(request, isReplaced) : 'all'))
      onChange()
      return Promise.all(outcomes)
    },
    resume: outbox.resume
  }
}
