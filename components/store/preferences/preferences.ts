// One user's preferences: what the server confirmed, with the person's choices on it until the server has them.
// A choice may change other rows, too (a sub-notification follows its type), so after the last one all are read again.

import type { Choice, Delivery, Preferences } from '../../protocol/index.ts'
import { topicOf, withChoices } from '../../protocol/preferences.ts'
import { createCacheOpener } from '../offline/open-cache.ts'
import type { LiveConnection } from '../receiver.ts'
import { createRetry } from '../retry.ts'
import type { StoredChoices, LiveEvent } from '../transport.ts'
import type { PreferencesState, PreferenceStore } from '../types.ts'
import { createPreferenceChanges } from './preference-changes.ts'

interface PreferenceSync extends Omit<PreferenceStore, '$preferences'> {
  /** Reads them, and again whenever they may have changed, until the function that it gives is called. */
  follow(): Promise<() => void>
  /** Goes on with what an earlier page left behind; rejects when the server refuses any of it. */
  adopt(left: readonly StoredChoices[]): Promise<unknown>
}

/** The delivery of the row that a choice is about. */
const deliveryOf = ({ preferences }: Preferences, choice: Choice): Delivery | undefined =>
  preferences.find(row => topicOf(row) === topicOf(choice))?.delivery

/** @param over - from then on nothing is known, asked for or sent any more */
export function createPreferences(
  { $connection, environment, listeners, transport }: LiveConnection,
  tell: (state: PreferencesState) => void,
  over: AbortSignal
): PreferenceSync {
  let confirmed: Preferences | undefined
  let loading: Promise<void> | undefined
  let again = false
  let followed = false
  /** How often they were read. */
  let answers = 0
  let ended = false
  /** Types that the preferences know, or never will. */
  const met = new Set<string>()
  const retry = createRetry(environment)

  function show(): void {
    if (confirmed && !ended) tell({ ...withChoices(confirmed, choices.all()), state: 'ready' })
  }

  async function read(): Promise<void> {
    const settle = choices.sent()
    const answer = await transport.preferences()
    if (ended) return
    // Frozen, as all that a page reads.
    const { notifications, preferences, subNotifications } = answer
    for (const rows of [notifications, preferences, subNotifications])
      Object.freeze(rows).forEach(Object.freeze)
    confirmed = answer
    answers += 1
    for (const { notificationId } of confirmed.notifications) met.add(notificationId)
    settle()
    retry.reset()
    show()
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false
        await read()
      } while (again)
    } catch (error) {
      // Preferences that are shown stay while their newest state is requested again.
      if (!confirmed && !ended) tell({ error, state: 'failed' })
      if (followed && !ended) retry.schedule(() => void reload())
    } finally {
      loading = undefined
    }
  }

  function reload(): Promise<void> {
    retry.cancel()
    if (ended) return Promise.resolve()
    again = true
    if (!confirmed && !loading) tell({ state: 'busy' })
    return (loading ??= run())
  }

  const keeping = createCacheOpener(transport, end, (newer, at) => {
    if (!newer || 'trackingIds' in newer) return
    choices.onRemoteChange(newer, at)
    // The server may have refused them, and tells that only the page that asked.
    if (followed && newer.length === 0) void reload()
  })
  const choices = createPreferenceChanges({
    changed: show,
    environment,
    find: (choice, before) => confirmed && deliveryOf(withChoices(confirmed, before), choice),
    idle: () => void reload(),
    openCache: keeping.open,
    async refresh() {
      const before = answers
      await reload()
      return answers > before
    },
    transport
  })

  async function adopt(): Promise<void> {
    if (ended) return
    const left = await (await keeping.open())?.adoptChoices()
    // The page that shows the preferences also shows what was rolled back.
    if (left && !ended) choices.adopt(left).catch(() => {})
  }

  function end(): void {
    ended = true
    retry.cancel()
    choices.end()
    confirmed = undefined
    tell({ state: 'busy' })
    keeping.close()
  }

  /**
   * Of a type that comes for the first time nothing could be chosen before. Our own choices are also told; when the last of
   * them is sent, all are read anyway.
   */
  function touches(event: LiveEvent): boolean {
    if (event.type !== 'change') return event.type === 'preferences' && choices.isIdle()
    const fresh = event.change.items.filter(({ type }) => !met.has(type))
    for (const { type } of fresh) met.add(type)
    return fresh.length > 0
  }

  if (over.aborted) end()
  else over.addEventListener('abort', end)

  return {
    adopt(left) {
      // To hear of what is chosen after them.
      void keeping.open()
      return choices.adopt(left)
    },
    async follow() {
      if (ended) return () => {}
      followed = true
      void reload()
      void adopt()
      const hear = (event: LiveEvent): void => {
        if (touches(event)) void reload()
      }
      listeners.add(hear)
      const ends = [
        $connection.listen(({ state }, before) => {
          if (state !== 'online' || before?.state !== 'offline') return
          void reload()
          void adopt()
          choices.resume()
        }),
        environment.watch(signal => {
          if (signal !== 'show' && signal !== 'wake') return
          // A page that was away, or is there no more, has not heard or said everything.
          choices.doubt()
          void reload()
        }),
        () => listeners.delete(hear)
      ]
      return () => {
        followed = false
        retry.cancel()
        for (const end of ends) end()
      }
    },
    reloadPreferences: reload,
    updateDeliveries: choices.choose,
    updateDelivery: (notificationId, channel, delivery, subNotificationId) =>
      choices.choose([{ channel, delivery, notificationId, ...(subNotificationId && { subNotificationId }) }])
  }
}
