// Credentials of an installation: generated once, replaced by settings, stored as hashes where possible.

import assert from 'node:assert/strict'
import { createPublicKey, createSign, createVerify, createPrivateKey } from 'node:crypto'
import { test } from 'node:test'

import { sha256 } from '../../../server/core/hash.ts'
import { openKeys } from '../../../server/environments/encryption/keys.ts'
import { openEnvironments } from '../../../server/environments/environments.sql.ts'
import { testConfig } from '../../http/serve.ts'
import { testDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'

test('generates credentials once', async () => {
  await using t = await testDb()
  const first = await openKeys(t.db, TEST_ENCRYPTION, testConfig())
  const { clientSecret, adminToken } = first.fresh
  assert.ok(clientSecret && adminToken)
  assert.deepEqual(first.adminTokenHash, sha256(adminToken))
  assert.equal((await openEnvironments(t.db, TEST_ENCRYPTION).get(first.clientId))?.secret, clientSecret)
  const again = await openKeys(t.db, TEST_ENCRYPTION, testConfig())
  assert.deepEqual(again, { ...first, fresh: {} })
})

test('agrees on credentials between simultaneous first starts, and prints each once', async () => {
  await using t = await testDb()
  const all = await Promise.all(
    Array.from({ length: 6 }, () => openKeys(t.db, TEST_ENCRYPTION, testConfig()))
  )
  for (const keys of all) {
    assert.equal(keys.clientId, all[0]!.clientId)
    assert.deepEqual(keys.adminTokenHash, all[0]!.adminTokenHash)
    assert.deepEqual(keys.vapid, all[0]!.vapid)
  }
  assert.equal(all.filter(({ fresh }) => fresh.adminToken !== undefined).length, 1)
  const secrets = all.flatMap(({ fresh }) => fresh.clientSecret ?? [])
  const kept = (await openEnvironments(t.db, TEST_ENCRYPTION).get(all[0]!.clientId))?.secret
  assert.deepEqual(secrets, [kept])
})

test('stores only the hash of the admin token', async () => {
  await using t = await testDb()
  const { fresh } = await openKeys(t.db, TEST_ENCRYPTION, testConfig())
  const rows = await t.db.control<{ text: string }[]>`select value::text as text from instance`
  assert.ok(rows.every(({ text }) => !text.includes(fresh.adminToken!)))
})

test('uses configured values, and updates secure mode and origins at every start', async () => {
  await using t = await testDb()
  const before = await openKeys(t.db, TEST_ENCRYPTION, testConfig())
  const keys = await openKeys(
    t.db,
    TEST_ENCRYPTION,
    testConfig({
      NOTIF_ADMIN_TOKEN: 'token-of-operators',
      NOTIF_CLIENT_ID: 'app',
      NOTIF_CLIENT_SECRET: 'secret-of-the-app',
      NOTIF_ORIGINS: 'https://a.example',
      NOTIF_SECURE_MODE: '0'
    })
  )
  assert.equal(keys.clientId, 'app')
  assert.deepEqual(keys.fresh, {})
  assert.deepEqual(keys.adminTokenHash, sha256('token-of-operators'))
  assert.deepEqual(keys.vapid, before.vapid)
  const environment = await openEnvironments(t.db, TEST_ENCRYPTION).get('app')
  assert.equal(environment?.secret, 'secret-of-the-app')
  assert.equal(environment.settings.secureMode, false)
  assert.deepEqual(environment.settings.origins, ['https://a.example'])
  // A start without these settings goes on with what is there.
  const later = await openKeys(t.db, TEST_ENCRYPTION, testConfig())
  assert.equal(later.clientId, 'app')
  assert.deepEqual(later.adminTokenHash, sha256('token-of-operators'))
  assert.equal((await openEnvironments(t.db, TEST_ENCRYPTION).get('app'))?.secret, 'secret-of-the-app')
})

test('generates VAPID keys as a P-256 pair in base64url', async () => {
  await using t = await testDb()
  const { publicKey, privateKey } = (await openKeys(t.db, TEST_ENCRYPTION, testConfig())).vapid
  const point = Buffer.from(publicKey, 'base64url')
  assert.equal(point.length, 65)
  assert.equal(point[0], 4)
  assert.equal(Buffer.from(privateKey, 'base64url').length, 32)
  const jwk = {
    crv: 'P-256',
    kty: 'EC',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url')
  }
  const signature = createSign('sha256')
    .update('x')
    .sign(createPrivateKey({ format: 'jwk', key: { ...jwk, d: privateKey } }))
  assert.ok(
    createVerify('sha256')
      .update('x')
      .verify(createPublicKey({ format: 'jwk', key: jwk }), signature)
  )
})
