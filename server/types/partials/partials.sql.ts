// Stores layouts and partials. They belong to environments, not to users, so they have no bucket.

import type { Db, Query } from '../../db/db.ts'
import type { Partials } from '../templates/expand.ts'

/** Also the names of their folders. */
export const PARTIAL_KINDS = ['layouts', 'partials'] as const
export type PartialKind = (typeof PARTIAL_KINDS)[number]

export interface TemplatePartial {
  readonly id: string
  readonly text: string
  readonly updatedAt: Date
}

export async function readPartials(db: { readonly control: Query }, envId: string): Promise<Partials> {
  const rows = await db.control<{ kind: string; id: string; text: string }[]>`
    select kind, id, text from template_partials where env_id = ${envId}`
  const textsOfKind = (kind: PartialKind) =>
    new Map(rows.filter(row => row.kind === kind).map(({ id, text }) => [id, text]))
  return { layouts: textsOfKind('layouts'), partials: textsOfKind('partials') }
}

export const listPartials = (
  db: Db,
  envId: string,
  kind: PartialKind
): Promise<Omit<TemplatePartial, 'text'>[]> =>
  db.control<Omit<TemplatePartial, 'text'>[]>`
    select id, updated_at as "updatedAt" from template_partials where env_id = ${envId} and kind = ${kind} order by id`

/** @param lock - locks the row until the end of the transaction */
export async function readPartial(
  query: Query,
  envId: string,
  kind: PartialKind,
  id: string,
  lock = false
): Promise<TemplatePartial | undefined> {
  const [row] = await query<TemplatePartial[]>`
    select id, text, updated_at as "updatedAt" from template_partials
    where env_id = ${envId} and kind = ${kind} and id = ${id} ${lock ? query`for update` : query``}`
  return row
}

/** Layouts and partials of one environment: a type that uses one reads all of them. */
export const MAX_PARTIALS = 500

/** @returns undefined if the environment already has {@link MAX_PARTIALS} */
export async function putPartial(
  query: Query,
  envId: string,
  kind: PartialKind,
  { id, text }: Omit<TemplatePartial, 'updatedAt'>
): Promise<{ readonly created: boolean } | undefined> {
  const [row] = await query<{ created: boolean }[]>`
    insert into template_partials (env_id, kind, id, text)
    select ${envId}, ${kind}, ${id}, ${text}
    where (select count(*) from template_partials where env_id = ${envId} and not (kind = ${kind} and id = ${id})) < ${MAX_PARTIALS}
    on conflict (env_id, kind, id) do update set text = excluded.text, updated_at = now()
    returning xmax = 0 as created`
  return row
}

export async function deletePartial(
  query: Query,
  envId: string,
  kind: PartialKind,
  id: string
): Promise<boolean> {
  const deleted = await query`
    delete from template_partials where env_id = ${envId} and kind = ${kind} and id = ${id}`
  return deleted.count > 0
}
