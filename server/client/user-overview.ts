// The overview of a user, for support.

import type { Call, CallOptions } from './call.ts'
import type { ChangeSource, Channel, Delivery, Instant } from './names.ts'
import type { PushToken, User } from './users.ts'

/** Where the effective value of a preference comes from. */
export type PreferenceSource =
  | 'user'
  | 'channel-off'
  | 'blocked'
  | 'locked'
  | 'environment'
  | 'type'
  | 'environment-default'
  | 'default'

/** What support needs to know about a user. */
export interface UserOverview {
  readonly user: User
  /** The last used ones first; tokens are shortened. */
  readonly devices: readonly {
    readonly kind: 'apn' | 'fcm' | 'web'
    readonly device: PushToken['device']
    readonly lastUsedAt: Instant
    readonly token: string
  }[]
  readonly preferences: readonly {
    readonly id: string
    readonly subId?: string
    readonly title: string
    readonly channels: readonly {
      readonly channel: Channel
      readonly delivery: Delivery
      readonly source: PreferenceSource
      readonly changedAt?: Instant
      readonly changedBy?: ChangeSource
    }[]
  }[]
  readonly hasMorePreferences: boolean
  readonly channels: Readonly<Partial<Record<Channel, { readonly on: boolean; readonly state?: 'blocked' }>>>
  readonly pause: { readonly isOn: boolean; readonly until: Instant | null }
  readonly quiet: {
    readonly days: readonly number[]
    readonly from: string
    readonly on: boolean
    readonly to: string
    readonly urgentPasses: boolean
    readonly zone: string
  }
  readonly timezone: string
  /** Present if messages that are not urgent are held now. */
  readonly hold?: { readonly reason: 'pause' | 'quiet-hours'; readonly until: Instant | null }
  /** The next ones first. */
  readonly waiting: readonly {
    readonly kind: 'delayed' | 'digest' | 'held' | 'schedule'
    readonly id: string
    readonly trackingId?: string
    readonly channel?: string
    readonly type?: string
    /** Null: until the user ends the pause. */
    readonly at: Instant | null
    /** Notifications in the digest. */
    readonly count?: number
  }[]
  readonly hasMoreWaiting: boolean
  /** Open connections to the node that answers. */
  readonly sockets: number
  /** The last deliveries that failed for good, the newest first. */
  readonly faults: readonly {
    readonly trackingId: string
    readonly channel: string
    readonly type: string
    readonly at: Instant
    readonly code: string
    readonly detail?: string
    readonly to?: string
  }[]
}

export const userOverviewCalls = (call: Call) => ({
  /** Returns what support needs to know about a user. */
  getUserOverview: (userId: string, options?: CallOptions): Promise<UserOverview> =>
    call({ method: 'GET', path: ['users', userId, 'overview'] }, options)
})
