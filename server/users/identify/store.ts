// Who somebody is, as a front end or a back end says it, merged into what is known. Lock order: the user's row, digest heads,
// devices by hash.

import type { Json, Tx } from '../../db/sql.ts'
import { revisit } from '../../digest/store.ts'
import { devicesOf } from '../devices.ts'
import type { Identity } from '../schema.ts'
import type { SlackConnection } from '../slack.ts'
import type { UserKey } from '../store.ts'

/**
 * Merges what was said into what is known: absent stays, null clears, devices are added or renewed.
 *
 * @param slack - `said.slackToken`, encrypted; undefined: stays
 * @param trusted - a back end says it, so that it may also say that a mailbox works again
 * @returns how many properties the user has now
 */
export async function identifyUser(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  said: Identity,
  slack?: SlackConnection | null,
  trusted: boolean = false
): Promise<number> {
  const repaired = trusted && said.emailBounce === null
  const { email, number, timezone, locale, properties, slackChannel } = said
  const about = slack ? tx.json(slack.about as unknown as Json) : null
  const [row] = await tx<{ properties: number }[]>`
    insert into users (bucket, env_id, id, email, number, timezone, locale, slack_channel, slack, slack_token,
                       properties, seen_at)
    values (${bucket}, ${envId}, ${userId}, ${email ?? null}, ${number ?? null}, ${timezone ?? null},
            ${locale ?? null}, ${slackChannel ?? null}, ${about}, ${slack?.sealed ?? null},
            jsonb_strip_nulls(${tx.json(properties ?? {})}), now())
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
        else jsonb_strip_nulls(users.properties || ${tx.json(properties ?? {})}) end,
      updated_at = now(),
      seen_at = now()
    returning (select count(*)::integer from jsonb_object_keys(properties)) as properties`
  if (timezone !== undefined) await revisit(tx, { bucket, envId, userId }, timezone ?? undefined)
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
  if (devices.length === 0) return row!.properties
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
      order by seen_at desc, token_hash offset ${DEVICES_KEPT})`
  return row!.properties
}

/** Devices that one user keeps, those seen last; a front end could fill the disk otherwise. */
const DEVICES_KEPT = 200
