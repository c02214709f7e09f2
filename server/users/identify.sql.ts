// Who somebody is, as a front end or a back end says it, merged into what is known. Lock order: the user's row, digest heads,
// devices by hash.
//
// What says nothing about devices is one statement: it needs no transaction around it, and no further look for the answer.

import type { UserKey } from '../core/id.ts'
import type { Json, Query, Tx } from '../db/db.ts'
import { revisiting } from '../queue/revisit-digests.sql.ts'
import type { Identity } from './schema.ts'
import type { SlackConnection } from './slack-connection.ts'
import { devicesOf } from './stored-devices.ts'
import { readUser, userColumns, userOf, type DeviceRow, type UserRow } from './users.sql.ts'

export interface Terms {
  /** `slackToken`, encrypted; undefined: stays. */
  readonly slack?: SlackConnection | null | undefined
  /** A back end says it, so that it may also say that a mailbox works again. */
  readonly trusted?: boolean
  readonly limits: {
    /** Those seen last are kept; a front end could fill the disk otherwise. */
    readonly devices: number
    /** What says nothing of them is not refused for those that are there. */
    readonly properties: number
  }
}

/** Whether {@link identifyUser} writes more than one statement. */
export const saysDevices = ({ pushTokens, webPushTokens }: Identity): boolean =>
  pushTokens !== undefined || webPushTokens !== undefined

/**
 * Merges what was said into what is known: absent stays, null clears, devices are added or renewed.
 *
 * @param query - a transaction where {@link saysDevices}
 * @returns the user as clients know it; undefined: it would have too many properties, and nothing was written
 */
export async function identifyUser(
  query: Query,
  key: UserKey,
  said: Identity,
  terms: Terms
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const row = await write(query, key, said, terms)
  if (!row) return undefined
  if (!saysDevices(said)) return userOf(key.userId, row, row.devices)
  await writeDevices(query as Tx, key, said, terms.limits.devices)
  return readUser(query, key)
}

async function write(
  query: Query,
  key: UserKey,
  said: Identity,
  { limits, slack, trusted = false }: Terms
): Promise<(UserRow & { readonly devices: readonly DeviceRow[] }) | undefined> {
  const { bucket, envId, userId } = key
  const repaired = trusted && said.emailBounce === null
  const { email, number, timezone, locale, properties, slackChannel } = said
  const about = slack ? query.json(slack.about as unknown as Json) : null
  const given = query.json(properties ?? {})
  const looked = query`, looked as (
    ${revisiting(query, key, timezone ?? undefined, query`exists (select from u)`)})`
  const [row] = await query<(UserRow & { devices: readonly DeviceRow[] })[]>`
    with u as (
      insert into users (bucket, env_id, id, email, number, timezone, locale, slack_channel, slack, slack_token,
                         properties, seen_at)
      select ${bucket}::smallint, ${envId}, ${userId}, ${email ?? null}, ${number ?? null}, ${timezone ?? null},
        ${locale ?? null}, ${slackChannel ?? null}, ${about}::jsonb, ${slack?.sealed ?? null}::bytea, kept, now()
      from jsonb_strip_nulls(${given}::jsonb) as kept
      where (select count(*) from jsonb_object_keys(kept)) <= ${limits.properties}
      on conflict (bucket, env_id, id) do update set
        email = case when ${email !== undefined} then excluded.email else users.email end,
        email_bounce = case when ${repaired} or ${email !== undefined}
          and lower(excluded.email) is distinct from users.email_bounce ->> 'address' then null else users.email_bounce end,
        number = case when ${number !== undefined} then excluded.number else users.number end,
        timezone = case when ${timezone !== undefined} then excluded.timezone else users.timezone end,
        locale = case when ${locale !== undefined} then excluded.locale else users.locale end,
        slack_channel = case when ${slackChannel !== undefined} then excluded.slack_channel else users.slack_channel end,
        slack = case when ${slack !== undefined} then excluded.slack else users.slack end,
        slack_token = case when ${slack !== undefined} then excluded.slack_token else users.slack_token end,
        properties = case when ${properties === null} then '{}'
          else jsonb_strip_nulls(users.properties || ${given}::jsonb) end,
        updated_at = now(),
        seen_at = now()
      where ${!properties} or ${limits.properties} >= (
        select count(*) from jsonb_object_keys(jsonb_strip_nulls(users.properties || ${given}::jsonb)))
      returning *)${timezone === undefined ? query`` : looked}
    select ${userColumns(query)}, (
      select coalesce(jsonb_agg(jsonb_build_object('kind', d.kind, 'token', d.token, 'device', d.device)
        order by d.seen_at, d.token_hash), '[]')
      from devices d where d.bucket = u.bucket and d.env_id = u.env_id and d.user_id = u.id) as devices
    from u`
  return row
}

/** @param limit - how many are kept */
async function writeDevices(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  said: Identity,
  limit: number
): Promise<void> {
  const cleared = [
    ...(said.pushTokens === null ? ['apn', 'fcm'] : []),
    ...(said.webPushTokens === null ? ['web'] : [])
  ]
  if (cleared.length > 0) {
    await tx`
      delete from devices
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and kind = any(${cleared}::text[])`
  }
  const devices = devicesOf(said)
  if (devices.length === 0) return
  await tx`
    insert into devices (bucket, env_id, user_id, kind, token_hash, token, device)
    select ${bucket}::smallint, ${envId}, ${userId}, d.kind, decode(d.hash, 'hex'), d.token::jsonb, d.device::jsonb
    from unnest(${devices.map(d => d.kind)}::text[], ${devices.map(d => d.hash.toString('hex'))}::text[],
                ${devices.map(d => JSON.stringify(d.token))}::text[],
                ${devices.map(d => JSON.stringify(d.device))}::text[]) as d (kind, hash, token, device)
    order by d.kind, d.hash
    on conflict (bucket, env_id, user_id, kind, token_hash) do update set
      token = excluded.token, device = excluded.device, seen_at = now()`
  await tx`
    delete from devices
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and (kind, token_hash) in (
      select kind, token_hash from devices
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      order by seen_at desc, token_hash offset ${limit})`
}
