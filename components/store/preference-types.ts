// The public types of the preferences of a store. No DOM.

import type { ReadableAtom } from 'nanostores'

import type { Channel, Choice, Delivery, Pause, Preferences, PreferencesPatch } from '../protocol/index.ts'

/**
 * How an action ended that was not refused. Undefined: the server has it. `left`: the store was destroyed before the server
 * answered; the next page of this browser sends the action, unless the data of the user was deleted.
 */
export type Outcome = 'left' | void

/** `busy` and `failed` only until the preferences were read once: after that they stay while they are read again. */
export type PreferencesState =
  | { readonly state: 'busy' }
  | { readonly state: 'failed'; readonly error: unknown }
  | ({ readonly state: 'ready' } & Preferences)

/** The preferences of a store. */
export interface PreferenceStore {
  /**
   * How often each type is sent on each channel. Read at the first listener, and again if the connection or the page comes back,
   * another tab or device changes something, or a type arrives for the first time.
   */
  readonly $preferences: ReadableAtom<PreferencesState>
  /** Whether notifications are paused: known without reading the preferences. Undefined until the connection is open, which it does not open. */
  readonly $pause: ReadableAtom<Pause | undefined>
  /**
   * Sets how often a type is sent on a channel.
   *
   * @param type - notificationId
   * @param subNotificationId - limits the choice to this sub-notification
   */
  updateDelivery(
    type: string,
    channel: Channel,
    delivery: Delivery,
    subNotificationId?: string
  ): Promise<Outcome>
  /** Sets several together: all are stored or all are rolled back. */
  updateDeliveries(choices: readonly Choice[]): Promise<Outcome>
  /**
   * Sets the switches of whole channels, the pause or the quiet hours; what the patch does not name stays. Shown immediately, and
   * sent later if the server is not reached, like a choice.
   */
  updateSettings(patch: PreferencesPatch): Promise<Outcome>
  /**
   * Leaves a topic (false), or joins it again (true), which works for an hour. Shown immediately, and undone if the server refuses.
   * Rejects also if the server is not reached.
   */
  updateTopic(id: string, isMember: boolean): Promise<void>
  /** Reads the preferences again. Resolves also if that fails: see `$preferences`. */
  reloadPreferences(): Promise<void>
}
