// Layouts and partials as rows. They belong to environments, not to users, so they have no bucket.

import type { Db } from '../../db/db.ts'
import type { Pieces } from '../templates/expand.ts'

/** Also what their folders are called. */
export const PIECE_KINDS = ['layouts', 'partials'] as const
export type PieceKind = (typeof PIECE_KINDS)[number]

export interface Piece {
  readonly id: string
  readonly text: string
  readonly updatedAt: Date
}

export async function readPieces(db: Db, envId: string): Promise<Pieces> {
  const rows = await db.control<{ kind: string; id: string; text: string }[]>`
    select kind, id, text from pieces where env_id = ${envId}`
  const of = (kind: PieceKind) =>
    new Map(rows.filter(row => row.kind === kind).map(({ id, text }) => [id, text]))
  return { layouts: of('layouts'), partials: of('partials') }
}

export const listPieces = (db: Db, envId: string, kind: PieceKind): Promise<Omit<Piece, 'text'>[]> =>
  db.control<Omit<Piece, 'text'>[]>`
    select id, updated_at as "updatedAt" from pieces where env_id = ${envId} and kind = ${kind} order by id`

export async function readPiece(
  db: Db,
  envId: string,
  kind: PieceKind,
  id: string
): Promise<Piece | undefined> {
  const [row] = await db.control<Piece[]>`
    select id, text, updated_at as "updatedAt" from pieces
    where env_id = ${envId} and kind = ${kind} and id = ${id}`
  return row
}

/** Layouts and partials of an environment: all of them are read for a type that uses one. */
export const MAX_PARTIALS = 500

/** @returns undefined if the environment has {@link MAX_PARTIALS} already */
export async function putPiece(
  db: Db,
  envId: string,
  kind: PieceKind,
  { id, text }: Omit<Piece, 'updatedAt'>
): Promise<'created' | 'replaced' | undefined> {
  const [row] = await db.control<{ created: boolean }[]>`
    insert into pieces (env_id, kind, id, text)
    select ${envId}, ${kind}, ${id}, ${text}
    where (select count(*) from pieces where env_id = ${envId} and not (kind = ${kind} and id = ${id})) < ${MAX_PARTIALS}
    on conflict (env_id, kind, id) do update set text = excluded.text, updated_at = now()
    returning xmax = 0 as created`
  return row && (row.created ? 'created' : 'replaced')
}

export async function deletePiece(db: Db, envId: string, kind: PieceKind, id: string): Promise<boolean> {
  const gone = await db.control`
    delete from pieces where env_id = ${envId} and kind = ${kind} and id = ${id}`
  return gone.count > 0
}
