// Layouts and partials over HTTP, for back ends. A text is rejected if it does not parse, or if it uses a missing partial or itself.

import type { Db } from '../../db/db.ts'
import { deleteIf, preconditionOf, putAnswer, writeIf } from '../../http/etag.ts'
import { parseInput, invalidFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Types } from '../type.ts'
import { checkerWithPartials, partialTextFaults, type Checker } from './check-partials.ts'
import { partialDocs } from './doc.ts'
import {
  deletePartial,
  listPartials,
  MAX_PARTIALS,
  PARTIAL_KINDS,
  putPartial,
  readPartial,
  readPartials,
  type TemplatePartial,
  type PartialKind
} from './partials.sql.ts'
import { partialBody, partialId, tooManyPartials } from './schema.ts'

export interface PartialRouteOptions {
  readonly db: Db
  readonly renderer: Checker
  readonly types: Pick<Types, 'forget'>
}

const toBody = ({ id, text, updatedAt }: TemplatePartial) => ({
  id,
  text,
  updatedAt: updatedAt.toISOString()
})

export const partialRoutes = (options: PartialRouteOptions): Route[] =>
  PARTIAL_KINDS.flatMap(kind => routesOfKind(kind, options))

function routesOfKind(kind: PartialKind, { db, renderer, types }: PartialRouteOptions): Route[] {
  const docs = partialDocs(kind)
  const singular = kind.slice(0, -1)
  const LIST = `/:clientId/${kind}`
  const PARTIAL = `${LIST}/:partialId`
  const notFound = (id: string): Problem =>
    new Problem('not-found', `There is no ${singular} ${JSON.stringify(id)}.`)

  return [
    route('GET', LIST, 'back-end', docs.list, async ({ env }) => {
      const all = await listPartials(db, env.id, kind)
      return ok({ [kind]: all.map(({ id, updatedAt }) => ({ id, updatedAt: updatedAt.toISOString() })) })
    }),

    route('GET', PARTIAL, 'back-end', docs.read, async ({ env, params }) => {
      const id = parseId(params)
      const partial = await readPartial(db.control, env.id, kind, id)
      if (!partial) throw notFound(id)
      return ok(toBody(partial))
    }),

    route('PUT', PARTIAL, 'back-end', docs.put, async call => {
      const { body, env, params } = call
      const id = parseId(params)
      const { text } = parseInput(partialBody, body)
      const stored = await readPartials(db, env.id)
      // Includes the new text, so that a partial that uses itself is found.
      const partials = { ...stored, [kind]: new Map(stored[kind]).set(id, text) }
      const faults = partialTextFaults(kind, text, checkerWithPartials(renderer, partials))
      if (faults.length > 0) throw invalidFields(faults.map(detail => ({ detail, pointer: '#/text' })))
      const check = preconditionOf(call)
      const result = await db.control.begin(tx =>
        writeIf(
          check && ((current?: TemplatePartial) => check(current && toBody(current))),
          () => readPartial(tx, env.id, kind, id, true),
          () => putPartial(tx, env.id, kind, { id, text })
        )
      )
      if (!result) throw new Problem('conflict', tooManyPartials(MAX_PARTIALS))
      types.forget(env.id)
      const partial = await readPartial(db.control, env.id, kind, id)
      // Another request deleted it in the meantime.
      if (!partial) throw notFound(id)
      return putAnswer(toBody(partial), result.created)
    }),

    route('DELETE', PARTIAL, 'back-end', docs.delete, async call => {
      const { env, params } = call
      const id = parseId(params)
      const check = preconditionOf(call)
      const isDeleted = await db.control.begin(tx =>
        deleteIf(
          check && ((current: TemplatePartial) => check(toBody(current))),
          () => readPartial(tx, env.id, kind, id, true),
          () => deletePartial(tx, env.id, kind, id)
        )
      )
      if (!isDeleted) throw notFound(id)
      types.forget(env.id)
      return { status: 204 }
    })
  ]
}

function parseId(params: Readonly<Record<string, string>>): string {
  const parsed = partialId.safeParse(params['partialId'])
  if (parsed.success) return parsed.data
  throw new Problem('invalid-address', 'Expected a name of 1 to 100 letters, digits, dots, _ or -.')
}
