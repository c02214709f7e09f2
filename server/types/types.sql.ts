// Stores types and templates, with the cache that sends use. Types belong to environments, not to users, so they have no bucket.

import { CHANNELS, type Channel } from '#protocol'

import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Db, Json, Query } from '../db/db.ts'
import { unnest } from '../db/sql-helpers.ts'
import { deleteIf, writeIf } from '../http/etag.ts'
import { checkerWithPartials, contentUsesPartials, expandContent } from './partials/check-partials.ts'
import { readPartials } from './partials/partials.sql.ts'
import type { TemplateContent } from './templates/content.ts'
import { createTypeCache } from './type-cache.ts'
import {
  emptyType,
  typeSettings,
  withChannels,
  type NewTemplate,
  type NewType,
  type StoredType,
  type TypeHead,
  type TypeStore,
  type WrittenTemplate
} from './type.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly channels: string[]
  readonly settings: Json
  readonly updated_at: Date
  readonly templates: readonly {
    readonly channel: string
    readonly id: string
    readonly content: TemplateContent
  }[]
  readonly subs: Readonly<Record<string, string>>
}

const isChannel = (name: string): name is Channel => (CHANNELS as readonly string[]).includes(name)

export function openTypes(db: Db, log: Log, clock: Clock = Date.now): TypeStore {
  const toType = ({ id, title, channels, settings, updated_at, templates, subs }: Row): StoredType => {
    const byChannel = new Map<Channel, Map<string, TemplateContent>>()
    for (const template of templates) {
      if (!isChannel(template.channel)) continue
      const byName = byChannel.get(template.channel) ?? new Map<string, TemplateContent>()
      byChannel.set(template.channel, byName.set(template.id, template.content))
    }
    return {
      ...toHead({ channels, id, settings, title, updated_at }),
      subs: new Map(Object.entries(subs)),
      templates: byChannel
    }
  }

  const toHead = ({
    id,
    title,
    channels,
    settings,
    updated_at
  }: Omit<Row, 'subs' | 'templates'>): TypeHead => {
    const parsed = typeSettings.safeParse(settings)
    if (!parsed.success) {
      log.warn(
        { event: 'type_settings_invalid', err: parsed.error, typeId: id },
        'stored settings of a type are not valid; defaults are used'
      )
    }
    return {
      channels: channels.filter(isChannel),
      id,
      settings: parsed.data ?? typeSettings.parse({}),
      title,
      updatedAt: updated_at
    }
  }

  const read = async (
    envId: string,
    id: string,
    query: Query = db.control
  ): Promise<StoredType | undefined> => {
    const [row] = await query<Row[]>`
      select n.id, n.title, n.channels, n.settings, n.updated_at, coalesce((
        select jsonb_agg(jsonb_build_object('channel', t.channel, 'id', t.id, 'content', t.content)
          order by t.channel, t.id)
        from templates t where t.env_id = n.env_id and t.notification_id = n.id), '[]') as templates, coalesce((
          select jsonb_object_agg(s.id, s.title)
          from sub_notifications s where s.env_id = n.env_id and s.notification_id = n.id), '{}') as subs
      from notifications n where n.env_id = ${envId} and n.id = ${id}`
    return row && toType(row)
  }

  const expandTemplates = async (
    envId: string,
    templates: StoredType['templates']
  ): Promise<StoredType['templates']> => {
    if (![...templates.values()].some(byId => [...byId.values()].some(contentUsesPartials))) return templates
    const partials = await readPartials(db, envId)
    return new Map(
      [...templates].map(([channel, byId]) => [
        channel,
        new Map([...byId].map(([id, content]) => [id, expandContent(content, partials)]))
      ])
    )
  }

  /** The lock also holds off changes of the templates. */
  const readLocked = async (tx: Query, envId: string, id: string): Promise<StoredType | undefined> => {
    await tx`select from notifications where env_id = ${envId} and id = ${id} for update`
    return read(envId, id, tx)
  }

  const cache = createTypeCache(async (envId, id) => {
    const type = await read(envId, id)
    return type && withChannels({ ...type, templates: await expandTemplates(envId, type.templates) })
  }, clock)

  return {
    checkerFor: async (envId, renderer) => checkerWithPartials(renderer, await readPartials(db, envId)),
    forget: cache.forget,
    get: cache.get,
    async ensure(envId, id, channels) {
      const type = await cache.get(envId, id)
      if (type && (!type.settings.adHoc || channels.every(name => type.channels.includes(name)))) return type
      await db.control`
        insert into notifications (env_id, id, title, channels, settings)
        values (${envId}, ${id}, ${id}, ${[...channels]}, '{"adHoc": true}')
        on conflict (env_id, id) do update set updated_at = now(),
          channels = array(select distinct unnest(notifications.channels || excluded.channels) order by 1)
        where notifications.settings @> excluded.settings and not notifications.channels @> excluded.channels`
      cache.forget(envId, id)
      const ensured = await cache.get(envId, id)
      return ensured ?? { ...emptyType(id), channels }
    },
    async list(envId) {
      const rows = await db.control<Omit<Row, 'subs' | 'templates'>[]>`
        select id, title, channels, settings, updated_at from notifications where env_id = ${envId} order by id`
      return rows.map(toHead)
    },
    read,
    expandTemplates,
    async put(envId, types, check) {
      const created = await db.control.begin(async tx => {
        const newIds = new Set<string>()
        // In the same order on every node, so that two nodes that read the same files cannot deadlock.
        for (const type of [...types].sort((a, b) => (a.id < b.id ? -1 : 1))) {
          const { created } = await writeIf(
            check,
            () => readLocked(tx, envId, type.id),
            () => putType(tx, envId, type)
          )
          if (created) newIds.add(type.id)
        }
        return newIds
      })
      for (const { id } of types) cache.forget(envId, id)
      return created
    },
    async delete(envId, id, check) {
      const isDeleted = await db.control.begin(tx =>
        deleteIf(
          check,
          () => readLocked(tx, envId, id),
          async () => (await tx`delete from notifications where env_id = ${envId} and id = ${id}`).count > 0
        )
      )
      cache.forget(envId, id)
      return isDeleted
    },
    async putTemplate(envId, typeId, template, check) {
      const { channel, id } = template
      const written = await db.control.begin(tx =>
        writeIf(
          check,
          async () => (await readLocked(tx, envId, typeId))?.templates.get(channel)?.get(id),
          () => putTemplate(tx, envId, typeId, template)
        )
      )
      cache.forget(envId, typeId)
      return written
    },
    async deleteTemplate(envId, typeId, { channel, id }, check) {
      const isDeleted = await db.control.begin(tx =>
        deleteIf(
          check,
          async () => (await readLocked(tx, envId, typeId))?.templates.get(channel)?.get(id),
          async () => {
            const { count } = await tx`
              delete from templates
              where env_id = ${envId} and notification_id = ${typeId} and channel = ${channel} and id = ${id}`
            return count > 0
          }
        )
      )
      cache.forget(envId, typeId)
      return isDeleted
    }
  }
}

async function putTemplate(
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

async function putType(tx: Query, envId: string, type: NewType): Promise<{ readonly created: boolean }> {
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
