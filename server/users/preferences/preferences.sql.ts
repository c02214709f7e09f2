// Stores preferences, and the topics that each user was sent. Lock order: the user's row, preferences by key, digest rows.
//
// All changes go through `changePreferences`, which also revisits waiting digests.

import type { UserKey } from '../../core/id.ts'
import type { Fragment, Query, Tx } from '../../db/db.ts'
import { makeWaitingDue } from '../../queue/revisit-waiting.sql.ts'
import { upsertUserStatement, touchUserStatement } from '../users.sql.ts'
import type { DeliverySettings } from './delivery-settings.ts'
import {
  preferenceKey,
  topicKey,
  type ChangeSource,
  type DatedPreference,
  type Preference,
  type Topic
} from './preference.ts'

/** A preference to store; `delivery: null` deletes it. */
export type PreferenceChoice = Omit<Preference, 'delivery'> & {
  readonly delivery: Preference['delivery'] | null
}

export type PreferenceChange =
  /** Deletes all other preferences. */
  | { readonly kind: 'replace'; readonly choices: readonly PreferenceChoice[] }
  /** Keeps all other preferences. */
  | { readonly kind: 'merge'; readonly choices: readonly PreferenceChoice[] }
  /** Deletes the preferences of a type with its sub-notifications, or of one sub-notification. */
  | { readonly kind: 'remove'; readonly notificationId: string; readonly subNotificationId?: string }

/**
 * Sends all statements at once, in their order, to save round trips.
 *
 * @returns how many preferences the user has afterwards
 */
export async function changePreferences(
  tx: Tx,
  user: UserKey,
  change: PreferenceChange,
  by: ChangeSource = 'user'
): Promise<number> {
  const { bucket, envId, userId } = user
  const count = tx`
    select count(*)::integer as count from preferences
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  const results = [...changeStatements(tx, user, change, by), makeWaitingDue(tx, user), count].map(one =>
    one.execute()
  )
  // Waits for all, so that no statement is sent after the rollback of a failed one.
  await Promise.allSettled(results)
  const [row] = (await Promise.all(results)).at(-1)!
  return row!['count'] as number
}

function changeStatements(tx: Tx, user: UserKey, change: PreferenceChange, by: ChangeSource): Fragment[] {
  if (change.kind === 'remove') return [touchUserStatement(tx, user), removeStatement(tx, user, change)]
  return [
    // The lock keeps two concurrent replacements from mixing.
    change.choices.length > 0 ? upsertUserStatement(tx, user) : touchUserStatement(tx, user),
    ...(change.kind === 'replace' ? [clearStatement(tx, user, change.choices)] : []),
    ...writeStatements(tx, user, change.choices, by)
  ]
}

/** Keeps opt-outs of a whole channel (STOP to an SMS), which only the network can take back, and what is written again. */
const clearStatement = (
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  choices: readonly PreferenceChoice[]
) => tx`
  delete from preferences
  where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id <> ''
    and key not in (select decode(k, 'hex') from unnest(${choices.map(preferenceKey)}::text[]) as k)`

const removeStatement = (
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { notificationId, subNotificationId = null }: { notificationId: string; subNotificationId?: string | null }
) => tx`
  delete from preferences
  where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}
    and (${subNotificationId}::text is null or sub_id = ${subNotificationId})`

/** The last one wins if a preference is given twice. */
function writeStatements(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  choices: readonly PreferenceChoice[],
  by: ChangeSource
): Fragment[] {
  const byKey = new Map(choices.map(choice => [preferenceKey(choice), choice]))
  const deletedKeys = [...byKey].filter(([, { delivery }]) => delivery === null).map(([key]) => key)
  const deletion = tx`
    delete from preferences
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      and key in (select decode(k, 'hex') from unnest(${deletedKeys}::text[]) as k)`
  const stored = [...byKey].filter(([, { delivery }]) => delivery !== null)
  const insertion = tx`
    insert into preferences (bucket, env_id, user_id, key, notification_id, sub_id, channel, delivery, changed_by)
    select ${bucket}::smallint, ${envId}, ${userId}, decode(p.key, 'hex'), p.notification_id, p.sub_id, p.channel,
      p.delivery, ${by}
    from unnest(
      ${stored.map(([key]) => key)}::text[],
      ${stored.map(([, choice]) => choice.notificationId)}::text[],
      ${stored.map(([, choice]) => choice.subNotificationId)}::text[],
      ${stored.map(([, choice]) => choice.channel)}::text[],
      ${stored.map(([, choice]) => choice.delivery)}::text[]
    ) as p(key, notification_id, sub_id, channel, delivery)
    on conflict (bucket, env_id, user_id, key) do update set
      delivery = excluded.delivery, changed_at = excluded.changed_at, changed_by = excluded.changed_by
      where preferences.delivery <> excluded.delivery`
  return [...(deletedKeys.length > 0 ? [deletion] : []), ...(stored.length > 0 ? [insertion] : [])]
}

interface StoredUser {
  readonly settings: DeliverySettings | null
  readonly timezone: string | null
}

export interface StoredPreferences {
  readonly preferences: readonly DatedPreference[]
  /** Topics that the user was sent at least once. */
  readonly received: readonly Topic[]
  readonly settings: DeliverySettings
  readonly timezone: string | undefined
}

export async function readPreferencesAndTopics(
  query: Query,
  { bucket, envId, userId }: UserKey
): Promise<StoredPreferences> {
  const [[user], preferences, received] = await Promise.all([
    query<StoredUser[]>`
      select delivery_settings as settings, timezone from users
      where bucket = ${bucket} and env_id = ${envId} and id = ${userId}`,
    query<DatedPreference[]>`
      select changed_at as "changedAt", changed_by as "changedBy", notification_id as "notificationId", sub_id as "subNotificationId", channel, delivery
      from preferences where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      order by notification_id, sub_id, channel`,
    query<Topic[]>`
      select notification_id as "notificationId", sub_id as "subNotificationId"
      from received where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  ])
  return { preferences, received, settings: user?.settings ?? {}, timezone: user?.timezone ?? undefined }
}

export type ReceivedTopic = UserKey & Topic

/** Stores topics that users are sent for the first time. Lock order: after the inboxes of the same transaction, by key. */
export const insertReceivedTopics = (query: Query, rows: readonly ReceivedTopic[]): Fragment =>
  query`
    insert into received (bucket, env_id, user_id, key, notification_id, sub_id)
    select r.bucket, r.env_id, r.user_id, decode(r.key, 'hex'), r.notification_id, r.sub_id
    from unnest(
      ${rows.map(row => row.bucket)}::smallint[],
      ${rows.map(row => row.envId)}::text[],
      ${rows.map(row => row.userId)}::text[],
      ${rows.map(topicKey)}::text[],
      ${rows.map(row => row.notificationId)}::text[],
      ${rows.map(row => row.subNotificationId)}::text[]
    ) as r(bucket, env_id, user_id, key, notification_id, sub_id)
    order by 1, 2, 3, 4
    on conflict do nothing`
