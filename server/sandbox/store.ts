// Messages that sandbox providers kept.

import type { Delivery } from '../channels/channel.ts'
import type { Db, Group, Json } from '../db/sql.ts'

export interface SandboxMessage {
  readonly bucket: number
  /** Of the outbox row: a repeated try finds its message here. */
  readonly id: string
  readonly envId: string
  readonly userId: string
  readonly sendId: string
  readonly notificationId: string
  readonly channel: string
  readonly message: { readonly [key: string]: Json | undefined }
}

export interface SandboxFilter {
  readonly envId: string
  readonly userId?: string | undefined
  readonly channel?: string | undefined
  readonly sendId?: string | undefined
  /** Only messages older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** A repeated try changes nothing, nor one whose row of the queue is gone: who was erased leaves no message. */
export async function keepMessage(
  db: Pick<Db, 'of'>,
  channel: string,
  { body, bucket, envId, id, sendId, userId }: Delivery,
  message: SandboxMessage['message']
): Promise<{ readonly fate: 'sent'; readonly ref: string }> {
  const { work } = db.of(bucket)
  await work`
    insert into sandbox_messages (bucket, id, env_id, user_id, send_id, notification_id, channel, message)
    select o.bucket, o.id, ${envId}, ${userId}, ${sendId}, ${body.notificationId}, ${channel},
      ${work.json(message as never)}
    from outbox o where o.bucket = ${bucket} and o.id = ${id} for key share
    on conflict (bucket, id) do nothing`
  return { fate: 'sent', ref: `sandbox:${id}` }
}

const newestFirst = (a: SandboxMessage, b: SandboxMessage): number => (a.id < b.id ? 1 : -1)

/** Newest first, from every database. */
export async function readMessages(
  db: Db,
  { envId, userId, channel, sendId, before, limit }: SandboxFilter
): Promise<SandboxMessage[]> {
  const found = await Promise.all(
    db.groups.map(
      group => group.sql<SandboxMessage[]>`
        select bucket, id, env_id as "envId", user_id as "userId", send_id as "sendId",
          notification_id as "notificationId", channel, message
        from sandbox_messages
        where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
          and env_id = ${envId}
          and (${userId ?? null}::text is null or user_id = ${userId ?? null})
          and (${channel ?? null}::text is null or channel = ${channel ?? null})
          and (${sendId ?? null}::uuid is null or send_id = ${sendId ?? null}::uuid)
          and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
        order by id desc limit ${limit}`
    )
  )
  return found.flat().sort(newestFirst).slice(0, limit)
}

export async function readMessage(
  group: Group,
  bucket: number,
  envId: string,
  id: string
): Promise<SandboxMessage | undefined> {
  const [found] = await group.sql<SandboxMessage[]>`
    select bucket, id, env_id as "envId", user_id as "userId", send_id as "sendId",
          notification_id as "notificationId", channel, message
    from sandbox_messages where bucket = ${bucket} and env_id = ${envId} and id = ${id}`
  return found
}
