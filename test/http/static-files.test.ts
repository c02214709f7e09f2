// Serves built files: compressed if the client accepts it, cached for ever if their name has a digest.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import express from 'express'

import { serveFiles } from '../../server/http/static-files.ts'

const CODE = `export const words = '${'heron '.repeat(200)}'\n`
const NAME = 'kit-abcd1234.js'

async function served(patience = 60_000) {
  const dist = mkdtempSync(join(tmpdir(), 'notif-files-'))
  writeFileSync(join(dist, NAME), CODE)
  writeFileSync(join(dist, `${NAME}.br`), brotliCompressSync(CODE))
  writeFileSync(join(dist, `${NAME}.gz`), gzipSync(CODE))
  writeFileSync(join(dist, 'plain.js'), CODE)
  const app = express()
  app.use(serveFiles(dist, patience))
  app.get('/users/:id', (request, response) => void response.json({ timeout: request.socket.timeout ?? 0 }))
  app.use((_request, response) => void response.status(404).json({ title: 'nothing here' }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      rmSync(dist, { recursive: true })
    },
    dist,
    get: (name: string, encodings: string, more = {}) =>
      fetch(`${base}/${name}`, { headers: { 'accept-encoding': encodings, ...more } }),
    server
  }
}

test('sends the best encoding that the client accepts', async () => {
  await using site = await served()
  for (const [takes, gets] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['zstd', null]
  ] as const) {
    const answer = await site.get(NAME, takes)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-encoding'), gets, takes)
    assert.match(answer.headers.get('content-type')!, /^text\/javascript/)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(answer.headers.get('vary')!, /Accept-Encoding/)
    assert.equal(await answer.text(), CODE)
  }
})

test('gives each encoding an ETag of its own', async () => {
  await using site = await served()
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(async name => (await site.get(NAME, name)).headers.get('etag')!)
  )
  assert.equal(new Set(tags).size, 3)
  const again = await site.get(NAME, 'br', { 'cache-control': 'max-age=0', 'if-none-match': tags[0] })
  assert.equal(again.status, 304)
})

test('sends a file without compressed variants unchanged', async () => {
  await using site = await served()
  const answer = await site.get('plain.js', 'br')
  assert.equal(answer.headers.get('content-encoding'), null)
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(await answer.text(), CODE)
})

test('sends no wrong headers if a running build deletes a file', async () => {
  await using site = await served()
  rmSync(join(site.dist, `${NAME}.br`))
  const plain = await site.get(NAME, 'br')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.match(plain.headers.get('content-type')!, /^text\/javascript/)
  assert.equal(await plain.text(), CODE)
  rmSync(join(site.dist, NAME))
  const gone = await site.get(NAME, 'br')
  assert.equal(gone.status, 404)
  assert.deepEqual(await gone.json(), { title: 'nothing here' })
})

test('closes the connection of a client that reads nothing of a file', { timeout: 20_000 }, async () => {
  await using site = await served(200)
  // More than what lies on the way to a reader.
  writeFileSync(join(site.dist, 'large.bin'), Buffer.alloc(40_000_000))
  const hung = new Promise<void>(resolve => {
    site.server.once('connection', socket => socket.once('close', () => resolve()))
  })
  const reader = connect((site.server.address() as AddressInfo).port, '127.0.0.1')
  reader.on('error', () => {})
  reader.write('GET /large.bin HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'data')
  reader.pause()
  await hung
  reader.destroy()
})

test('sets no time limit for requests of routes', async () => {
  await using site = await served()
  for (const id of ['amara', 'amara@example.com']) {
    assert.deepEqual(await (await site.get(`users/${id}`, 'br')).json(), { timeout: 0 }, id)
  }
})
