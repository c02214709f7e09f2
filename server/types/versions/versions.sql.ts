// Reads versions of types, saves drafts, and publishes a version.

import type { Db, Fragment, Query } from '../../db/db.ts'
import { typeSettings, type Author, type NewType, type Save } from '../type.ts'
import { putType } from '../write-type.sql.ts'
import { addVersion, lockEditable, movePointer, storedContent } from './publish.sql.ts'
import type { Publication, Version, VersionContent, VersionHead, VersionName } from './version.ts'

const headColumns = (query: Query): Fragment => query`
  v.number, v.created_at as "createdAt", v.created_by as "createdBy", v.note,
  v.number is not distinct from n.published_version as "isPublished"`

export interface VersionPage {
  readonly limit: number
  /** Number of the last version of the page before. */
  readonly before?: number | undefined
}

/** Newest first. @returns undefined if the type does not exist */
export async function listVersions(
  query: Query,
  envId: string,
  id: string,
  { before, limit }: VersionPage
): Promise<readonly VersionHead[] | undefined> {
  const rows = await query<VersionHead[]>`
    select ${headColumns(query)}
    from notifications n left join lateral (
      select number, created_at, created_by, note from type_versions
      where env_id = n.env_id and notification_id = n.id and number < coalesce(${before ?? null}::integer, 2147483647)
      order by number desc limit ${limit}) v on true
    where n.env_id = ${envId} and n.id = ${id} order by v.number desc`
  return rows.length === 0 ? undefined : rows.filter(({ number }) => number !== null)
}

/** Newest first. */
export const listPublications = (
  query: Query,
  envId: string,
  id: string,
  limit: number
): Promise<Publication[]> =>
  query<Publication[]>`
    select published_at as at, published_by as by, version from type_publications
    where env_id = ${envId} and notification_id = ${id} order by published_at desc limit ${limit}`

/**
 * A type that has no version yet, because a send has created it, has the version 0 with its stored content.
 *
 * @returns undefined if the type or the version does not exist
 */
export async function readVersion(
  query: Query,
  envId: string,
  id: string,
  name: VersionName
): Promise<Version | undefined> {
  const wanted =
    name === 'published'
      ? query`n.published_version`
      : name === 'latest'
        ? query`(select max(number) from type_versions where env_id = n.env_id and notification_id = n.id)`
        : query`${name}::integer`
  const [row] = await query<(Version & { stored: VersionContent | null; number: number | null })[]>`
    select ${headColumns(query)}, v.content,
      case when v.number is null and n.published_version is null then ${storedContent(query)} end as stored,
      n.updated_at as "updatedAt"
    from notifications n
    left join type_versions v on v.env_id = n.env_id and v.notification_id = n.id and v.number = ${wanted}
    where n.env_id = ${envId} and n.id = ${id}`
  if (!row) return undefined
  if (row.number !== null) return { ...row, content: withDefaults(row.content) }
  if (row.stored === null || (typeof name === 'number' && name !== 0)) return undefined
  const { updatedAt } = row as unknown as { updatedAt: Date }
  return {
    content: withDefaults(row.stored),
    createdAt: updatedAt,
    createdBy: 'send',
    isPublished: true,
    note: null,
    number: 0
  }
}

/** A type that a send has created is stored without the settings that have a default. */
const withDefaults = (stored: VersionContent): VersionContent => ({
  ...stored,
  settings: typeSettings.safeParse(stored.settings).data ?? typeSettings.parse({})
})

/** The version that was published at a time. @returns undefined if it is not known, or deleted */
export async function readVersionAt(
  query: Query,
  envId: string,
  id: string,
  at: Date
): Promise<Version | undefined> {
  const [row] = await query<{ version: number }[]>`
    select version from type_publications
    where env_id = ${envId} and notification_id = ${id} and published_at <= ${at}
    order by published_at desc limit 1`
  return row && readVersion(query, envId, id, row.version)
}

/**
 * Saves a version that is not published. Content that equals the newest version adds none.
 *
 * @param content - templates: absent keeps those of the newest version
 * @returns undefined if the type does not exist
 */
export const saveDraft = (
  db: Pick<Db, 'control'>,
  envId: string,
  { id, title, channels, settings, templates }: NewType,
  { check, ...author }: Save<(newest: Version) => void>
): Promise<{ readonly isNew: boolean; readonly version: Version } | undefined> =>
  db.control.begin(async tx => {
    if (!(await lockEditable(tx, envId, id, author))) return undefined
    const newest = (await readVersion(tx, envId, id, 'latest'))!
    check?.(newest)
    const content: VersionContent = {
      channels,
      settings,
      templates: templates ? sortTemplates(templates) : newest.content.templates,
      title
    }
    const [row] = await tx<{ isSame: boolean }[]>`
      select content = ${tx.json(content as never)}::jsonb as "isSame" from type_versions
      where env_id = ${envId} and notification_id = ${id} and number = ${newest.number}`
    if (row?.isSame) return { isNew: false, version: newest }
    const number = await addVersion(tx, envId, id, content, author)
    return { isNew: true, version: (await readVersion(tx, envId, id, number))! }
  })

/** As Postgres sorts them in the content of a type. */
const sortTemplates = (templates: VersionContent['templates']): VersionContent['templates'] =>
  templates.toSorted((a, b) => compare(a.channel, b.channel) || compare(a.id, b.id))

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * Makes a version the one that sends use.
 *
 * @param check - gets the version before it is published, and may throw
 * @returns undefined if the type or the version does not exist
 */
export const publishVersion = (
  db: Pick<Db, 'control'>,
  envId: string,
  id: string,
  number: number,
  { check, ...author }: Author & { readonly check: (version: Version, tx: Query) => Promise<void> }
): Promise<Version | undefined> =>
  db.control.begin(async tx => {
    if (!(await lockEditable(tx, envId, id, author))) return undefined
    const version = await readVersion(tx, envId, id, number)
    if (!version || number === 0) return undefined
    await check(version, tx)
    await putType(tx, envId, { ...version.content, id } as NewType)
    await movePointer(tx, envId, id, number, author)
    return version
  })
