// Opens an acceptor without routes, and a database that records its statements.

import postgres from 'postgres'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import type { Db, DatabaseGroup, Sql } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import type { Answer } from '../../server/http/route.ts'
import {
  openAcceptor,
  type Acceptor,
  type AcceptLimits,
  type AcceptRequest
} from '../../server/send/accept/accept.ts'
import type { Send } from '../../server/send/send-request.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { PROVIDERS, testKit, type TestKit } from './test-context.ts'

export const ENV = 'env'

export interface Accepting {
  readonly acceptor: Acceptor
  readonly context: TestKit
  accept(send: Partial<Send>, claim?: AcceptRequest['claim']): Promise<Answer>
}

export async function accepting(db: Db, limits: Partial<AcceptLimits> = {}): Promise<Accepting> {
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const context = testKit(db)
  const acceptor = openAcceptor(context, PROVIDERS, limits)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  return {
    accept: (send, claim) =>
      acceptor.accept({
        claim,
        environment,
        send: { inapp: { title: 'Hi' }, to: { id: 'u1' }, type: 't', ...send },
        warnings: []
      }),
    acceptor,
    context
  }
}

/** The same database with a list of the statements that it received. */
export function watched(
  db: Db,
  url: string
): { readonly db: Db; readonly statements: string[]; close(): Promise<void> } {
  const statements: string[] = []
  const sql = postgres(url, {
    debug: (_connection, query) => void statements.push(query.trim().replace(/\s+/g, ' ')),
    max: 4,
    onnotice() {},
    types: { bigint: { from: [20], parse: Number, serialize: String, to: 20 } }
  }) as unknown as Sql
  const group: DatabaseGroup = { buckets: null, exports: sql, health: sql, searches: sql, sql, work: sql }
  return {
    close: () => sql.end(),
    db: { ...db, groups: [group], of: () => group },
    statements
  }
}
