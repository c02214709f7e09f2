// Adds versions of a type and moves the pointer to the published one. All functions need the lock of the type (`lockEditable`).

import type { Fragment, Json, Query } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import { FILES, type Author } from '../type.ts'
import { MAX_TYPE_PUBLICATIONS, MAX_TYPE_VERSIONS, type VersionContent } from './version.ts'

/** Who saves without a call: the demo, and types that a test stores. */
const SERVER = 'server'

/**
 * Locks a type until the end of the transaction, also against changes of its templates.
 *
 * @returns whether the type exists
 * @throws Problem if the type is managed by files, and the author is not them
 */
export async function lockEditable(
  tx: Query,
  envId: string,
  id: string,
  { by = SERVER }: Author = {}
): Promise<boolean> {
  const [row] = await tx<{ managedBy: string | null }[]>`
    select managed_by as "managedBy" from notifications where env_id = ${envId} and id = ${id} for update`
  if (row?.managedBy !== FILES || by === FILES) return row !== undefined
  throw new Problem(
    'conflict',
    `The notification type ${JSON.stringify(id)} is managed by files: it stands in a file of NOTIF_TYPES_DIR. Change it there, or remove it from the file first.`
  )
}

/** The content of the type `n` as sends use it. */
export const storedContent = (query: Query): Fragment => query`
  jsonb_build_object('title', n.title, 'channels', to_jsonb(n.channels), 'settings', n.settings, 'templates', coalesce((
    select jsonb_agg(jsonb_build_object('channel', t.channel, 'id', t.id, 'content', t.content)
      order by t.channel collate "C", t.id collate "C")
    from templates t where t.env_id = n.env_id and t.notification_id = n.id), '[]'))`

/** Records the content that sends use now as the published version. Content of the published or newest version adds none. */
export async function publishCurrent(tx: Query, envId: string, id: string, author: Author): Promise<number> {
  const [row] = await tx<{ content: VersionContent; same: number | null }[]>`
    select c.content, (
      select v.number from type_versions v
      where v.env_id = ${envId} and v.notification_id = ${id} and v.content = c.content and v.number in (c.published_version, (
        select max(number) from type_versions where env_id = ${envId} and notification_id = ${id}))
      order by v.number = c.published_version desc nulls last limit 1) as same
    from (
      select n.published_version, ${storedContent(tx)} as content
      from notifications n where n.env_id = ${envId} and n.id = ${id}) c`
  const number = row!.same ?? (await addVersion(tx, envId, id, row!.content, author))
  await movePointer(tx, envId, id, number, author)
  return number
}

/** @returns the number of the new version */
export async function addVersion(
  tx: Query,
  envId: string,
  id: string,
  content: VersionContent,
  { by = SERVER, note }: Author
): Promise<number> {
  const [row] = await tx<{ number: number }[]>`
    insert into type_versions (env_id, notification_id, number, content, note, created_by)
    select ${envId}, ${id}, coalesce(max(number), 0) + 1, ${tx.json(content as unknown as Json)}, ${note ?? null}, ${by}
    from type_versions where env_id = ${envId} and notification_id = ${id}
    returning number`
  const { number } = row!
  await tx`
    delete from type_versions v where v.env_id = ${envId} and v.notification_id = ${id} and v.number <= ${number - MAX_TYPE_VERSIONS}
      and v.number is distinct from (select n.published_version from notifications n where n.env_id = ${envId} and n.id = ${id})`
  return number
}

export async function movePointer(
  tx: Query,
  envId: string,
  id: string,
  number: number,
  { by = SERVER }: Author
): Promise<void> {
  const moved = await tx`
    update notifications set published_version = ${number}
    where env_id = ${envId} and id = ${id} and published_version is distinct from ${number}`
  if (moved.count === 0) return
  await tx`
    insert into type_publications (env_id, notification_id, version, published_by) values (${envId}, ${id}, ${number}, ${by})`
  await tx`
    delete from type_publications where env_id = ${envId} and notification_id = ${id} and published_at < (
      select published_at from type_publications where env_id = ${envId} and notification_id = ${id}
      order by published_at desc offset ${MAX_TYPE_PUBLICATIONS} limit 1)`
}
