// An environment that was deleted and that the configuration names again: it is made anew once all that it held is gone.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { connect } from '../../server/db/connect.ts'
import type { Sql } from '../../server/db/sql.ts'
import { endPurge, purgeEnvironments } from '../../server/environments/purge/store.ts'
import { openEnvironments } from '../../server/environments/store.ts'
import { openKeys } from '../../server/instance/keys.ts'
import { testConfig } from '../http/serve.ts'
import { testDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import { SEAL } from '../support/seal.ts'

const config = testConfig({ NOTIF_CLIENT_ID: 'back', NOTIF_CLIENT_SECRET: 'secret' })

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

test('what is written to it then is not taken for what it held before', async () => {
  await using t = await testDb()
  const { control } = t.db
  await deleted(control, 61)
  // The purge of another node stands in the middle of a table until this lock is free.
  await control.unsafe(`
    create function hold() returns trigger language plpgsql as $$ begin
      if current_setting('application_name') = 'held' then perform pg_advisory_xact_lock(7); end if;
      return old;
    end $$;
    create trigger hold before delete on users for each row execute function hold()`)
  const work = connect(t.url, { connection: { application_name: 'held' }, max: 1 })
  const group = { ...t.db.groups[0]!, work }
  let purged = Promise.resolve()
  let returned = Promise.resolve()
  try {
    await control.begin(async tx => {
      await tx`select pg_advisory_xact_lock(7)`
      const waiting = async (): Promise<number> => (await tx`select from pg_locks where not granted`).count
      purged = purgeEnvironments({ ...t.db, groups: [group] }, group)
      await until(async () => (await waiting()) === 1, 'the purge stands')
      let here = false
      const comeBack = async (): Promise<void> => {
        await openKeys(t.db, SEAL, config)
        here = true
        await control`insert into users (bucket, env_id, id) values (500, 'back', 'new')`
      }
      returned = comeBack()
      await until(async () => here || (await waiting()) > 1, 'it is back, or waits for the purge')
      if (here) await returned
    })
    await Promise.all([purged, returned])
  } finally {
    await work.end()
  }
  assert.deepEqual(await usersOf(control), ['new'])
  assert.ok(await openEnvironments(t.db, SEAL).get('back'))
})

test('a node alone finishes the purge itself', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 61)
  const { fresh } = await openKeys(t.db, SEAL, testConfig({ NOTIF_CLIENT_ID: 'back' }))
  assert.deepEqual(await usersOf(t.db.control), [])
  assert.equal((await openEnvironments(t.db, SEAL).get('back'))?.secret, fresh.clientSecret)
})

test('how far the purge is, is said once a second at most', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 61)
  const lines: string[] = []
  let now = 0
  // Each look at the clock is 20 ms after the one before.
  await endPurge(
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

test('while other nodes may still know it the start says when to come again', async () => {
  await using t = await testDb()
  await deleted(t.db.control, 20)
  await assert.rejects(openKeys(t.db, SEAL, config), /"back" was deleted.* in (?:39|40) s/)
  assert.deepEqual(await usersOf(t.db.control), ['first', 'last'])
})

test('a purge that waits for a connection holds nobody up, and takes nothing of the new one', async () => {
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
    await openKeys(t.db, SEAL, config)
    await control`insert into users (bucket, env_id, id) values (500, 'back', 'new')`
  } finally {
    free()
    await busy
    await purged
    await work.end()
  }
  assert.deepEqual(await usersOf(control), ['new'])
})
