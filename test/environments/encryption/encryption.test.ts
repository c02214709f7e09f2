// Encrypted secrets need their key and purpose, and a key rotation re-encrypts all of them.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { StartupError } from '../../../server/core/startup-error.ts'
import { createEncryption } from '../../../server/environments/encryption/encryption.ts'
import { openEncryption } from '../../../server/environments/encryption/installation-key.ts'
import { openKeys } from '../../../server/environments/encryption/keys.ts'
import { changeSecret, openEnvironments } from '../../../server/environments/environments.sql.ts'
import { reencryptSlackTokens } from '../../../server/users/slack-connections.sql.ts'
import { testConfig } from '../../http/serve.ts'
import { testDb } from '../../support/db.ts'

const ONE = 'the first key, longer than 32 characters'
const TWO = 'the second key, longer than 32 characters'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'notif-key-'))
  return { [Symbol.dispose]: () => rmSync(path, { recursive: true }), path }
}

test('decrypts a secret only with its key and its purpose', () => {
  const encryption = createEncryption(ONE)
  const sealed = encryption.encrypt('s3cret ö', 'env')
  assert.equal(encryption.decrypt(sealed, 'env'), 's3cret ö')
  assert.notDeepEqual(encryption.encrypt('s3cret ö', 'env'), sealed, 'a nonce is used twice')
  assert.equal(sealed.includes('s3cret'), false)
  assert.throws(() => encryption.decrypt(sealed, 'other'))
  assert.throws(() => createEncryption(TWO).decrypt(sealed, 'env'), /a key that this process does not have/)
  assert.equal(createEncryption(TWO, ONE).decrypt(sealed, 'env'), 's3cret ö')
  for (let i = 0; i < sealed.length; i++) {
    const altered = Buffer.from(sealed)
    altered[i]! ^= 1
    assert.throws(() => encryption.decrypt(altered, 'env'), `byte ${i} was altered`)
  }
  assert.throws(() => encryption.decrypt(sealed.subarray(0, -1), 'env'))
  assert.throws(() => encryption.decrypt(Buffer.alloc(0), 'env'))
})

test('verifies signatures of one text and purpose, and refuses an empty one', () => {
  const encryption = createEncryption(ONE)
  const signature = encryption.sign('text', 'place')
  for (const length of [1, 8, 32])
    assert.ok(encryption.verify('text', 'place', signature.subarray(0, length)))
  assert.ok(createEncryption(TWO, ONE).verify('text', 'place', signature))
  assert.ok(!createEncryption(TWO).verify('text', 'place', signature))
  for (const [text, place] of [
    ['text', 'other'],
    ['other', 'place'],
    ['place', 'text']
  ] as const)
    assert.ok(!encryption.verify(text, place, signature), `${text} at ${place}`)
  for (let i = 0; i < signature.length; i++) {
    const altered = Buffer.from(signature)
    altered[i]! ^= 1
    assert.ok(!encryption.verify('text', 'place', altered), `byte ${i} was altered`)
  }
  assert.ok(!encryption.verify('text', 'place', new Uint8Array()))
})

test('creates a key file with restricted permissions at the first start', async () => {
  await using t = await testDb()
  using dir = folder()
  const config = testConfig({ NOTIF_DATA_DIR: join(dir.path, 'new') })
  const seals = await Promise.all(
    Array.from({ length: 5 }, () => openEncryption(t.db, config, reencryptSlackTokens))
  )
  assert.equal(new Set(seals.map(({ keyId }) => keyId)).size, 1)
  const file = join(dir.path, 'new/key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url').length, 32)
  assert.equal((await openEncryption(t.db, config, reencryptSlackTokens)).keyId, seals[0]!.keyId)
})

test('stores no secret in plain text', async () => {
  await using t = await testDb()
  const encryption = createEncryption(ONE)
  const keys = await openKeys(t.db, encryption, testConfig())
  const rows = await t.db.control<{ text: string }[]>`
    select t::text as text from environments t union all select t::text from instance t`
  const secrets = [keys.fresh.clientSecret!, keys.fresh.adminToken!, keys.vapid.privateKey]
  for (const { text } of rows) {
    for (const secret of secrets) {
      assert.ok(!text.includes(secret))
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')))
      assert.ok(!text.includes(Buffer.from(secret).toString('base64')))
    }
  }
})

test('refuses a wrong key before anything is written', async () => {
  await using t = await testDb()
  using dir = folder()
  const config = (env: Readonly<Record<string, string>>) => testConfig({ NOTIF_DATA_DIR: dir.path, ...env })
  await openEncryption(t.db, config({ NOTIF_KEY: ONE }), reencryptSlackTokens)
  const refused = (env: Readonly<Record<string, string>>, sentence: RegExp) =>
    assert.rejects(openEncryption(t.db, config(env), reencryptSlackTokens), error => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, sentence)
      assert.doesNotMatch(error.message, /\n|characters$/)
      return true
    })
  await refused({ NOTIF_KEY: TWO }, /NOTIF_KEY is not the key/)
  await refused({ NOTIF_KEY: TWO, NOTIF_KEY_PREVIOUS: `${ONE}x` }, /NOTIF_KEY is not the key/)
  await refused({}, /key does not exist\. Set NOTIF_KEY/)
  writeFileSync(join(dir.path, 'key'), `${TWO}\n`)
  await refused({}, /The key in .*key is not the key/)
  writeFileSync(join(dir.path, 'key'), '')
  await refused({}, /does not contain a key/)
  writeFileSync(join(dir.path, 'key'), `${ONE}\n`)
  await openEncryption(t.db, config({}), reencryptSlackTokens)
})

test('says what to do if the folder is not writable', async () => {
  await using t = await testDb()
  using dir = folder()
  writeFileSync(join(dir.path, 'file'), '')
  const config = testConfig({ NOTIF_DATA_DIR: join(dir.path, 'file') })
  await assert.rejects(openEncryption(t.db, config, reencryptSlackTokens), /cannot (?:read|write).*NOTIF_KEY/)
})

test('re-encrypts all secrets with a new key', async () => {
  await using t = await testDb()
  const old = await openEncryption(t.db, testConfig({ NOTIF_KEY: ONE }), reencryptSlackTokens)
  const before = await openKeys(t.db, old, testConfig())
  const id = before.clientId
  // The one before goes on for a day.
  await t.db.control.begin(tx => changeSecret(tx, old, { grace: 86_400, id, secret: 'next' }))
  const secrets = ['next', before.fresh.clientSecret]
  for (const keys of [{ NOTIF_KEY: TWO, NOTIF_KEY_PREVIOUS: ONE }, { NOTIF_KEY: TWO }]) {
    const encryption = await openEncryption(t.db, testConfig(keys), reencryptSlackTokens)
    assert.deepEqual((await openEnvironments(t.db, encryption).get(id))?.secrets, secrets)
    assert.deepEqual(await openKeys(t.db, encryption, testConfig()), { ...before, fresh: {} })
  }
  await assert.rejects(
    openEncryption(t.db, testConfig({ NOTIF_KEY: ONE }), reencryptSlackTokens),
    StartupError
  )
  const rows = await t.db.control<{ sealed: Buffer }[]>`
    select unnest(array[secret, previous_secret]) as sealed from environments`
  assert.equal(rows.length, 2)
  for (const { sealed } of rows) assert.throws(() => createEncryption(ONE).decrypt(sealed, id))
})
