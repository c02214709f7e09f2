// Users: list, one user with what applies to her, correction of contacts, preferences, what-if, export and erasure.

import type { Preference, PreferencesAnswer } from '../../../server/client/preferences.ts'
import type { Simulated, Simulation } from '../../../server/client/preview.ts'
import type { Task } from '../../../server/client/tasks.ts'
import type { UserOverview } from '../../../server/client/user-overview.ts'
import type { User, UserDetails, UserPage } from '../../../server/client/users.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { UserOverview } from '../../../server/client/user-overview.ts'
export type { Delivery } from '../../../server/client/names.ts'
export type { User, UserDetails } from '../../../server/client/users.ts'

export type Device = UserOverview['devices'][number]
export type PreferenceRow = UserOverview['preferences'][number]
export type EffectiveValue = PreferenceRow['channels'][number]
export type Waiting = UserOverview['waiting'][number]
export type QuietHours = UserOverview['quiet']

/** What a simulation says about a channel. */
export type SimulatedChannel = Simulated['channels'][number]

export const listUsers = (
  { api }: AdminScope,
  {
    after,
    count = 50,
    text
  }: { readonly after: string | null; readonly count?: number; readonly text: string },
  signal: AbortSignal
): Promise<Answer<UserPage>> =>
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

export const readUser = ({ api }: AdminScope, id: string, signal: AbortSignal): Promise<Answer<User>> =>
  api.get(path`/users/${id}`, { signal })

/** A missing field stays, null clears one. */
export const correctUser = ({ api }: AdminScope, id: string, body: UserDetails): Promise<Answer<User>> =>
  api.patch(path`/users/${id}`, { body })

export const simulate = ({ api }: AdminScope, body: Simulation): Promise<Answer<Simulated>> =>
  api.post('/simulate', { body })

/** Exports and erasures, the newest first. */
export const listUserTasks = (
  { api }: AdminScope,
  id: string,
  signal: AbortSignal
): Promise<Answer<{ readonly tasks: readonly Task[] }>> => api.get(path`/users/${id}/tasks`, { signal })

export const createUserTask = (
  { api }: AdminScope,
  id: string,
  kind: 'export-user' | 'erase-user'
): Promise<Answer<Task>> => api.post(path`/users/${id}/tasks`, { body: { kind } })

export const stopUserTask = ({ api }: AdminScope, id: string, taskId: string): Promise<Answer<Task>> =>
  api.post(path`/users/${id}/tasks/${taskId}/stop`, { body: {} })

/** Everything that is stored about a user, as JSON lines. */
export const saveExport = ({ api }: AdminScope, id: string, taskId: string): Promise<Answer<undefined>> =>
  api.save(path`/users/${id}/tasks/${taskId}/result`, `${id}.jsonl`)

/** `null` removes what the user chose. */
export const setPreference = (
  { api }: AdminScope,
  id: string,
  preference: Preference
): Promise<Answer<PreferencesAnswer>> => api.post(path`/users/${id}/preferences`, { body: [preference] })

export const endPause = ({ api }: AdminScope, id: string): Promise<Answer<unknown>> =>
  api.patch(path`/users/${id}/preferences`, { body: { pause: { isOn: false } } })
