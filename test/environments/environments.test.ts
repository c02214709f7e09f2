// Environments are cached for seconds, and changes of other nodes arrive.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import {
  changeSettings,
  ensureEnvironment,
  insertEnvironment,
  markDeleted,
  openEnvironments
} from '../../server/environments/environments.sql.ts'
import { watched } from '../send/test-acceptor.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const SETTINGS = environmentSettings.parse({
  defaults: { EMAIL: 'daily' },
  disabledChannels: ['SMS'],
  logo: 'https://x.example/l.png',
  origins: ['https://a.example'],
  secureMode: false
})

const FIRST = { id: 'e', origins: [], secret: 's', secureMode: true }
const EXPECTED = { id: 'e', secret: 's', secrets: ['s'], settings: SETTINGS, previousUntil: undefined }

test('reads a new environment on every node', async () => {
  await using t = await testDb()
  const one = openEnvironments(t.db, TEST_ENCRYPTION)
  const two = openEnvironments(t.db, TEST_ENCRYPTION)
  assert.equal(await one.get('e'), undefined)
  await insertEnvironment(t.db.control, TEST_ENCRYPTION, { id: 'e', secret: 's', settings: SETTINGS })
  assert.deepEqual(await one.get('e'), EXPECTED)
  assert.deepEqual(await two.get('e'), EXPECTED)
})

test('accepts a new secret here immediately, and on other nodes within seconds', async () => {
  await using t = await testDb()
  let now = 0
  const here = openEnvironments(t.db, TEST_ENCRYPTION, () => now)
  const there = openEnvironments(t.db, TEST_ENCRYPTION, () => now)
  const put = async (secret: string): Promise<void> => {
    await ensureEnvironment(t.db, TEST_ENCRYPTION, { ...FIRST, secret })
    here.forget('e')
  }
  await put('old')
  assert.equal((await there.get('e'))?.secret, 'old')
  await put('new')
  assert.equal((await here.get('e'))?.secret, 'new')
  assert.equal((await there.get('e'))?.secret, 'old', 'from the cache')
  now += 3_000
  await there.get('e')
  // The read that it started is over when the next one from the same pool is.
  for (let i = 0; i < 100 && (await there.get('e'))?.secret === 'old'; i++) await t.db.control`select 1`
  assert.equal((await there.get('e'))?.secret, 'new')
  await put('newest')
  now += 60_000
  assert.equal((await there.get('e'))?.secret, 'newest', 'an old entry is not served at all')
})

test('refuses an expired secret if the clock is set back', async () => {
  await using t = await testDb()
  let now = 7_200_000
  const there = openEnvironments(t.db, TEST_ENCRYPTION, () => now)
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { ...FIRST, secret: 'old' })
  assert.equal((await there.get('e'))?.secret, 'old')
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { ...FIRST, secret: 'new' })
  now -= 3_600_000
  assert.equal((await there.get('e'))?.secret, 'new')
})

test('finds a new environment on nodes that were asked for it before', async () => {
  await using t = await testDb()
  const environments = openEnvironments(t.db, TEST_ENCRYPTION, () => 0)
  assert.equal(await environments.get('late'), undefined)
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'late', origins: [], secret: 's', secureMode: true })
  assert.equal((await environments.get('late'))?.secret, 's')
})

test('no longer returns a deleted environment', async () => {
  await using t = await testDb()
  let now = 0
  const environments = openEnvironments(t.db, TEST_ENCRYPTION, () => now)
  await ensureEnvironment(t.db, TEST_ENCRYPTION, FIRST)
  assert.equal((await environments.get('e'))?.secret, 's')
  await markDeleted(t.db, 'e')
  now += 3_000
  for (let i = 0; i < 100 && (await environments.get('e')); i++) await t.db.control`select 1`
  assert.equal(await environments.get('e'), undefined)
})

test('coalesces reads of unknown ids into one statement at a time', async () => {
  await using t = await testDb()
  await ensureEnvironment(t.db, TEST_ENCRYPTION, FIRST)
  const seen = watched(t.db, t.url)
  const environments = openEnvironments({ ...seen.db, control: seen.db.groups[0]!.sql }, TEST_ENCRYPTION)
  const ids = Array.from({ length: 900 }, (_, i) => `made up {"${i}"}, '\\`)
  const asked = [...ids, 'e', ...ids].map(id => environments.get(id))
  const found = await Promise.all(asked)
  await seen.close()
  assert.deepEqual(
    found.flatMap(one => one?.id ?? []),
    ['e']
  )
  const statements = seen.statements.filter(statement => /from environments/.test(statement))
  assert.equal(statements.length, 2, 'the first one alone, and all who came during it')
})

test('fails waiting reads if the database is down, and reads again for the next one', async () => {
  await using t = await testDb()
  await ensureEnvironment(t.db, TEST_ENCRYPTION, FIRST)
  const environments = openEnvironments(t.db, TEST_ENCRYPTION)
  await t.db.control`alter table environments rename to away`
  const asked = await Promise.allSettled(['a', 'b', 'e'].map(id => environments.get(id)))
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected']
  )
  await t.db.control`alter table away rename to environments`
  assert.equal((await environments.get('e'))?.secret, 's')
})

test('updates the first environment from the settings, and keeps its other settings', async () => {
  await using t = await testDb()
  await ensureEnvironment(t.db, TEST_ENCRYPTION, FIRST)
  const environments = openEnvironments(t.db, TEST_ENCRYPTION)
  const made = await environments.get('e')
  assert.deepEqual(made?.settings.origins, ['*'])
  assert.equal(made?.settings.secureMode, true)
  const logo = 'https://x.example/l.png'
  await t.db.control.begin(tx => changeSettings(tx, 'e', settings => ({ ...settings, logo })))
  await ensureEnvironment(t.db, TEST_ENCRYPTION, {
    ...FIRST,
    origins: ['https://a.example'],
    secret: 's2',
    secureMode: false
  })
  environments.forget('e')
  const changed = await environments.get('e')
  assert.equal(changed?.secret, 's2')
  assert.deepEqual(
    changed?.settings,
    environmentSettings.parse({
      logo,
      origins: ['https://a.example'],
      secureMode: false
    })
  )
})

test('does not look up ids that cannot exist', async () => {
  await using t = await testDb()
  const environments = openEnvironments(t.db, TEST_ENCRYPTION)
  assert.equal(await environments.get('a\0b'), undefined)
  assert.equal(await environments.get('x'.repeat(10_000)), undefined)
})
