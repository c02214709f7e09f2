// Reads what a promotion changes in the target environment, and applies it in one transaction.

import type { Query } from '../../db/db.ts'
import { readPartial, readPartials, putPartial, type PartialKind } from '../partials/partials.sql.ts'
import type { Partials } from '../templates/expand.ts'
import type { Author, NewType } from '../type.ts'
import { publishCurrent } from '../versions/publish.sql.ts'
import type { Version } from '../versions/version.ts'
import { readVersion } from '../versions/versions.sql.ts'
import { putType } from '../write-type.sql.ts'
import { findUsers, findUsedPartials, textsOf, type UsedPartial } from './promotion.ts'

export interface PromotedPartial extends UsedPartial {
  /** In the source. */
  readonly text: string
  /** In the target. */
  readonly before: string | undefined
  /** Other types of the target that use it. */
  readonly usedBy: readonly string[]
}

export interface Promotion {
  readonly source: Version
  readonly target: Version | undefined
  readonly partials: readonly PromotedPartial[]
  /** Of the target, after the promotion. */
  readonly merged: Partials
}

/** Other types of the target whose names are answered. */
const MAX_NAMED_TYPES = 20

/** @returns undefined if the source has no such type */
export async function readPromotion(
  query: Query,
  from: string,
  to: string,
  type: string
): Promise<Promotion | undefined> {
  const source = await readVersion(query, from, type, 'published')
  if (!source) return undefined
  const [target, own, others] = await Promise.all([
    readVersion(query, to, type, 'published'),
    readPartials({ control: query }, from),
    readPartials({ control: query }, to)
  ])
  const used = findUsedPartials(textsOf(source.content.templates), own)
  const partials = await Promise.all(
    used.flatMap(({ id, kind }) => {
      const text = own[kind].get(id)
      // A missing one is a fault of the template, which publishing names.
      if (text === undefined) return []
      const before = others[kind].get(id)
      const isChanged = before !== undefined && before !== text
      return [
        (async (): Promise<PromotedPartial> => ({
          before,
          id,
          kind,
          text,
          usedBy: isChanged ? await readTypesUsing(query, to, type, findUsers({ id, kind }, others)) : []
        }))()
      ]
    })
  )
  const textsOfKind = (kind: PartialKind) =>
    new Map([
      ...others[kind],
      ...partials.filter(one => one.kind === kind).map(one => [one.id, one.text] as const)
    ])
  return {
    merged: { layouts: textsOfKind('layouts'), partials: textsOfKind('partials') },
    partials,
    source,
    target
  }
}

/** Types with a template that names one of the partials, without `type` itself. */
async function readTypesUsing(
  query: Query,
  envId: string,
  type: string,
  users: readonly UsedPartial[]
): Promise<string[]> {
  const patterns = users.map(
    ({ id, kind }) =>
      String.raw`\{%-?\s*${kind === 'layouts' ? 'layout' : 'render'}\s+(\\"|')${id.replaceAll('.', String.raw`\.`)}(\\"|')`
  )
  const rows = await query<{ id: string }[]>`
    select distinct notification_id as id from templates
    where env_id = ${envId} and notification_id <> ${type} and content::text ~ any(${patterns}::text[])
    order by 1 limit ${MAX_NAMED_TYPES}`
  return rows.map(({ id }) => id)
}

/** Writes the partials that differ, and publishes the type. Needs the lock of the type in the target. */
export async function applyPromotion(
  tx: Query,
  to: string,
  id: string,
  { partials, source }: Promotion,
  author: Author
): Promise<'promoted' | 'too-many-partials'> {
  for (const { id: partialId, kind, text } of partials) {
    const stored = await readPartial(tx, to, kind, partialId, true)
    if (stored?.text === text) continue
    if (!(await putPartial(tx, to, kind, { id: partialId, text }))) return 'too-many-partials'
  }
  await putType(tx, to, { ...source.content, id } as NewType)
  await publishCurrent(tx, to, id, author)
  return 'promoted'
}
