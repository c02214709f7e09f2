// One user's preferences: what the server confirmed, with the person's choices on it until the server has them.
// A choice may change other rows, too (a sub-notification follows its type), so after the last one all are read again.

import { task } from 'nanostores'

import { withChoices, type Choice, type Preferences } from '../protocol/preferences.ts'
import type { LiveEvent } from '../transport/transport.ts'
import type { Line } from './line.ts'
import type { PreferencesState, PreferenceStore } from './store.ts'

/** First and longest wait before a failed request is tried again, in milliseconds. */
const [FIRST, LONGEST] = [1000, 30_000]

interface Pending {
  readonly choices: readonly Choice[]
  /** The server has it: over with the next answer that was asked for after this. */
  sent: boolean
}

export interface PreferenceSync extends Omit<PreferenceStore, '$preferences'> {
  /** Reads them, and again whenever they may have changed, until the function that it gives is called. */
  follow(): Promise<() => void>
}

export function createPreferences(
  { $connection, audience, environment, transport }: Line,
  tell: (state: PreferencesState) => void
): PreferenceSync {
  let confirmed: Preferences | undefined
  let pending: readonly Pending[] = []
  let queue: Promise<unknown> = Promise.resolve()
  let loading: Promise<void> | undefined
  let again = false
  let followed = false
  let failures = 0
  /** Types that the preferences know, or never will. */
  const met = new Set<string>()
  let cancelRetry = (): void => {}

  function show(): void {
    if (!confirmed) return
    const choices = pending.flatMap(one => one.choices)
    tell({ ...withChoices(confirmed, choices), state: 'ready' })
  }

  async function read(): Promise<void> {
    const over = new Set(pending.filter(({ sent }) => sent))
    confirmed = await transport.preferences()
    for (const { notificationId } of confirmed.notifications) met.add(notificationId)
    pending = pending.filter(one => !over.has(one))
    failures = 0
    show()
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false
        await read()
      } while (again)
    } catch (error) {
      // Who sees them keeps them while their newest state is asked for again.
      if (!confirmed) tell({ error, state: 'failed' })
      if (followed) {
        const wait = Math.min(LONGEST, FIRST * 2 ** failures++)
        cancelRetry = environment.after(wait, () => void reload())
      }
    } finally {
      loading = undefined
    }
  }

  function reload(): Promise<void> {
    cancelRetry()
    again = true
    if (!confirmed && !loading) tell({ state: 'busy' })
    return (loading ??= task(run))
  }

  /** Our own choices are also told; when the last of them is sent, all are read anyway. */
  const isIdle = (): boolean => pending.every(({ sent }) => sent)

  /** Of a type that comes for the first time nothing could be chosen before. */
  function touches(event: LiveEvent): boolean {
    if (event.type !== 'change') return event.type === 'preferences' && isIdle()
    const fresh = event.change.items.filter(({ type }) => !met.has(type))
    for (const { type } of fresh) met.add(type)
    return fresh.length > 0
  }

  async function send(one: Pending): Promise<void> {
    try {
      await transport.choose(one.choices)
      one.sent = true
    } catch (error) {
      pending = pending.filter(other => other !== one)
      show()
      throw error
    } finally {
      if (isIdle()) void reload()
    }
  }

  /** Shows the choices at once and sends them in their order. */
  function updateDeliveries(choices: readonly Choice[]): Promise<void> {
    const one: Pending = { choices, sent: false }
    pending = [...pending, one]
    show()
    const sending = queue.then(() => task(() => send(one)))
    queue = sending.catch(() => {})
    return sending
  }

  return {
    async follow() {
      followed = true
      void reload()
      const hear = (event: LiveEvent): void => {
        if (touches(event)) void reload()
      }
      audience.add(hear)
      const ends = [
        $connection.listen(({ state }, before) => {
          if (state === 'online' && before?.state === 'offline') void reload()
        }),
        environment.watch(signal => {
          if (signal === 'show' || signal === 'wake') void reload()
        }),
        () => audience.delete(hear)
      ]
      return () => {
        followed = false
        cancelRetry()
        for (const end of ends) end()
      }
    },
    reloadPreferences: reload,
    updateDeliveries,
    updateDelivery: (notificationId, channel, delivery, subNotificationId) =>
      updateDeliveries([
        { channel, delivery, notificationId, ...(subNotificationId && { subNotificationId }) }
      ])
  }
}
