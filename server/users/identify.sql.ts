// Merges identify requests into the stored user. Lock order: the user's row, digest rows, devices by hash.
//
// A request without devices is one statement: it needs no transaction, and no second read for the answer.

import type { UserKey } from '../core/id.ts'
import type { Json, Query, Tx } from '../db/db.ts'
import { unnest } from '../db/sql-helpers.ts'
import { makeWaitingDue } from '../queue/revisit-waiting.sql.ts'
import { toStoredDevices } from './device.ts'
import type { Identity } from './schema.ts'
import type { SlackConnection } from './slack-connection.ts'
import { readUser, userColumns, toUserBody, type DeviceRow, type UserRow } from './users.sql.ts'

export interface IdentifyOptions {
  /** Undefined keeps the stored connection, null deletes it. */
  readonly slack?: SlackConnection | null | undefined
  /** A back end may reset `emailBounce`, a front end may not. */
  readonly isBackEnd?: boolean
  /** The user was here, so `seen_at` is now. Default: true. */
  readonly isVisit?: boolean
  readonly limits: {
    /** The most recently seen devices are kept. Without a limit, a front end could fill the disk. */
    readonly devices: number
    /** Applies only to requests with properties, so that a lower limit does not reject other requests. */
    readonly properties: number
  }
}

/** @returns whether {@link identifyUser} needs a transaction, because it writes more than one statement */
export const hasDevices = ({ pushTokens, webPushTokens }: Identity): boolean =>
  pushTokens !== undefined || webPushTokens !== undefined

/**
 * Merges the identity into the stored user: an absent field does not change, null clears it, devices are added or renewed.
 *
 * @param query - a transaction if {@link hasDevices}
 * @returns the body of the answer; undefined if the user would have too many properties and nothing was written
 */
export async function identifyUser(
  query: Query,
  key: UserKey,
  identity: Identity,
  options: IdentifyOptions
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const row = await writeUser(query, key, identity, options)
  if (!row) return undefined
  if (!hasDevices(identity)) return toUserBody(key.userId, row, row.devices)
  await writeDevices(query as Tx, key, identity, options.limits.devices)
  return readUser(query, key)
}

async function writeUser(
  query: Query,
  key: UserKey,
  identity: Identity,
  { limits, slack, isBackEnd = false, isVisit = true }: IdentifyOptions
): Promise<(UserRow & { readonly devices: readonly DeviceRow[] }) | undefined> {
  const { bucket, envId, userId } = key
  const resetsBounce = isBackEnd && identity.emailBounce === null
  const { email, number, timezone, locale, properties, slackChannel } = identity
  const slackInfo = slack ? query.json(slack.info as unknown as Json) : null
  const newProperties = query.json(properties ?? {})
  const revisitDigests = query`, revisited as (
    ${makeWaitingDue(query, key, { includesHeld: true, where: query`exists (select from u)`, zone: timezone ?? undefined })})`
  const [row] = await query<(UserRow & { devices: readonly DeviceRow[] })[]>`
    with u as (
      insert into users (bucket, env_id, id, email, number, timezone, locale, slack_channel, slack, slack_token,
                         properties, seen_at)
      select ${bucket}::smallint, ${envId}, ${userId}, ${email ?? null}, ${number ?? null}, ${timezone ?? null},
        ${locale ?? null}, ${slackChannel ?? null}, ${slackInfo}::jsonb, ${slack?.encryptedToken ?? null}::bytea, kept,
        case when ${isVisit} then now() end
      from jsonb_strip_nulls(${newProperties}::jsonb) as kept
      where (select count(*) from jsonb_object_keys(kept)) <= ${limits.properties}
      on conflict (bucket, env_id, id) do update set
        email = case when ${email !== undefined} then excluded.email else users.email end,
        email_bounce = case when ${resetsBounce} or ${email !== undefined}
          and lower(excluded.email) is distinct from users.email_bounce ->> 'address' then null else users.email_bounce end,
        number = case when ${number !== undefined} then excluded.number else users.number end,
        timezone = case when ${timezone !== undefined} then excluded.timezone else users.timezone end,
        locale = case when ${locale !== undefined} then excluded.locale else users.locale end,
        slack_channel = case when ${slackChannel !== undefined} then excluded.slack_channel else users.slack_channel end,
        slack = case when ${slack !== undefined} then excluded.slack else users.slack end,
        slack_token = case when ${slack !== undefined} then excluded.slack_token else users.slack_token end,
        properties = case when ${properties === null} then '{}'
          else jsonb_strip_nulls(users.properties || ${newProperties}::jsonb) end,
        updated_at = excluded.updated_at,
        seen_at = coalesce(excluded.seen_at, users.seen_at)
      where ${!properties} or ${limits.properties} >= (
        select count(*) from jsonb_object_keys(jsonb_strip_nulls(users.properties || ${newProperties}::jsonb)))
      returning *)${timezone === undefined ? query`` : revisitDigests}
    select ${userColumns(query)}, (
      select coalesce(jsonb_agg(jsonb_build_object('kind', d.kind, 'token', d.token, 'device', d.device)
        order by d.seen_at, d.token_hash), '[]')
      from devices d where d.bucket = ${bucket} and d.env_id = ${envId} and d.user_id = ${userId}) as devices
    from u`
  return row
}

async function writeDevices(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  identity: Identity,
  maxCount: number
): Promise<void> {
  const cleared = [
    ...(identity.pushTokens === null ? ['apn', 'fcm'] : []),
    ...(identity.webPushTokens === null ? ['web'] : [])
  ]
  if (cleared.length > 0) {
    await tx`
      delete from devices
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and kind = any(${cleared}::text[])`
  }
  const devices = toStoredDevices(identity)
  if (devices.length === 0) return
  await tx`
    insert into devices (bucket, env_id, user_id, kind, token_hash, token, device)
    select ${bucket}::smallint, ${envId}, ${userId}, d.kind, decode(d.hash, 'hex'), d.token::jsonb, d.device::jsonb
    from ${unnest(tx, 'd', devices, { device: 'json', kind: 'text', token: 'json' }, { hash: ['text', one => one.hash.toString('hex')] })}
    order by d.kind, d.hash
    on conflict (bucket, env_id, user_id, kind, token_hash) do update set
      token = excluded.token, device = excluded.device, seen_at = excluded.seen_at`
  await tx`
    delete from devices
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and (kind, token_hash) in (
      select kind, token_hash from devices
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      order by seen_at desc, token_hash offset ${maxCount})`
}
