// Stores and reads the messages of sandbox providers.

import type { Db, DatabaseGroup, Json, Query } from '../../db/db.ts'
import type { Delivery } from '../channel.ts'

export interface SandboxMessage {
  /** Id of the outbox row, so that a repeated attempt finds its message. */
  readonly id: string
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
  /** Returns only messages older than this id. */
  readonly before?: string | undefined
  readonly limit: number
  /** Of all messages of the page, which has at least one. Default: no limit. */
  readonly maxBytes?: number | undefined
}

/** Does nothing for a repeated attempt, or if the outbox row is gone: no message remains of a user who was erased. */
export async function storeMessage(
  db: Pick<Db, 'of'>,
  channel: string,
  { body, bucket, envId, id, sendId, userId }: Delivery,
  message: SandboxMessage['message']
): Promise<{ readonly kind: 'sent'; readonly ref: string }> {
  const { work } = db.of(bucket)
  await work`
    insert into sandbox_messages (bucket, id, env_id, user_id, send_id, notification_id, channel, message)
    select o.bucket, o.id, ${envId}, ${userId}, ${sendId}, ${body.notificationId}, ${channel},
      ${work.json(message as never)}
    from outbox o where o.bucket = ${bucket} and o.id = ${id} for key share
    on conflict (bucket, id) do nothing`
  return { kind: 'sent', ref: `sandbox:${id}` }
}

const columns = (query: Query) =>
  query`id, user_id as "userId", send_id as "sendId", notification_id as "notificationId", channel, message`

const CURSOR_ROWS = 10

const newestFirst = (a: SandboxMessage, b: SandboxMessage): number => (a.id < b.id ? 1 : -1)

export interface SandboxPage {
  readonly messages: readonly SandboxMessage[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** Returns the newest messages first, from all database groups. */
export async function readMessages(db: Db, filter: SandboxFilter): Promise<SandboxPage> {
  const parts = await Promise.all(db.groups.map(group => readGroup(group, filter)))
  const all = parts.flatMap(({ found }) => found).sort(newestFirst)
  // Behind the last row of a part, its database may have rows that are newer than those of other parts.
  const edges = parts.flatMap(({ found, hasMore }) => (hasMore ? found.at(-1)!.id : []))
  const messages = all.filter(({ id }) => edges.every(edge => id >= edge)).slice(0, filter.limit)
  const next = (edges.length > 0 || messages.length < all.length) && messages.at(-1)?.id
  return { messages, ...(next && { next }) }
}

/** Reads a few rows at a time, because messages may be large. */
async function readGroup(
  { buckets, sql }: DatabaseGroup,
  { envId, userId, channel, sendId, before, maxBytes = Infinity, limit }: SandboxFilter
): Promise<{ readonly found: readonly SandboxMessage[]; readonly hasMore: boolean }> {
  const rows = sql<(SandboxMessage & { size: number })[]>`
    select ${columns(sql)}, octet_length(message::text) as size
    from sandbox_messages
    where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
      and env_id = ${envId}
      and (${userId ?? null}::text is null or user_id = ${userId ?? null})
      and (${channel ?? null}::text is null or channel = ${channel ?? null})
      and (${sendId ?? null}::uuid is null or send_id = ${sendId ?? null}::uuid)
      and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
    order by id desc limit ${limit + 1}`
  const found: SandboxMessage[] = []
  let bytes = 0
  for await (const chunk of rows.cursor(CURSOR_ROWS)) {
    for (const { size, ...message } of chunk) {
      bytes += size
      if (found.length === limit || (found.length > 0 && bytes > maxBytes)) return { found, hasMore: true }
      found.push(message)
    }
  }
  return { found, hasMore: false }
}

export async function readMessage(
  group: DatabaseGroup,
  bucket: number,
  envId: string,
  id: string
): Promise<SandboxMessage | undefined> {
  const [found] = await group.sql<SandboxMessage[]>`
    select ${columns(group.sql)}
    from sandbox_messages where bucket = ${bucket} and env_id = ${envId} and id = ${id}`
  return found
}
