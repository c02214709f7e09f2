// Logs a proxy that NOTIF_TRUSTED_PROXIES does not list, because its clients share one rate limit.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'

test('logs an untrusted proxy once', async () => {
  await using db = await testDb()
  for (const [trusted, times] of [
    ['10.0.0.7', 1],
    ['127.0.0.0/8', 0]
  ] as const) {
    await using server = await startServer({ databaseUrl: db.url, env: { NOTIF_TRUSTED_PROXIES: trusted } })
    const warnings = (): number => server.output().split('"event":"proxy_not_trusted"').length - 1
    await fetch(`${server.base}/readyz`)
    assert.equal(warnings(), 0)
    for (const hop of ['203.0.113.1', '203.0.113.2']) {
      await fetch(`${server.base}/readyz`, { headers: { 'x-forwarded-for': hop } })
    }
    await server.end('SIGTERM')
    assert.equal(warnings(), times, server.output())
    if (times > 0) assert.match(server.output(), /"proxyAddress":"127\.0\.0\.1"/)
  }
})
