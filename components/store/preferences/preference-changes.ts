// Changes of preferences: choices of types, and settings for all of them. They are shown until an answer of the server contains them,
// or until they are rolled back. The change that reaches the server last wins.

import type { Choice, Preferences, PreferencesPatch } from '../../protocol/index.ts'
import { withChoices } from '../../protocol/preferences.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createOutbox, type OutboxRequest } from '../outbox/outbox.ts'
import type { QuietChange } from '../quiet-change.ts'
import {
  createIdempotencyKey,
  type OfflineCache,
  type Quiet,
  type StoredChoices,
  type Transport
} from '../transport.ts'
import type { Outcome } from '../types.ts'
import { selectQuiet } from './quiet.ts'
import { withSettings } from './settings.ts'

interface ChoiceRequest extends OutboxRequest, StoredChoices {
  choices: readonly Choice[]
  quiet?: NonNullable<StoredChoices['quiet']>
  /** What the user had chosen instead of the choices of `quiet`, once these are selected. */
  before?: readonly Choice[]
}

interface Options {
  readonly environment: Pick<BaseEnvironment, 'after' | 'clock' | 'now' | 'watch'>
  readonly transport: Pick<Transport, 'getPreferences' | 'updateDeliveries' | 'updateSettings'>
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
  /** @param shown - current preferences; undefined: they are read before the choices are sent */
  makeQuiet(type: string, quiet: Quiet, shown: Preferences | undefined): QuietChange
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
    record: ({ at, choices, key, quiet, settings }) => ({
      at,
      choices,
      key,
      ...(quiet && { quiet }),
      ...(settings && { settings })
    }),
    rollBack: onChange,
    async send(request) {
      if (request.quiet && !request.quiet.isSelected) {
        // Whatever was chosen before, the server has it by now.
        select(request, request.quiet, await transport.getPreferences())
        outbox.store(request)
        onChange()
      }
      const { choices, key, settings } = request
      if (settings) await transport.updateSettings(settings, key)
      else if (choices.length > 0) await transport.updateDeliveries(choices, key)
      sentRequests = [...sentRequests, request]
    }
  })

  /** A retry must be the same request, so the choices are selected once. */
  function select(
    request: ChoiceRequest,
    { quiet, type }: { quiet: Quiet; type: string },
    shown: Preferences
  ): void {
    Object.assign(request, selectQuiet(shown, type, quiet), { quiet: { isSelected: true, quiet, type } })
  }

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
    makeQuiet(type, quiet, shown) {
      const request: ChoiceRequest = {
        at: 0,
        choices: [],
        deferreds: [],
        key: createIdempotencyKey(),
        quiet: { quiet, type }
      }
      const done = outbox.enqueue((deferred, at) => {
        if (shown) select(request, { quiet, type }, shown)
        request.deferreds.push(deferred)
        outbox.add(Object.assign(request, { at }))
        onChange()
      })
      return {
        done,
        async takeBack() {
          if (outbox.drop(request)) return
          // The choices are not selected yet. If the server refuses them, nothing is to be restored.
          const outcome = request.before ? undefined : await done.catch(() => {})
          const { before = [] } = request
          return outcome === 'left' || before.length === 0 ? outcome : add({ choices: before })
        }
      }
    },
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
