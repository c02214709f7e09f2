// The server works below a path prefix, whether the proxy removes the prefix or not.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

import { io } from 'socket.io-client'
import { WebSocket } from 'ws'

import { userHash } from '../../server/http/auth.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'
import { CLIENT, OWN_KEYS, SECRET } from './send-and-read.ts'

test('serves requests and sockets with and without the prefix, and links include it', async () => {
  await using db = await testDb()
  await using server = await startServer({
    databaseUrl: db.url,
    env: { ...OWN_KEYS, NOTIF_PUBLIC_URL: 'https://example.com/notif/' }
  })
  const hash = userHash(SECRET, 'u1')
  const authorization = `Basic ${Buffer.from(`${CLIENT}:u1:${hash}`).toString('base64')}`
  for (const prefix of ['/notif', '']) {
    const base = server.base + prefix
    assert.equal((await fetch(`${base}/readyz`)).status, 200)
    const inbox = await fetch(`${base}/${CLIENT}/users/u1/inbox`, { headers: { authorization } })
    assert.equal(inbox.status, 200)
    const refused = await fetch(`${base}/${CLIENT}/users/u1/inbox`)
    const problem = (await refused.json()) as { type: string; instance: string }
    assert.equal(problem.type, '/notif/problems#unauthorized')
    assert.match(problem.instance, /^\/notif\/requests\//)
    assert.equal((await fetch(`${base}/problems`)).status, 200)
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as { servers: object[] }
    assert.deepEqual(document.servers, [{ url: 'https://example.com/notif' }])
    // Addresses of the reference are relative, so that they have the prefix of its own address.
    for (const path of ['docs/style.css', 'docs/script.js', 'openapi.json']) {
      assert.match(await (await fetch(`${base}/docs`)).text(), new RegExp(`(?:href|src)="${path}"`))
      assert.equal((await fetch(`${base}/${path}`)).status, 200)
    }

    const query = new URLSearchParams({ envId: CLIENT, userId: 'u1', userIdHash: hash })
    for (const path of ['', '/', '/ws']) {
      const socket = new WebSocket(`${base.replace('http', 'ws')}${path}?${query}`)
      await once(socket, 'open')
      socket.close()
    }
    const client = io(server.base, {
      auth: { clientId: CLIENT, userHash: hash, userId: 'u1' },
      path: `${prefix}/socket.io`,
      transports: ['websocket']
    })
    await new Promise((resolve, reject) => {
      client.once('connect', () => resolve(undefined))
      client.once('connect_error', reject)
    })
    client.close()
  }
  // A path that only begins like the prefix is another path.
  assert.equal((await fetch(`${server.base}/notifications`)).status, 404)
  assert.equal((await fetch(`${server.base}/notifx/readyz`)).status, 404)
  assert.equal((await fetch(`${server.base}/notif`)).status, 404)
})
