// Changes of preferences: choices of types, and settings for all of them. They are shown until an answer of the server contains them,
// or until they are rolled back. The change that reaches the server last wins.

import type { Choice, Preferences, PreferencesPatch } from '../../protocol/index.ts'
import { withChoices } from '../../protocol/preferences.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type OutboxRequest } from '../outbox/outbox.ts'
import { createIdempotencyKey, type OfflineCache, type StoredChoices, type Transport } from '../transport.ts'
import type { Outcome } from '../types.ts'
import { withSettings } from './settings.ts'

type ChoiceRequest = OutboxRequest & StoredChoices

interface Options {
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock' | 'now' | 'watch'>
  readonly transport: Pick<Transport, 'updateDeliveries' | 'updateSettings'>
  readonly openCache: () => Promise<OfflineCache | undefined>
  /** Called when `apply` returns something else. */
  readonly onChange: () => void
  /** Called when the server has all changes of this page. */
  readonly onIdle: () => void
}

interface PreferenceChanges {
  /** Returns the preferences with the changes of this page that no answer contains yet. */
  apply(preferences: Preferences): Preferences
  isIdle(): boolean
  /** Called before the preferences are read; the returned function removes the changes that the answer contains. */
  beginRead(): () => void
  choose(choices: readonly Choice[]): Promise<Outcome>
  set(settings: PreferencesPatch): Promise<Outcome>
  /** Continues with changes of closed pages; rejects when the server refuses one of them. */
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
    record: ({ at, choices, key, settings }) => ({ at, choices, key, ...(settings && { settings }) }),
    rollBack: onChange,
    async send(request) {
      const { choices, key, settings } = request
      await (settings ? transport.updateSettings(settings, key) : transport.updateDeliveries(choices, key))
      sentRequests = [...sentRequests, request]
    }
  })

  const add = (change: Pick<StoredChoices, 'choices' | 'settings'>): Promise<Outcome> =>
    outbox.enqueue((deferred, at) => {
      outbox.add({ ...change, at, deferreds: [deferred], key: createIdempotencyKey() })
      onChange()
    })

  return {
    apply: preferences =>
      [...sentRequests, ...outbox.pending()].reduce(
        (shown, { choices, settings }) =>
          settings ? withSettings(shown, settings) : withChoices(shown, choices),
        preferences
      ),
    beginRead() {
      const contained = new Set(sentRequests)
      return () => {
        sentRequests = sentRequests.filter(request => !contained.has(request))
      }
    },
    choose: choices => add({ choices }),
    end() {
      outbox.end()
      sentRequests = []
    },
    isIdle: () => outbox.pending().length === 0,
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
    resume: outbox.resume,
    set: settings => add({ choices: [], settings })
  }
}
