// The demo needs no password, so it is shown only under host names that DNS rebinding cannot use.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { createHostCheck } from '../../server/http/host-check.ts'
import { ADMIN_TOKEN, asAdmin, asBackEnd, basic, CLIENT, startApp, type TestApp } from './app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const EVIL = { host: 'rebound.evil.example:3000' }

test('refuses pages, hashes, emails and sends under a foreign host name', async () => {
  const open = app.routes.filter(({ path }) => /^\/(?:demo\/.*|sandbox|sandbox\/messages\/.*)?$/.test(path))
  assert.equal(open.length, 8)
  for (const { method, path } of open) {
    const here = await app.ask(path, { method })
    assert.ok(here.status !== 421 && here.status !== 401, path)
    const body = JSON.stringify({ channels: ['EMAIL'], title: 'x', to: 'amara', type: 'x' })
    const { headers, json, status } = await app.ask(path, {
      headers: EVIL,
      method,
      ...(method === 'POST' && { body })
    })
    // A browser keeps a password for one name alone, so the sandbox may ask for it.
    const asks = path.startsWith('/sandbox')
    assert.equal(status, asks ? 401 : 421, path)
    assert.equal(headers['www-authenticate']?.startsWith('Basic realm='), asks || undefined, path)
    assert.match(headers['content-type']!, /^application\/problem\+json/)
    assert.match(String(json['detail']), /NOTIF_PUBLIC_URL.*NOTIF_DEMO=1/, path)
  }
  const [row] = await app.db.control`select count(*)::integer as sends from sends`
  assert.deepEqual(row, { sends: 0 })
})

test('accepts any host name with credentials', async () => {
  for (const headers of [asAdmin, basic(`anyone:${ADMIN_TOKEN}`)]) {
    assert.equal((await app.ask('/sandbox', { headers: { ...EVIL, ...headers } })).status, 200)
  }
  const list = await app.ask(`/${CLIENT}/sandbox/messages`, { headers: { ...EVIL, ...asBackEnd } })
  assert.equal(list.status, 200)
})

test('accepts localhost, IP addresses and configured host names', () => {
  const shown = createHostCheck({ host: 'box.local.', publicUrl: 'https://Notify.example.com:8443/notif' })
  const own = ['localhost', 'LOCALHOST:3000', 'a.localhost:1', '127.0.0.1', '192.168.1.7:3000', '[::1]:3000']
  for (const host of [
    ...own,
    '[fe80::1]',
    'box.local:3000',
    'localhost.:3000',
    'notify.example.com',
    'notify.example.com.:8443'
  ]) {
    assert.ok(shown(host), host)
  }
  const others = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'notlocalhost', 'box']
  for (const host of [...others, 'x.notify.example.com', '0x7f.evil.example', '', '%', undefined]) {
    assert.ok(!shown(host), String(host))
  }
})
