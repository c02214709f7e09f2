// Layouts and partials by REST, for back ends. What does not parse, is not there or uses itself is refused when saved.

import type { Db } from '../../db/db.ts'
import { parseInput, invalidFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Route } from '../../http/route.ts'
import type { Types } from '../type.ts'
import { checkerOf, textFaults, type Checker } from './check-partials.ts'
import { pieceDocs } from './doc.ts'
import {
  deletePiece,
  listPieces,
  MAX_PARTIALS,
  PIECE_KINDS,
  putPiece,
  readPiece,
  readPieces,
  type Piece,
  type PieceKind
} from './partials.sql.ts'
import { pieceBody, pieceId, tooMany } from './schema.ts'

export interface PieceNeeds {
  readonly db: Db
  readonly renderer: Checker
  readonly types: Pick<Types, 'forget'>
}

const bodyOf = ({ id, text, updatedAt }: Piece) => ({ id, text, updatedAt: updatedAt.toISOString() })

export const pieceRoutes = (needs: PieceNeeds): Route[] => PIECE_KINDS.flatMap(kind => routesOf(kind, needs))

function routesOf(kind: PieceKind, { db, renderer, types }: PieceNeeds): Route[] {
  const docs = pieceDocs(kind)
  const one = kind.slice(0, -1)
  const ALL = `/:clientId/${kind}`
  const ONE = `${ALL}/:pieceId`
  const none = (id: string): Problem => new Problem('not-found', `There is no ${one} ${JSON.stringify(id)}.`)

  return [
    route('GET', ALL, 'back-end', docs.list, async ({ env }) => {
      const all = await listPieces(db, env.id, kind)
      return {
        body: { [kind]: all.map(({ id, updatedAt }) => ({ id, updatedAt: updatedAt.toISOString() })) },
        status: 200
      }
    }),

    route('GET', ONE, 'back-end', docs.read, async ({ env, params }) => {
      const id = idOf(params)
      const piece = await readPiece(db, env.id, kind, id)
      if (!piece) throw none(id)
      return { body: bodyOf(piece), status: 200 }
    }),

    route('PUT', ONE, 'back-end', docs.put, async ({ body, env, params }) => {
      const id = idOf(params)
      const { text } = parseInput(pieceBody, body)
      const known = await readPieces(db, env.id)
      // With this one as it will be, so that it finds itself.
      const pieces = { ...known, [kind]: new Map(known[kind]).set(id, text) }
      const faults = textFaults(kind, text, checkerOf(renderer, pieces))
      if (faults.length > 0) throw invalidFields(faults.map(detail => ({ detail, pointer: '#/text' })))
      const done = await putPiece(db, env.id, kind, { id, text })
      if (!done) throw new Problem('conflict', tooMany(MAX_PARTIALS))
      types.forget(env.id)
      const piece = await readPiece(db, env.id, kind, id)
      // Deleted by another request since.
      if (!piece) throw none(id)
      return { body: bodyOf(piece), status: done === 'created' ? 201 : 200 }
    }),

    route('DELETE', ONE, 'back-end', docs.delete, async ({ env, params }) => {
      const id = idOf(params)
      if (!(await deletePiece(db, env.id, kind, id))) throw none(id)
      types.forget(env.id)
      return { status: 204 }
    })
  ]
}

function idOf(params: Readonly<Record<string, string>>): string {
  const read = pieceId.safeParse(params['pieceId'])
  if (read.success) return read.data
  throw new Problem('invalid-address', 'The name of a piece has 1 to 100 letters, digits, dots, _ or -.')
}
