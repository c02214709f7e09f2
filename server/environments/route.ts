// REST routes of environments, for operators.

import { randomBytes } from 'node:crypto'

import type { Environments } from '../config/environment-settings.ts'
import type { Db } from '../db/db.ts'
import { parseInput, parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type Answer, type CallOf, type Route } from '../http/route.ts'
import { createDoc, deleteDoc, listDoc, patchDoc, readDoc, rotateDoc } from './doc.ts'
import type { Encryption } from './encryption/encryption.ts'
import {
  changeSecret,
  changeSettings,
  insertEnvironment,
  listEnvironments,
  markDeleted,
  readEnvironment,
  readSecret,
  type EnvironmentInfo
} from './environments.sql.ts'
import { runOperatorRequest } from './operator-requests.ts'
import { applyChange, createBody, listQuery, patchBody, rotateBody } from './schema.ts'

export interface EnvironmentRoutesOptions {
  readonly encryption: Encryption
  /** The environment of the configuration, which every start would create again. */
  readonly firstId: string
  /** Whether the secret of that environment comes from NOTIF_CLIENT_SECRET. */
  readonly isFirstSecretSet: boolean
}

const toWire = ({ id, settings, createdAt, updatedAt, previousUntil }: EnvironmentInfo) => ({
  clientId: id,
  ...settings,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(previousUntil && { previousSecretUntil: previousUntil.toISOString() })
})

const notFound = (): Problem => new Problem('not-found', 'No environment has this client id.')

const idOf = ({ params }: CallOf['admin']): string => params['clientId']!

export function environmentRoutes(
  { db, environments }: { readonly db: Db; readonly environments: Environments },
  { encryption, firstId, isFirstSecretSet }: EnvironmentRoutesOptions
): Route[] {
  /** Adds the secret after the answer is stored, because idempotency keys hold answers in plain text for a day. */
  const withSecret = async (answer: Answer): Promise<Answer> => {
    const body = answer.body as { readonly clientId: string }
    const clientSecret = await readSecret(db, encryption, body.clientId)
    if (clientSecret === undefined) throw notFound()
    return { ...answer, body: { ...body, clientSecret } }
  }

  return [
    route('GET', '/environments', 'admin', listDoc, async ({ query }) => {
      const { count, cursor } = parseQuery(listQuery, query)
      const found = await listEnvironments(db, cursor, count + 1)
      const shown = found.slice(0, count)
      const next = found.length > count ? { next: shown.at(-1)!.id } : {}
      return ok({ environments: shown.map(toWire), ...next })
    }),

    route('POST', '/environments', 'admin', createDoc, async call => {
      const { clientId, clientSecret, ...settings } = parseInput(createBody, call.body)
      const id = clientId ?? randomBytes(15).toString('base64url')
      const secret = clientSecret ?? randomBytes(30).toString('base64url')
      const answer = await runOperatorRequest(db, call, async tx => {
        const inserted = await insertEnvironment(tx, encryption, {
          id,
          secret,
          settings: applyChange({}, settings)
        })
        if (!inserted)
          throw new Problem(
            'conflict',
            `An environment with the client id ${id} exists or is being deleted. Choose another client id.`
          )
        return { body: toWire(inserted), status: 201 }
      })
      environments.forget(id)
      return withSecret(answer)
    }),

    route('GET', '/environments/:clientId', 'admin', readDoc, async call => {
      const found = await readEnvironment(db.control, idOf(call))
      if (!found) throw notFound()
      return ok(toWire(found))
    }),

    route('PATCH', '/environments/:clientId', 'admin', patchDoc, async call => {
      const change = parseInput(patchBody, call.body)
      const answer = await runOperatorRequest(db, call, async tx => {
        const updated = await changeSettings(tx, idOf(call), settings => applyChange(settings, change))
        if (!updated) throw notFound()
        return ok(toWire(updated))
      })
      environments.forget(idOf(call))
      return answer
    }),

    route('DELETE', '/environments/:clientId', 'admin', deleteDoc, async call => {
      if (idOf(call) === firstId) {
        throw new Problem(
          'conflict',
          'This environment is set by NOTIF_CLIENT_ID, so it cannot be deleted here. Set another id first.'
        )
      }
      if (!(await markDeleted(db, idOf(call)))) throw notFound()
      environments.forget(idOf(call))
      return { status: 204 }
    }),

    route('POST', '/environments/:clientId/secret', 'admin', rotateDoc, async call => {
      const { graceSeconds: grace } = parseInput(rotateBody, call.body ?? {})
      const id = idOf(call)
      if (id === firstId && isFirstSecretSet) {
        throw new Problem(
          'conflict',
          'The secret of this environment is set by NOTIF_CLIENT_SECRET. Change it there.'
        )
      }
      const secret = randomBytes(30).toString('base64url')
      const answer = await runOperatorRequest(db, call, async tx => {
        const updated = await changeSecret(tx, encryption, { grace, id, secret })
        if (!updated) throw notFound()
        const { clientId, previousSecretUntil } = toWire(updated)
        return ok({ clientId, ...(previousSecretUntil && { previousSecretUntil }) })
      })
      environments.forget(id)
      return withSecret(answer)
    })
  ]
}
