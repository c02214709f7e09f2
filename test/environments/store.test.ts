// Environments: kept as they are put, cached for a moment, and never stale for long.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../server/environments/environment.ts'
import { ensureEnvironment, openEnvironments } from '../../server/environments/store.ts'
import { testDb } from '../support/db.ts'
import { SEAL } from '../support/seal.ts'

const SETTINGS = environmentSettings.parse({
  defaults: { EMAIL: 'daily' },
  disabledChannels: ['SMS'],
  logo: 'https://x.example/l.png',
  origins: ['https://a.example'],
  secureMode: false
})

const EXPECTED = { id: 'e', secret: 's', secrets: ['s'], settings: SETTINGS, until: undefined }

test('what is put is read, by every node', async () => {
  await using t = await testDb()
  const one = openEnvironments(t.db, SEAL)
  const two = openEnvironments(t.db, SEAL)
  assert.equal(await one.get('e'), undefined)
  await one.put({ id: 'e', secret: 's', settings: SETTINGS })
  assert.deepEqual(await one.get('e'), EXPECTED)
  assert.deepEqual(await two.get('e'), EXPECTED)
})

test('a new secret holds at once here, within seconds elsewhere, and at once after a long rest', async () => {
  await using t = await testDb()
  let now = 0
  const here = openEnvironments(t.db, SEAL, () => now)
  const there = openEnvironments(t.db, SEAL, () => now)
  const put = (secret: string) => here.put({ id: 'e', secret, settings: SETTINGS })
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

test('a secret that ended is not served on where the clock is set back by an hour', async () => {
  await using t = await testDb()
  let now = 7_200_000
  const there = openEnvironments(t.db, SEAL, () => now)
  await openEnvironments(t.db, SEAL).put({ id: 'e', secret: 'old', settings: SETTINGS })
  assert.equal((await there.get('e'))?.secret, 'old')
  await openEnvironments(t.db, SEAL).put({ id: 'e', secret: 'new', settings: SETTINGS })
  now -= 3_600_000
  assert.equal((await there.get('e'))?.secret, 'new')
})

test('an unknown id that is created is found after the moment that the cache lasts', async () => {
  await using t = await testDb()
  let now = 0
  const environments = openEnvironments(t.db, SEAL, () => now)
  assert.equal(await environments.get('late'), undefined)
  await ensureEnvironment(t.db, SEAL, { id: 'late', origins: [], secret: 's', secureMode: true })
  now += 60_000
  assert.equal((await environments.get('late'))?.secret, 's')
})

test('the first environment follows the configuration and keeps its other settings', async () => {
  await using t = await testDb()
  const first = { id: 'e', origins: [], secret: 's', secureMode: true }
  await ensureEnvironment(t.db, SEAL, first)
  const environments = openEnvironments(t.db, SEAL)
  const made = await environments.get('e')
  assert.deepEqual(made?.settings.origins, ['*'])
  assert.equal(made?.settings.secureMode, true)
  await environments.put({ ...made!, settings: { ...made!.settings, logo: 'https://x.example/l.png' } })
  await ensureEnvironment(t.db, SEAL, {
    ...first,
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
      logo: 'https://x.example/l.png',
      origins: ['https://a.example'],
      secureMode: false
    })
  )
})

test('ids that cannot exist are not asked for', async () => {
  await using t = await testDb()
  const environments = openEnvironments(t.db, SEAL)
  assert.equal(await environments.get('a\0b'), undefined)
  assert.equal(await environments.get('x'.repeat(10_000)), undefined)
})
