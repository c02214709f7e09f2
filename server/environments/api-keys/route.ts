// REST routes of API keys, for operators.

import { isTrackingId, uuidv7 } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { createKeyText } from '../../http/api-key.ts'
import { toCursor } from '../../http/cursor.ts'
import { parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type CallOf, type Route } from '../../http/route.ts'
import { readEnvironment } from '../environments.sql.ts'
import { runOperatorRequest } from '../operator-requests.ts'
import { countKeys, insertKey, listKeys, revokeKey, type ApiKeyInfo } from './api-keys.sql.ts'
import type { OpenApiKeys } from './api-keys.ts'
import { createKeyDoc, listKeysDoc, revokeKeyDoc } from './doc.ts'
import { createKeyBody, keysQuery } from './schema.ts'

/** Keys of one environment that are not revoked. */
const MAX_KEYS = 200

/** Keys belong to no user, so their ids name no bucket. */
const NO_PLACEMENT = 0
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const DAY_MS = 86_400_000

const toWire = ({ createdAt, expiresAt, lastUsedAt, revokedAt, ...key }: ApiKeyInfo) => ({
  ...key,
  createdAt: createdAt.toISOString(),
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() })
})

const idOf = ({ params }: CallOf['admin']): string => params['clientId']!

const noEnvironment = (): Problem => new Problem('not-found', 'No environment has this client id.')

export const apiKeyRoutes = (db: Db, apiKeys: OpenApiKeys): Route[] => [
  route('GET', '/environments/:clientId/keys', 'admin', listKeysDoc, async call => {
    const { count, cursor = LOWEST_ID } = parseQuery(keysQuery, call.query)
    if (!(await readEnvironment(db.control, idOf(call)))) throw noEnvironment()
    const found = await listKeys(db.control, idOf(call), cursor, count + 1)
    const shown = found.slice(0, count)
    return ok({
      keys: shown.map(toWire),
      ...(found.length > count && { next: toCursor(shown.at(-1)!.id) })
    })
  }),

  route('POST', '/environments/:clientId/keys', 'admin', createKeyDoc, async call => {
    const { expiresInDays, name, scopes } = parseInput(createKeyBody, call.body)
    const { hash, start, text } = createKeyText()
    let isNew = false
    const answer = await runOperatorRequest(db, call, async tx => {
      const now = Date.now()
      const created = await insertKey(tx, {
        id: uuidv7(NO_PLACEMENT, now),
        envId: idOf(call),
        name,
        scopes,
        hash,
        start,
        createdBy: call.operator,
        expiresAt: expiresInDays === undefined ? undefined : new Date(now + expiresInDays * DAY_MS)
      })
      if (!created) throw noEnvironment()
      // The statement above locks the environment, so that two requests do not pass the limit together.
      if ((await countKeys(tx, idOf(call), MAX_KEYS + 1)) > MAX_KEYS) {
        throw new Problem('conflict', `An environment has at most ${MAX_KEYS} API keys. Revoke one first.`)
      }
      isNew = true
      return { body: toWire(created), status: 201 }
    })
    return isNew ? { ...answer, body: { ...(answer.body as object), key: text } } : answer
  }),

  route('DELETE', '/environments/:clientId/keys/:keyId', 'admin', revokeKeyDoc, async call => {
    const keyId = call.params['keyId']!
    const hash = isTrackingId(keyId) ? await revokeKey(db.control, idOf(call), keyId) : undefined
    if (!hash) throw new Problem('not-found', 'The environment has no API key with this id.')
    apiKeys.forget(hash)
    return { status: 204 }
  })
]
