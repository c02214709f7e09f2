// Environments: kept as they are put, cached for a moment, and never stale for long.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ensureEnvironment, openEnvironments } from '../../server/environments/store.ts'
import { testDb } from '../support/db.ts'

const SETTINGS = {
  defaults: { EMAIL: 'daily' },
  disabledChannels: ['SMS'],
  logo: 'https://x.example/l.png',
  origins: ['https://a.example'],
  secureMode: false
} as const

test('what is put is read, by every node', async () => {
  await using t = await testDb()
  const one = openEnvironments(t.db)
  const two = openEnvironments(t.db)
  assert.equal(await one.get('e'), undefined)
  await one.put({
    id: 'e',
    secret: 's',
    settings: { ...SETTINGS, disabledChannels: ['SMS'], origins: ['https://a.example'] }
  })
  assert.deepEqual(await one.get('e'), { id: 'e', secret: 's', settings: SETTINGS })
  assert.deepEqual(await two.get('e'), { id: 'e', secret: 's', settings: SETTINGS })
})

test('a new secret holds at once here, within seconds elsewhere, and at once after a long rest', async () => {
  await using t = await testDb()
  let now = 0
  const here = openEnvironments(t.db, () => now)
  const there = openEnvironments(t.db, () => now)
  const put = (secret: string) =>
    here.put({ id: 'e', secret, settings: { ...SETTINGS, disabledChannels: [], origins: [] } })
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

test('an unknown id that is created is found after the moment that the cache lasts', async () => {
  await using t = await testDb()
  let now = 0
  const environments = openEnvironments(t.db, () => now)
  assert.equal(await environments.get('late'), undefined)
  await ensureEnvironment(t.db, { id: 'late', origins: [], secret: 's', secureMode: true })
  now += 60_000
  assert.equal((await environments.get('late'))?.secret, 's')
})

test('the first environment follows the configuration and keeps its other settings', async () => {
  await using t = await testDb()
  const first = { id: 'e', origins: [], secret: 's', secureMode: true }
  await ensureEnvironment(t.db, first)
  const environments = openEnvironments(t.db)
  const made = await environments.get('e')
  assert.deepEqual(made?.settings.origins, ['*'])
  assert.equal(made?.settings.secureMode, true)
  await environments.put({ ...made!, settings: { ...made!.settings, logo: 'https://x.example/l.png' } })
  await ensureEnvironment(t.db, { ...first, origins: ['https://a.example'], secret: 's2', secureMode: false })
  environments.forget('e')
  const changed = await environments.get('e')
  assert.equal(changed?.secret, 's2')
  assert.deepEqual(changed?.settings, {
    defaults: {},
    disabledChannels: [],
    logo: 'https://x.example/l.png',
    origins: ['https://a.example'],
    secureMode: false
  })
})

test('ids that cannot exist are not asked for', async () => {
  await using t = await testDb()
  const environments = openEnvironments(t.db)
  assert.equal(await environments.get('a\0b'), undefined)
  assert.equal(await environments.get('x'.repeat(10_000)), undefined)
})
