// Stores types and templates, with the cache that sends use. Types belong to environments, not to users, so they have no bucket.

import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Db, Json, Query } from '../db/db.ts'
import { deleteIf, writeIf } from '../http/etag.ts'
import { checkerWithPartials, contentUsesPartials, expandContent } from './partials/check-partials.ts'
import { readPartials } from './partials/partials.sql.ts'
import { isChannel, templatesByChannel, type TemplateRow } from './template-rows.ts'
import { createTypeCache } from './type-cache.ts'
import {
  emptyType,
  FILES,
  typeSettings,
  withChannels,
  type StoredType,
  type TypeHead,
  type TypeStore
} from './type.ts'
import { lockEditable, publishCurrent } from './versions/publish.sql.ts'
import { putTemplate, putType } from './write-type.sql.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly channels: string[]
  readonly settings: Json
  readonly published_version: number | null
  readonly managed_by: string | null
  readonly updated_at: Date
  readonly templates: readonly TemplateRow[]
  readonly subs: Readonly<Record<string, string>>
}

export function openTypes(db: Db, log: Log, clock: Clock = Date.now): TypeStore {
  const toType = ({ templates, subs, ...head }: Row): StoredType => ({
    ...toHead(head),
    subs: new Map(Object.entries(subs)),
    templates: templatesByChannel(templates)
  })

  const toHead = ({
    id,
    title,
    channels,
    settings,
    published_version: version,
    managed_by,
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
      updatedAt: updated_at,
      ...(version !== null && { version }),
      ...(managed_by === FILES && { managedBy: FILES })
    }
  }

  const read = async (
    envId: string,
    id: string,
    query: Query = db.control
  ): Promise<StoredType | undefined> => {
    const [row] = await query<Row[]>`
      select n.id, n.title, n.channels, n.settings, n.published_version, n.managed_by, n.updated_at, coalesce((
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
        select id, title, channels, settings, published_version, managed_by, updated_at
        from notifications where env_id = ${envId} order by id`
      return rows.map(toHead)
    },
    read,
    expandTemplates,
    async setManaged(envId, ids, isAll) {
      await db.control`
        update notifications set managed_by = case when id = any(${ids as string[]}::text[]) then ${FILES} end
        where env_id = ${envId} and coalesce(managed_by, '') <> case when id = any(${ids as string[]}::text[]) then ${FILES} else '' end
          and (${isAll} or id = any(${ids as string[]}::text[]))`
    },
    async put(envId, types, { check, ...author } = {}) {
      const created = await db.control.begin(async tx => {
        const newIds = new Set<string>()
        // In the same order on every node, so that two nodes that read the same files cannot deadlock.
        for (const type of [...types].sort((a, b) => (a.id < b.id ? -1 : 1))) {
          await lockEditable(tx, envId, type.id, author)
          const { created } = await writeIf(
            check,
            () => readLocked(tx, envId, type.id),
            () => putType(tx, envId, type)
          )
          if (created) newIds.add(type.id)
          await publishCurrent(tx, envId, type.id, author)
        }
        return newIds
      })
      for (const { id } of types) cache.forget(envId, id)
      return created
    },
    async delete(envId, id, check) {
      const isDeleted = await db.control.begin(async tx => {
        await lockEditable(tx, envId, id)
        return deleteIf(
          check,
          () => readLocked(tx, envId, id),
          async () => (await tx`delete from notifications where env_id = ${envId} and id = ${id}`).count > 0
        )
      })
      cache.forget(envId, id)
      return isDeleted
    },
    async putTemplate(envId, typeId, template, { check, ...author } = {}) {
      const { channel, id } = template
      const written = await db.control.begin(async tx => {
        await lockEditable(tx, envId, typeId, author)
        const result = await writeIf(
          check,
          async () => (await readLocked(tx, envId, typeId))?.templates.get(channel)?.get(id),
          () => putTemplate(tx, envId, typeId, template)
        )
        if (result) await publishCurrent(tx, envId, typeId, author)
        return result
      })
      cache.forget(envId, typeId)
      return written
    },
    async deleteTemplate(envId, typeId, { channel, id }, { check, ...author } = {}) {
      const isDeleted = await db.control.begin(async tx => {
        await lockEditable(tx, envId, typeId, author)
        const isGone = await deleteIf(
          check,
          async () => (await readLocked(tx, envId, typeId))?.templates.get(channel)?.get(id),
          async () => {
            const { count } = await tx`
              delete from templates
              where env_id = ${envId} and notification_id = ${typeId} and channel = ${channel} and id = ${id}`
            return count > 0
          }
        )
        if (isGone) await publishCurrent(tx, envId, typeId, author)
        return isGone
      })
      cache.forget(envId, typeId)
      return isDeleted
    }
  }
}
