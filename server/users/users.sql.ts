// Reads users: contacts for sends, and the stored user. Lock order: the user's row first (identify.sql.ts).

import type { UserKey } from '../core/id.ts'
import type { Fragment, Json, Query, Tx } from '../db/db.ts'
import { inGroupOf } from '../db/sql-helpers.ts'
import type { StoredDevice } from './device.ts'
import type { DeliverySettings } from './preferences/delivery-settings.ts'
import { topicKey, type Preference, type Topic } from './preferences/preference.ts'
import { defaultSlackChannel, type SlackInfo } from './slack-connection.ts'

export interface Contact {
  readonly email?: string
  /** Set after an email to the address bounced. */
  readonly bounce?: Bounce
  readonly number?: string
  readonly timezone?: string
  readonly locale?: string
  /** Absent if the user has no Slack connection. `channel`: for messages that name no channel. */
  readonly slack?: { readonly channel?: string }
  readonly preferences: readonly Preference[]
  /** Absent: all at their defaults. */
  readonly settings?: DeliverySettings
  readonly received: boolean
  /** Erasure epoch when the user was read (privacy/erasure-epoch.sql.ts). */
  readonly erasureEpoch: number
  /** Changes with each change of the stored user, except devices and topics; `''` if there is no stored user. */
  readonly version: string
  /** Read from the contact cache (send/accept/contact-cache.ts), so it may be outdated. */
  readonly isCached?: true
}

export interface Bounce {
  /** Address that bounced, in lower case. */
  readonly address: string
  /** Enhanced status code (RFC 3463) or SMTP reply code. */
  readonly code: string
  readonly detail: string
  readonly at: string
}

interface AddressRow {
  readonly email: string | null
  readonly email_bounce: Bounce | null
  readonly number: string | null
  readonly timezone: string | null
  readonly locale: string | null
  readonly slack_channel: string | null
  readonly slack: SlackInfo | null
}

interface ContactRow extends AddressRow {
  readonly i: number
  readonly received: boolean
  readonly erasureEpoch: number
  readonly version: string
  readonly settings: DeliverySettings | null
  readonly preference: Preference | null
}

const toAddresses = ({ email, number, timezone, locale, slack, ...row }: ContactRow) => ({
  ...(email !== null && { email }),
  ...(row.email_bounce !== null && { bounce: row.email_bounce }),
  ...(number !== null && { number }),
  ...(timezone !== null && { timezone }),
  ...(locale !== null && { locale }),
  ...(slack !== null && { slack: channelField(row.slack_channel ?? defaultSlackChannel(slack)) })
})

const channelField = (channel: string | undefined) => (channel === undefined ? {} : { channel })

const EMPTY_CONTACT: Contact = { erasureEpoch: 0, preferences: [], received: false, version: '' }

const keyColumns = (users: readonly UserKey[]) => ({
  buckets: users.map(user => user.bucket),
  environments: users.map(user => user.envId),
  ids: users.map(user => user.userId)
})

/**
 * Reads the contacts of users of one database group, and whether each user was sent its topic before, in one query. A user
 * without stored data has no address and no preferences.
 *
 * The arrays are in subqueries, so that Postgres uses a generic plan: if it knew how few rows they have, it would plan the
 * statement each time, which costs much more than running it.
 *
 * @param users - may contain the same user twice
 * @returns in the order of `users`
 */
export async function readContacts(query: Query, users: readonly (UserKey & Topic)[]): Promise<Contact[]> {
  if (users.length === 0) return []
  const { buckets, environments, ids } = keyColumns(users)
  const rows = await query<ContactRow[]>`
    select k.i::int as i, u.email, u.email_bounce, u.number, u.timezone, u.locale, u.slack_channel, u.slack,
      u.delivery_settings as settings, r.key is not null as received, coalesce(e.epoch, 0) as "erasureEpoch", ${userVersion(query)} as version,
      case when p.user_id is not null then jsonb_build_object('notificationId', p.notification_id,
        'subNotificationId', p.sub_id, 'channel', p.channel, 'delivery', p.delivery) end as preference
    from unnest((select ${buckets}::smallint[]), (select ${environments}::text[]), (select ${ids}::text[]),
        (select ${users.map(topicKey)}::text[]))
      with ordinality as k (bucket, env_id, user_id, topic, i)
    left join users u on ${inGroupOf(query, 'u')} and u.bucket = k.bucket and u.env_id = k.env_id and u.id = k.user_id
    left join preferences p on ${inGroupOf(query, 'p')} and p.bucket = k.bucket and p.env_id = k.env_id and p.user_id = k.user_id
    left join received r on ${inGroupOf(query, 'r')} and r.bucket = k.bucket and r.env_id = k.env_id and r.user_id = k.user_id
      and r.key = decode(k.topic, 'hex')
    left join erasure_epochs e on ${inGroupOf(query, 'e')} and e.bucket = k.bucket and e.env_id = k.env_id
    where u.id is not null or p.user_id is not null or r.key is not null or e.epoch is not null`
  const contacts: (Contact & { preferences: Preference[] })[] = []
  for (const row of rows) {
    const { preferences } = (contacts[row.i - 1] ??= {
      ...toAddresses(row),
      erasureEpoch: row.erasureEpoch,
      preferences: [],
      ...(row.settings !== null && { settings: row.settings }),
      received: row.received,
      version: row.version
    })
    if (row.preference !== null) preferences.push(row.preference)
  }
  return users.map((_, i) => contacts[i] ?? EMPTY_CONTACT)
}

/** SQL of {@link Contact.version} for the row `u`. Every change of a user's data also updates this row. */
export const userVersion = (query: Query): Fragment => query`coalesce(u.xmin::text, '')`

/** The first statement of a transaction that deletes data of a user. A user without a row has no data. */
export const touchUserStatement = (tx: Tx, { bucket, envId, userId }: UserKey): Fragment => tx`
  update users set updated_at = now() where bucket = ${bucket} and env_id = ${envId} and id = ${userId}`

/** The first statement of a transaction that changes data of a user. Creates the user's row. */
export const upsertUserStatement = (tx: Tx, { bucket, envId, userId }: UserKey): Fragment => tx`
  insert into users (bucket, env_id, id) values (${bucket}, ${envId}, ${userId})
  on conflict (bucket, env_id, id) do update set updated_at = excluded.updated_at`

export interface UserRow extends AddressRow {
  readonly properties: Record<string, Json>
  readonly created_at: Date
  readonly updated_at: Date
  readonly seen_at: Date | null
}

export const userColumns = (query: Query): Fragment => query`
  u.email, u.email_bounce, u.number, u.timezone, u.locale, u.slack_channel, u.slack, u.properties, u.created_at,
  u.updated_at, u.seen_at`

export interface DeviceRow {
  readonly kind: StoredDevice['kind']
  readonly token: Json
  readonly device: Readonly<Record<string, Json>>
}

/** @returns the stored user; only `id` if nothing is stored */
export async function readUser(
  query: Query,
  { bucket, envId, userId }: UserKey
): Promise<Readonly<Record<string, unknown>>> {
  const [[user], devices] = await Promise.all([
    query<UserRow[]>`
      select ${userColumns(query)} from users u
      where u.bucket = ${bucket} and u.env_id = ${envId} and u.id = ${userId}`,
    query<DeviceRow[]>`
      select kind, token, device from devices
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} order by seen_at, token_hash`
  ])
  return user ? toUserBody(userId, user, devices) : { id: userId }
}

export function toUserBody(
  userId: string,
  user: UserRow,
  devices: readonly DeviceRow[]
): Readonly<Record<string, unknown>> {
  const { email, email_bounce: bounce, number, timezone, locale, properties, slack } = user
  const { slack_channel: slackChannel } = user
  const pushTokens = devices
    .filter(({ kind }) => kind !== 'web')
    .map(({ kind, token, device: { environment, ...device } }) => ({
      device,
      environment,
      token,
      type: kind.toUpperCase()
    }))
  const webPushTokens = devices.filter(({ kind }) => kind === 'web').map(({ token }) => ({ sub: token }))
  return {
    id: userId,
    ...(email !== null && { email }),
    ...(bounce !== null && { emailBounce: bounce }),
    ...(number !== null && { number }),
    ...(timezone !== null && { timezone }),
    ...(locale !== null && { locale }),
    ...(pushTokens.length > 0 && { pushTokens }),
    ...(webPushTokens.length > 0 && { webPushTokens }),
    ...(slackChannel !== null && { slackChannel }),
    ...(slack !== null && { slackToken: slack }),
    ...(Object.keys(properties).length > 0 && { properties }),
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
    ...(user.seen_at && { lastSeenTime: user.seen_at.toISOString() })
  }
}
