// Changes of preferences: shown until an answer of the server contains them, or until they are rolled back. The choice that
// reaches the server last wins.

import type { Choice } from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type OutboxRequest } from '../outbox/outbox.ts'
import { createIdempotencyKey, type OfflineCache, type StoredChoices, type Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'

type ChoiceRequest = OutboxRequest & StoredChoices

interface Options {
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock' | 'now' | 'watch'>
  readonly transport: Pick<Transport, 'updateDeliveries'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Called when `list` has changed. */
  readonly onChange: () => void
  /** Called when the server has all choices of this page. */
  readonly onIdle: () => void
}

interface PreferenceChanges {
  /** Choices of this page that no answer contains yet, in their order. */
  list(): readonly Choice[]
  isIdle(): boolean
  /** Called before the preferences are read; the returned function removes the choices that the answer contains. */
  beginRead(): () => void
  choose(choices: readonly Choice[]): Promise<Outcome>
  /** Continues with choices of closed pages; rejects when the server refuses one of them. */
  restore(stored: readonly StoredChoices[]): Promise<unknown>
  /** Sends pending requests now, without waiting for the back-off. */
  resume(): void
  end(): void
}

export function createPreferenceChanges({ onChange, transport, ...options }: Options): PreferenceChanges {
  /** The server has them, but no answer contains them yet. */
  let sentRequests: readonly ChoiceRequest[] = []

  const outbox = createOutbox<ChoiceRequest>({
    ...options,
    record: ({ at, choices, key }) => ({ at, choices, key }),
    rollBack: onChange,
    async send(request) {
      await transport.updateDeliveries(request.choices, request.key)
      sentRequests = [...sentRequests, request]
    }
  })

  return {
    beginRead() {
      const contained = new Set(sentRequests)
      return () => {
        sentRequests = sentRequests.filter(request => !contained.has(request))
      }
    },
    choose: choices =>
      outbox.enqueue((deferred, at) => {
        outbox.add({ at, choices, deferreds: [deferred], key: createIdempotencyKey() })
        onChange()
      }),
    end() {
      outbox.end()
      sentRequests = []
    },
    isIdle: () => outbox.pending().length === 0,
    list: () => [...sentRequests, ...outbox.pending()].flatMap(({ choices }) => choices),
    restore(stored) {
      const outcomes: Promise<Outcome>[] = []
      outbox.restore(stored, choices => {
        const request: ChoiceRequest = { ...choices, deferreds: [] }
        outcomes.push(outbox.enqueue(deferred => request.deferreds.push(deferred)))
        return request
      })
      onChange()
      return Promise.all(outcomes)
    },
    resume: outbox.resume
  }
}
