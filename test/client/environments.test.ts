// Environments through the client of operators.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createAdminClient, createClient } from '../../server/client/index.ts'
import { CLIENT } from '../process/send-and-read.ts'
import { ADMIN_TOKEN, startOwn } from './server.ts'

test('environments are created, changed, listed and deleted, and their secret is rotated', async () => {
  await using started = await startOwn()
  const baseURL = started.process.base
  const admin = createAdminClient({ adminToken: ADMIN_TOKEN, baseURL })
  const { clientId, clientSecret, secureMode } = await admin.createEnvironment({ title: 'Staging' })
  assert.equal(secureMode, true)
  const request = { inapp: { title: 'x' }, to: { id: 'u1' }, type: 'a' }
  const client = createClient({ baseURL, clientId, clientSecret })
  await client.send(request)

  const changed = await admin.updateEnvironment(clientId, { disabledChannels: ['SMS'], secureMode: false })
  assert.deepEqual([changed.title, changed.secureMode], ['Staging', false])
  assert.deepEqual(await admin.getEnvironment(clientId), changed)
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await admin.listEnvironments({ count: 1, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.environments.map(one => one.clientId))
    cursor = page.next
  } while (cursor !== undefined)
  assert.deepEqual(ids.toSorted(), [CLIENT, clientId].toSorted())

  const next = await admin.rotateSecret(clientId, 0)
  assert.equal(next.previousSecretUntil, undefined)
  await assert.rejects(client.send(request), { status: 401 })
  const renewed = createClient({ baseURL, clientId, clientSecret: next.clientSecret })
  await renewed.send(request)
  assert.equal((await renewed.listInApp('u1')).items.length, 2)

  const inside = admin.environment(clientId)
  assert.equal((await inside.listInApp('u1')).items.length, 2)
  const { entries } = await admin.listAuditLog({ clientId, count: 2 })
  assert.deepEqual(
    entries.map(({ route, status }) => [route, status]),
    [
      ['/:clientId/users/:userId/inbox', 200],
      ['/environments/:clientId/secret', 200]
    ]
  )

  const exported: unknown[] = []
  for await (const entry of admin.exportAuditLog({ clientId })) exported.push(entry)
  assert.deepEqual(exported.slice(0, 2), entries)
  assert.ok(exported.length > 2)

  await admin.deleteEnvironment(clientId)
  await assert.rejects(admin.getEnvironment(clientId), { status: 404 })
  const stranger = createAdminClient({ adminToken: 'wrong', baseURL })
  await assert.rejects(stranger.listEnvironments(), { status: 401 })
})
