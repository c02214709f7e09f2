// Environments over HTTP, for operators.

import { randomBytes } from 'node:crypto'

import type { Environments } from '../config/environment.ts'
import type { Db } from '../db/db.ts'
import { runOnce, type IdempotencyKey } from '../http/idempotency.ts'
import { parseInput, parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../http/route.ts'
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
  type Listed
} from './environments.sql.ts'
import { changed, createBody, listQuery, patchBody, rotateBody } from './schema.ts'

export interface EnvironmentRoutesOptions {
  readonly encryption: Encryption
  /** The environment that the configuration names: every start would make it again. */
  readonly first: string
  /** Its secret is a setting, too. */
  readonly secretIsSet: boolean
}

/** Operators' keys stand in bucket 0, whose group holds the environments as well. */
const BUCKET = 0

const claimOf = ({ fingerprint, idempotencyKey: key }: CallOf['admin']): IdempotencyKey | undefined =>
  key === undefined ? undefined : { bucket: BUCKET, envId: '', fingerprint, key, userId: '' }

const toWire = ({ id, settings, createdAt, updatedAt, previousUntil }: Listed) => ({
  clientId: id,
  ...settings,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(previousUntil && { previousSecretUntil: previousUntil.toISOString() })
})

const none = (): Problem => new Problem('not-found', 'There is no such environment.')

const idOf = ({ params }: CallOf['admin']): string => params['clientId']!

interface EnvironmentRoutesContext {
  readonly db: Db
  readonly environments: Environments
}

export function environmentRoutes(
  { db, environments }: EnvironmentRoutesContext,
  { encryption, first, secretIsSet }: EnvironmentRoutesOptions
): Route[] {
  const home = db.of(BUCKET)

  /** Idempotency keys hold answers in plain text for a day, so the secret is put in afterwards. */
  const withSecret = async (answer: Answer): Promise<Answer> => {
    const body = answer.body as { readonly clientId: string }
    const clientSecret = await readSecret(db, encryption, body.clientId)
    if (clientSecret === undefined) throw none()
    return { ...answer, body: { ...body, clientSecret } }
  }

  return [
    route('GET', '/environments', 'admin', listDoc, async ({ query }) => {
      const { count, cursor } = parseQuery(listQuery, query)
      const found = await listEnvironments(db, cursor, count + 1)
      const shown = found.slice(0, count)
      const next = found.length > count ? { next: shown.at(-1)!.id } : {}
      return { body: { environments: shown.map(toWire), ...next }, status: 200 }
    }),

    route('POST', '/environments', 'admin', createDoc, async call => {
      const { clientId, clientSecret, ...settings } = parseInput(createBody, call.body)
      const id = clientId ?? randomBytes(15).toString('base64url')
      const secret = clientSecret ?? randomBytes(30).toString('base64url')
      const answer = await runOnce(home, claimOf(call), async tx => {
        const made = await insertEnvironment(tx, encryption, { id, secret, settings: changed({}, settings) })
        if (!made)
          throw new Problem('conflict', `There is an environment ${id} already, or it is being deleted.`)
        return { body: toWire(made), status: 201 }
      })
      environments.forget(id)
      return withSecret(answer)
    }),

    route('GET', '/environments/:clientId', 'admin', readDoc, async call => {
      const found = await readEnvironment(db.control, idOf(call))
      if (!found) throw none()
      return { body: toWire(found), status: 200 }
    }),

    route('PATCH', '/environments/:clientId', 'admin', patchDoc, async call => {
      const change = parseInput(patchBody, call.body)
      const answer = await runOnce(home, claimOf(call), async tx => {
        const now = await changeSettings(tx, idOf(call), settings => changed(settings, change))
        if (!now) throw none()
        return { body: toWire(now), status: 200 }
      })
      environments.forget(idOf(call))
      return answer
    }),

    route('DELETE', '/environments/:clientId', 'admin', deleteDoc, async call => {
      if (idOf(call) === first) {
        throw new Problem('conflict', 'This environment belongs to the configuration (NOTIF_CLIENT_ID).')
      }
      if (!(await markDeleted(db, idOf(call)))) throw none()
      environments.forget(idOf(call))
      return { status: 204 }
    }),

    route('POST', '/environments/:clientId/secret', 'admin', rotateDoc, async call => {
      const { graceSeconds: grace } = parseInput(rotateBody, call.body ?? {})
      const id = idOf(call)
      if (id === first && secretIsSet) {
        throw new Problem(
          'conflict',
          'The secret of this environment is NOTIF_CLIENT_SECRET: change it there.'
        )
      }
      const secret = randomBytes(30).toString('base64url')
      const answer = await runOnce(home, claimOf(call), async tx => {
        const now = await changeSecret(tx, encryption, { grace, id, secret })
        if (!now) throw none()
        const { clientId, previousSecretUntil } = toWire(now)
        return { body: { clientId, ...(previousSecretUntil && { previousSecretUntil }) }, status: 200 }
      })
      environments.forget(id)
      return withSecret(answer)
    })
  ]
}
