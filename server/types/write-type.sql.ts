// Writes a type and its templates as sends use them. What was written is recorded as a version (versions/publish.sql.ts).

import type { Json, Query } from '../db/db.ts'
import { unnest } from '../db/sql-helpers.ts'
import type { NewTemplate, NewType, WrittenTemplate } from './type.ts'

export async function putTemplate(
  tx: Query,
  envId: string,
  typeId: string,
  { channel, content, id }: NewTemplate
): Promise<WrittenTemplate | undefined> {
  const [row] = await tx<WrittenTemplate[]>`
    insert into templates (env_id, notification_id, channel, id, content)
    select env_id, id, ${channel}, ${id}, ${tx.json(content as Json)}
    from notifications where env_id = ${envId} and id = ${typeId} for key share
    on conflict (env_id, notification_id, channel, id) do update
      set content = excluded.content, updated_at = now()
    returning xmax = 0 as created, content`
  return row
}

export async function putType(
  tx: Query,
  envId: string,
  type: NewType
): Promise<{ readonly created: boolean }> {
  const { channels, id, settings, templates, title } = type
  const [row] = await tx<{ created: boolean }[]>`
    insert into notifications (env_id, id, title, channels, settings)
    values (${envId}, ${id}, ${title}, ${[...channels]}, ${tx.json(settings as Json)})
    on conflict (env_id, id) do update set
      title = excluded.title, channels = excluded.channels, settings = excluded.settings, updated_at = now()
    returning xmax = 0 as created`
  if (templates) {
    await tx`
      delete from templates t where t.env_id = ${envId} and t.notification_id = ${id} and not exists (
        select from ${unnest(tx, 'n', templates, { channel: 'text', id: 'text' })}
        where n.channel = t.channel and n.id = t.id)`
    await tx`
      insert into templates (env_id, notification_id, channel, id, content)
      select ${envId}, ${id}, k.channel, k.id, k.content::jsonb
      from ${unnest(tx, 'k', templates, { channel: 'text', content: 'json', id: 'text' })}
      on conflict (env_id, notification_id, channel, id) do update
        set content = excluded.content, updated_at = now()`
  }
  return row!
}
