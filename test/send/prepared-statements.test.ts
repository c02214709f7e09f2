// Postgres plans the statements of a send once, because planning them for every batch costs more than running them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { openAcceptor } from '../../server/send/accept/accept.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { testKit } from './test-context.ts'

/** Postgres compares the first five plans of a statement with a generic one before it chooses. */
const TRIES = 5

const skip = plainPostgresOnly(
  'it reads the plans that a connection keeps, and workers have connections of their own'
)
test('the statements of a send keep their generic plan', { skip }, async () => {
  await using t = await testDb()
  // One connection, so that all statements are prepared on the connection that is inspected.
  const db = await openTestDb({ connections: 1, listenUrl: '', url: t.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.close() }
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: 'env', origins: [], secret: 's', secureMode: undefined })
  const acceptor = openAcceptor(testKit(db), new Set(['EMAIL', 'PUSH'] as const))
  const environment = { id: 'env', secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  for (let i = 0; i < 80; i++) {
    const group = Array.from({ length: 1 + (i % 3) }, (_, j) =>
      acceptor.accept({
        claim: undefined,
        environment,
        send: {
          email: { html: '<p>Hi</p>', subject: 'Hi' },
          inapp: { title: 'Hi' },
          mobile_push: { message: 'Hi', title: 'Hi' },
          // One user who is read, and others from the contact cache.
          to: { email: 'ada@example.org', id: j === 0 ? `new user ${i}` : `user ${j}` },
          type: 'comment'
        },
        warnings: []
      })
    )
    await Promise.all(group)
  }
  const again = await db.control<{ statement: string; custom: number }[]>`
    select statement, custom_plans::integer as custom from pg_prepared_statements
    where custom_plans > ${TRIES} and statement not like '%pg_prepared_statements%'`
  assert.deepEqual([...again], [])
  const [all] = await db.control<{ kept: number }[]>`
    select count(*)::integer as kept from pg_prepared_statements where generic_plans > 30`
  assert.ok(all!.kept >= 3, `${all!.kept} statements`)
})
