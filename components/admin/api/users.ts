// Users: list, one user with what applies to her, correction of contacts, what-if, export and erasure.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface UserRow {
  readonly id: string
  readonly email?: string
  readonly number?: string
  readonly locale?: string
  readonly timezone?: string
  readonly createdAt?: string
  readonly lastSeenTime?: string
}

export interface User extends UserRow {
  readonly emailBounce?: {
    readonly address: string
    readonly at: string
    readonly code: string
    readonly detail: string
  }
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  readonly slackChannel?: string
}

export interface Device {
  readonly kind: 'apn' | 'fcm' | 'web'
  readonly device: Readonly<Record<string, string | undefined>>
  readonly lastUsedAt?: string
  readonly token: string
}

export interface EffectiveValue {
  readonly channel: string
  readonly delivery: string
  /** Who said so. */
  readonly source: string
  readonly changedAt?: string
  readonly changedBy?: string
}

export interface PreferenceRow {
  readonly id: string
  readonly title: string
  readonly subId?: string
  readonly channels: readonly EffectiveValue[]
}

export interface QuietHours {
  readonly days: readonly number[]
  readonly from: string
  readonly on: boolean
  readonly to: string
  readonly urgentPasses: boolean
  readonly zone: string
}

export interface Waiting {
  readonly kind: 'digest' | 'held' | 'delayed' | 'schedule'
  readonly id: string
  readonly channel?: string
  readonly type: string
  readonly at: string | null
  readonly count?: number
}

export interface Fault {
  readonly trackingId: string
  readonly channel: string
  readonly at: string
  readonly code: string
  readonly detail?: string
  readonly type: string
  readonly to?: string
}

export interface UserOverview {
  readonly user: User
  readonly devices: readonly Device[]
  readonly preferences: readonly PreferenceRow[]
  readonly hasMorePreferences: boolean
  readonly pause: { readonly isOn: boolean; readonly until: string | null }
  readonly quiet: QuietHours
  readonly timezone: string
  readonly hold?: { readonly reason: 'pause' | 'quiet-hours'; readonly until: string | null }
  readonly waiting: readonly Waiting[]
  readonly hasMoreWaiting: boolean
  readonly sockets: { readonly count: number }
  readonly faults: readonly Fault[]
}

/** Part of an explanation that a simulation gives. */
export interface Foreseen {
  readonly channel: string
  readonly state: string
  readonly decision: string
  readonly explanation: string
  readonly at?: string
}

export const listUsers = (
  { api }: AdminScope,
  {
    after,
    count = 50,
    text
  }: { readonly after: string | null; readonly count?: number; readonly text: string },
  signal: AbortSignal
): Promise<Answer<{ readonly users: readonly UserRow[]; readonly next?: string }>> =>
  api.get('/users', { query: { count, cursor: after ?? undefined, q: text }, signal })

export const readOverview = (
  { api }: AdminScope,
  id: string,
  signal: AbortSignal
): Promise<Answer<UserOverview>> => api.get(path`/users/${id}/overview`, { signal })

/** Only reads: it marks nothing as seen. */
export const readInbox = (
  { api }: AdminScope,
  id: string,
  signal: AbortSignal
): Promise<Answer<{ readonly items: readonly object[]; readonly counts: { readonly unopened: number } }>> =>
  api.get(path`/users/${id}/inbox`, { query: { count: 10 }, signal })

/** Fields of a correction; null clears one. */
export type Correction = Readonly<Record<string, string | null>>

export const readUser = ({ api }: AdminScope, id: string, signal: AbortSignal): Promise<Answer<User>> =>
  api.get(path`/users/${id}`, { signal })

/** Reads the version first, so that another change is not overwritten unseen. */
export async function correctUser({ api }: AdminScope, id: string, body: Correction): Promise<Answer<User>> {
  const before = await api.get<User>(path`/users/${id}`)
  if (!before.ok) return before
  const headers = before.etag === undefined ? {} : { 'if-match': before.etag }
  return api.patch(path`/users/${id}`, { body, headers })
}

export const simulate = (
  { api }: AdminScope,
  body: unknown
): Promise<Answer<{ readonly channels: readonly Foreseen[]; readonly messages: readonly string[] }>> =>
  api.post('/simulate', { body })

export const eraseUser = (
  { api }: AdminScope,
  id: string
): Promise<Answer<{ readonly removed: Readonly<Record<string, number>> }>> => api.delete(path`/users/${id}`)

/** Address of the export, which the browser saves by itself. */
export const exportUrl = ({ api }: AdminScope, id: string): string =>
  `${api.base}${path`/users/${id}/export`}`
