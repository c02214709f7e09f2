// Stored preferences, and what each user was ever sent. Lock order: the user's row, preferences by key, digest heads.
//
// Every change of preferences goes through `changePreferences`, so that digests that wait are looked at again with it.

import type { UserKey } from '../../core/id.ts'
import type { Fragment, Query, Tx } from '../../db/db.ts'
import { revisiting } from '../../queue/revisit-digests.sql.ts'
import { lockingUser, touchingUser } from '../users.sql.ts'
import { preferenceKey, topicKey, type Preference, type Topic } from './preference.ts'

/** A preference, or with `delivery: null` that there shall be none. */
export type Choice = Omit<Preference, 'delivery'> & { readonly delivery: Preference['delivery'] | null }

export type PreferenceChange =
  /** All that was there goes. */
  | { readonly kind: 'replace'; readonly choices: readonly Choice[] }
  /** What is not named stays. */
  | { readonly kind: 'merge'; readonly choices: readonly Choice[] }
  /** Of a type with its sub-notifications, or of one sub-notification. */
  | { readonly kind: 'remove'; readonly notificationId: string; readonly subNotificationId?: string }

/**
 * The statements go out together, in this order: each wait for the database would be longer than what it does.
 *
 * @returns how many preferences the user has now
 */
export async function changePreferences(tx: Tx, user: UserKey, change: PreferenceChange): Promise<number> {
  const { bucket, envId, userId } = user
  const counting = tx`
    select count(*)::integer as count from preferences
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  const work = [...changing(tx, user, change), revisiting(tx, user), counting].map(one => one.execute())
  // All are awaited, so that nothing follows the rollback of a failed one.
  await Promise.allSettled(work)
  const [row] = (await Promise.all(work)).at(-1)!
  return row!['count'] as number
}

function changing(tx: Tx, user: UserKey, change: PreferenceChange): Fragment[] {
  if (change.kind === 'remove') return [touchingUser(tx, user), remove(tx, user, change)]
  return [
    // Two that replace at once would else leave a mixture.
    change.choices.length > 0 ? lockingUser(tx, user) : touchingUser(tx, user),
    ...(change.kind === 'replace' ? [clear(tx, user)] : []),
    ...writing(tx, user, change.choices)
  ]
}

/** But what was said to the network about a whole channel (STOP) only the network takes back. */
const clear = (tx: Tx, { bucket, envId, userId }: UserKey) => tx`
  delete from preferences
  where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id <> ''`

const remove = (
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { notificationId, subNotificationId = null }: { notificationId: string; subNotificationId?: string | null }
) => tx`
  delete from preferences
  where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and notification_id = ${notificationId}
    and (${subNotificationId}::text is null or sub_id = ${subNotificationId})`

/** Of a preference that is named twice the last word counts. */
function writing(tx: Tx, { bucket, envId, userId }: UserKey, choices: readonly Choice[]): Fragment[] {
  const byKey = new Map(choices.map(choice => [preferenceKey(choice), choice]))
  const gone = [...byKey].filter(([, { delivery }]) => delivery === null).map(([key]) => key)
  const deleting = tx`
    delete from preferences
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      and key in (select decode(k, 'hex') from unnest(${gone}::text[]) as k)`
  const kept = [...byKey].filter(([, { delivery }]) => delivery !== null)
  const inserting = tx`
    insert into preferences (bucket, env_id, user_id, key, notification_id, sub_id, channel, delivery)
    select ${bucket}::smallint, ${envId}, ${userId}, decode(p.key, 'hex'), p.notification_id, p.sub_id, p.channel,
      p.delivery
    from unnest(
      ${kept.map(([key]) => key)}::text[],
      ${kept.map(([, choice]) => choice.notificationId)}::text[],
      ${kept.map(([, choice]) => choice.subNotificationId)}::text[],
      ${kept.map(([, choice]) => choice.channel)}::text[],
      ${kept.map(([, choice]) => choice.delivery)}::text[]
    ) as p(key, notification_id, sub_id, channel, delivery)
    on conflict (bucket, env_id, user_id, key) do update set delivery = excluded.delivery`
  return [...(gone.length > 0 ? [deleting] : []), ...(kept.length > 0 ? [inserting] : [])]
}

/** Everything that decides what a user sees in the preferences. */
export async function readChoices(
  query: Query,
  { bucket, envId, userId }: UserKey
): Promise<{ readonly preferences: readonly Preference[]; readonly received: readonly Topic[] }> {
  const [preferences, received] = await Promise.all([
    query<Preference[]>`
      select notification_id as "notificationId", sub_id as "subNotificationId", channel, delivery
      from preferences where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      order by notification_id, sub_id, channel`,
    query<Topic[]>`
      select notification_id as "notificationId", sub_id as "subNotificationId"
      from received where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}`
  ])
  return { preferences, received }
}

export type Received = UserKey & Topic

/** What users are sent for the first time. Lock order: after the inboxes of the same transaction, by key. */
export const rememberingTopics = (query: Query, rows: readonly Received[]): Fragment =>
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
