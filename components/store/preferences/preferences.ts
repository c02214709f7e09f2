// Preferences of one user: what the server confirmed, with the choices of the user applied until the server has them. A choice
// may change other rows (a sub-notification follows its type), so all are read again after the last one.

import type { Preferences } from '../../protocol/index.ts'
import { createCacheOpener } from '../offline/open-cache.ts'
import type { QuietChange } from '../quiet-change.ts'
import type { LiveConnection } from '../receiver.ts'
import { createRetry } from '../retry.ts'
import type { LiveEvent, Quiet, StoredChoices } from '../transport.ts'
import type { PreferencesState, PreferenceStore } from '../types.ts'
import { createPreferenceChanges } from './preference-changes.ts'
import { createTopicChanges } from './topics.ts'

interface PreferenceSync extends Omit<PreferenceStore, '$pause' | '$preferences'> {
  /** Reads the preferences, and again whenever they may have changed, until the returned function is called. */
  follow(): Promise<() => void>
  /** Continues with choices of closed pages; rejects when the server refuses one of them. */
  restore(stored: readonly StoredChoices[]): Promise<unknown>
  /** Turns a type off, or lets it be sent once a day by email. */
  makeQuiet(type: string, quiet: Quiet): Promise<QuietChange>
}

/** @param signal - ends all reads and requests */
export function createPreferences(
  { $connection, environment, listeners, transport }: LiveConnection,
  setState: (state: PreferencesState) => void,
  signal: AbortSignal
): PreferenceSync {
  let confirmed: Preferences | undefined
  let loading: Promise<void> | undefined
  let shouldReadAgain = false
  let isFollowed = false
  let isEnded = false
  /** Types that the preferences contain, or that were not in them after they had been read. */
  const knownTypes = new Set<string>()
  const retry = createRetry(environment)

  const shown = (preferences: Preferences): Preferences => topics.apply(changes.apply(preferences))

  function publishState(): void {
    if (confirmed && !isEnded) setState({ ...shown(confirmed), state: 'ready' })
  }

  async function read(): Promise<void> {
    const endRead = changes.beginRead()
    const answer = await transport.getPreferences()
    if (isEnded) return
    // Frozen, as everything that a page reads.
    const { notifications, preferences, subNotifications, topics: joined = [] } = answer
    for (const rows of [notifications, preferences, subNotifications, joined])
      Object.freeze(rows).forEach(Object.freeze)
    confirmed = answer
    for (const { notificationId } of notifications) knownTypes.add(notificationId)
    endRead()
    retry.reset()
    publishState()
  }

  async function readUntilCurrent(): Promise<void> {
    try {
      do {
        shouldReadAgain = false
        await read()
      } while (shouldReadAgain)
    } catch (error) {
      // Preferences that are shown stay while their newest state is requested again.
      if (!confirmed && !isEnded) setState({ error, state: 'failed' })
      if (isFollowed && !isEnded) retry.schedule(() => void reload())
    } finally {
      loading = undefined
    }
  }

  function reload(): Promise<void> {
    retry.cancel()
    if (isEnded) return Promise.resolve()
    shouldReadAgain = true
    if (!confirmed && !loading) setState({ state: 'busy' })
    return (loading ??= readUntilCurrent())
  }

  const opener = createCacheOpener(transport, end)
  const changes = createPreferenceChanges({
    environment,
    onChange: publishState,
    onIdle: () => void reload(),
    openCache: opener.open,
    transport
  })

  const topics = createTopicChanges({ onChange: publishState, reload, transport })

  async function restoreStored(): Promise<void> {
    if (isEnded) return
    const stored = await (await opener.open())?.claimChoices()
    // A rollback is visible in the preferences, which this page shows.
    if (stored && !isEnded) changes.restore(stored).catch(() => {})
  }

  function end(): void {
    isEnded = true
    retry.cancel()
    changes.end()
    confirmed = undefined
    setState({ state: 'busy' })
    opener.close()
  }

  /**
   * Whether an event may change the preferences. A type that arrives for the first time adds rows. The server also reports the
   * choices of this page; when the last of them is sent, all are read anyway.
   */
  function isRelevant(event: LiveEvent): boolean {
    if (event.type !== 'change') return event.type === 'preferences' && changes.isIdle()
    const newItems = event.change.items.filter(({ type }) => !knownTypes.has(type))
    for (const { type } of newItems) knownTypes.add(type)
    return newItems.length > 0
  }

  if (signal.aborted) end()
  else signal.addEventListener('abort', end)

  return {
    // Preferences without a listener may be out of date.
    makeQuiet: async (type, quiet) =>
      changes.makeQuiet(type, quiet, isFollowed && confirmed ? changes.apply(confirmed) : undefined),
    async follow() {
      if (isEnded) return () => {}
      isFollowed = true
      void reload()
      void restoreStored()
      const onEvent = (event: LiveEvent): void => {
        if (isRelevant(event)) void reload()
      }
      listeners.add(onEvent)
      const stops = [
        $connection.listen(({ state }, before) => {
          if (state !== 'online' || before?.state !== 'offline') return
          void reload()
          void restoreStored()
          changes.resume()
        }),
        environment.watch(pageSignal => {
          if (pageSignal !== 'show' && pageSignal !== 'wake') return
          void reload()
        }),
        () => listeners.delete(onEvent)
      ]
      return () => {
        isFollowed = false
        retry.cancel()
        for (const stop of stops) stop()
      }
    },
    reloadPreferences: reload,
    restore: changes.restore,
    updateSettings: changes.set,
    updateDeliveries: changes.choose,
    updateDelivery: (notificationId, channel, delivery, subNotificationId) =>
      changes.choose([
        { channel, delivery, notificationId, ...(subNotificationId && { subNotificationId }) }
      ]),
    updateTopic: (id, isMember) => topics.update(id, isMember, confirmed && shown(confirmed))
  }
}
