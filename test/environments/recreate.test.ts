// A deleted environment that NOTIF_CLIENT_ID names again is created after all of its old rows are purged.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { connect } from '../../server/db/connect.ts'
import type { Query, Sql, Tx } from '../../server/db/db.ts'
import { openKeys } from '../../server/environments/encryption/keys.ts'
import { ensureEnvironment, openEnvironments } from '../../server/environments/environments.sql.ts'
import { finishPurge, purgeEnvironments } from '../../server/environments/purge.sql.ts'
import { testConfig } from '../http/serve.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const config = testConfig({ NOTIF_CLIENT_ID: 'back', NOTIF_CLIENT_SECRET: 'secret-of-the-back-end' })

const usersOf = async (control: Sql): Promise<string[]> => {
  const rows = await control<{ id: string }[]>`select id from users where env_id = 'back' order by bucket`
  return rows.map(({ id }) => id)
}

/** One that was deleted so many seconds ago, and held two users. */
async function deleted(control: Sql, seconds: number): Promise<void> {
  await control`
    insert into environments (id, secret, deleted_at) values ('back', '', now() - ${seconds} * interval '1 second')`
  await control`insert into users (bucket, env_id, id) values (0, 'back', 'first'), (900, 'back', 'last')`
}

/** Does something before the first statement that begins so, in a transaction as well. */
function interrupted<S extends Query>(sql: S, start: RegExp, deed: () => Promise<void>): S {
  let done = false
  const watched = <Q extends Query>(query: Q): Q =>
    new Proxy(query, {
      apply(target, self, args: Parameters<Sql>) {
        const ask = () => Reflect.apply(target, self, args) as Promise<unknown>
        if (done || !start.test(String((args[0] as unknown as string[])[0]).trim())) return ask()
        done = true
        return deed().then(ask)
      },
      get(target, key) {
        if (key !== 'begin') return Reflect.get(target, key) as unknown
        return (work: (tx: Tx) => Promise<unknown>) =>
          (target as unknown as Sql).begin(tx => work(watched(tx)))
      }
    })
  return watched(sql)
}

for (const [when, start] of [
  ['it is asked whether it is gone', /^select set_config/],
  ['rows are deleted', /^delete from$/],
  ['it is deleted itself', /^delete from environments/]
] as const) {
  test(`keeps new rows of an environment that is created again before ${when}`, async () => {
    await using t = await testDb()
    const { control, groups } = t.db
    await deleted(control, 61)
    const comeBack = async (): Promise<void> => {
      // As at the end of a start that has purged it by itself.
      await control`delete from users where env_id = 'back' and bucket >= 0`
      await control`delete from environments where id = 'back'`
      await ensureEnvironment(t.db, TEST_ENCRYPTION, {
        id: 'back',
        origins: [],
        secret: 'secret',
        secureMode: undefined
      })
      // Some in each step of the first table.
      await control`
        insert into outbox (bucket, id, queue, env_id, user_id, body)
        select b, gen_random_uuid(), 'EMAIL', 'back', 'new', '{}' from generate_series(8, 1023, 16) b`
    }
    let returned = Promise.resolve()
    const meanwhile = async (): Promise<void> => {
      let here = false
      returned = comeBack().then(() => void (here = true))
      await until(async () => here || (await isLockAwaited(control)), 'it is back, or waits for the purge')
    }
    // The purge of another node.
    const group = { ...groups[0]!, work: interrupted(groups[0]!.work, start, meanwhile) }
    const db = { ...t.db, control: interrupted(control, start, meanwhile), groups: [group] }
    await purgeEnvironments(db, group)
    await returned
    assert.deepEqual(await usersOf(control), [])
    assert.equal((await control`select from outbox where bucket >= 0 and user_id = 'new'`).count, 64)
    assert.ok(await openEnvironments(t.db, TEST_ENCRYPTION).get('back'))
  })
}

test('finishes the purge on a single node', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 61)
  const { fresh } = await openKeys(t.db, TEST_ENCRYPTION, testConfig({ NOTIF_CLIENT_ID: 'back' }))
  assert.deepEqual(await usersOf(t.db.control), [])
  assert.equal((await openEnvironments(t.db, TEST_ENCRYPTION).get('back'))?.secret, fresh.clientSecret)
})

test('prints the progress of the purge at most once a second', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 61)
  const lines: string[] = []
  let now = 0
  // Each look at the clock is 20 ms after the one before.
  await finishPurge(
    t.db,
    'back',
    line => lines.push(line),
    () => (now += 20)
  )
  assert.ok(lines.length > 10 && lines.length <= now / 1000, `${lines.length} lines in ${now} ms`)
  const shares = lines.map(line => Number(/"back".* (\d+) %/.exec(line)?.[1]))
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b)
  )
  assert.ok(shares[0]! < 10 && shares.at(-1)! > 90, lines.join('\n'))
})

test('refuses a start while other nodes may still cache the deleted environment', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 20)
  await assert.rejects(openKeys(t.db, TEST_ENCRYPTION, config), /"back" was deleted.* in (?:39|40) s/)
  assert.deepEqual(await usersOf(t.db.control), ['first', 'last'])
})

test('blocks nothing while the purge waits for a connection, and deletes no new rows', async () => {
  await using t = await testDb()
  const { control } = t.db
  await deleted(control, 61)
  const work = connect(t.url, { max: 1 })
  const group = { ...t.db.groups[0]!, work }
  const { promise: enough, resolve: free } = Promise.withResolvers<void>()
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const busy = work.begin(async () => {
    take()
    await enough
  })
  await taken
  const purged = purgeEnvironments({ ...t.db, groups: [group] }, group)
  try {
    await openKeys(t.db, TEST_ENCRYPTION, config)
    await control`insert into users (bucket, env_id, id) values (500, 'back', 'new')`
  } finally {
    free()
    await busy
    await purged
    await work.end()
  }
  assert.deepEqual(await usersOf(control), ['new'])
})
