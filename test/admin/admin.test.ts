// Health, readiness and metrics, also while the database is down.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'

import { healthRoutes } from '../../server/admin/health.ts'
import { metricsRoutes } from '../../server/admin/metrics-route.ts'
import { createMetrics } from '../../server/admin/metrics.ts'
import { sha256 } from '../../server/core/hash.ts'
import { openDb } from '../../server/db/db.ts'
import { Problem, TITLES } from '../../server/http/problem.ts'
import { problemsRoutes } from '../../server/http/reference/route.ts'
import type { Answer } from '../../server/http/route.ts'
import { ADMIN_TOKEN, serve } from '../http/serve.ts'
import { watched } from '../send/test-acceptor.ts'
import { testDb } from '../support/db.ts'

test('is healthy and ready, and not ready while draining', async () => {
  let draining = false
  await using server = await serve(db => healthRoutes(db, { draining: () => draining }))
  assert.equal((await server.fetch('/healthz')).status, 200)
  const ready = await server.fetch('/readyz')
  assert.equal(ready.status, 200)
  const healthy = {
    database: 'ok',
    email: [],
    migrations: 'ok',
    partitions: 'ok',
    paused: [],
    serving: 'ok',
    status: 'ready'
  }
  assert.deepEqual(await ready.json(), healthy)
  draining = true
  const leaving = await server.fetch('/readyz')
  assert.equal(leaving.status, 503)
  assert.equal(((await leaving.json()) as { serving: string }).serving, 'draining')
  assert.equal((await server.fetch('/healthz')).status, 200)
})

test('shares one check between simultaneous probes', async () => {
  await using t = await testDb()
  const seen = watched(t.db, t.url)
  const readiness = healthRoutes(seen.db, { draining: () => false }).find(({ path }) => path === '/readyz')!
  const ask = (): Promise<Answer> => readiness.handle({} as never)
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const pings = () => seen.statements.filter(statement => statement.includes('transaction_read_only')).length
  assert.equal(pings(), 1)
  await ask()
  assert.equal(pings(), 2, 'what was is not what is')
  await seen.close()
})

test('is not ready without its database, or with an old schema', async () => {
  const away = openDb({ connections: 2, listenUrl: '', url: 'postgres://nobody@127.0.0.1:9/none' })
  await using t = await testDb()
  await t.db.control`delete from migrations`
  await using server = await serve(() => [
    ...healthRoutes(away, { draining: () => false, timeoutMs: 200 }),
    ...healthRoutes(t.db, { draining: () => false }).map(({ handle, method, path, access }) => ({
      handle,
      method,
      path: `/behind${path}`,
      access
    }))
  ])
  const response = await server.fetch('/readyz')
  assert.equal(response.status, 503)
  const { database, status } = (await response.json()) as { database: string; status: string }
  assert.equal(database, 'failed')
  assert.equal(status, 'not ready')
  assert.equal((await server.fetch('/healthz')).status, 200)
  const behind = await server.fetch('/behind/readyz')
  assert.equal(behind.status, 503)
  assert.equal(((await behind.json()) as { migrations: string }).migrations, 'behind')
  await away.close()
})

test('exports metrics of requests, queues, attempts, sockets and the process', async () => {
  await using t = await testDb()
  const metrics = createMetrics(t.db)
  metrics.countSockets(() => ({ plain: 2, 'socket.io': 3 }))
  metrics.queues.recordAttempt({
    durationMs: 12,
    envId: 'e',
    outcome: 'sent',
    queue: 'EMAIL',
    typeId: 'news'
  })
  metrics.queues.recordFenced('EMAIL', 2)
  metrics.recordRequest({ method: 'POST', route: '/:clientId/sender', seconds: 0.003, status: 200 })
  await t.db.control`
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, body)
    select n, gen_random_uuid(), 'EMAIL', now() - n * interval '10 s', 'e', 'u', '{}' from generate_series(0, 6) n`
  await using server = await serve(() =>
    metricsRoutes(metrics, { admin: sha256(ADMIN_TOKEN), own: undefined })
  )
  const response = await server.fetch('/metrics')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type')!, /^text\/plain/)
  const text = await response.text()
  for (const line of [
    /^notif_sockets\{kind="plain"\} 2$/m,
    /^notif_sockets\{kind="socket\.io"\} 3$/m,
    /^notif_attempt_seconds_count\{queue="EMAIL",outcome="sent"\} 1$/m,
    /^notif_attempts_total\{environment="e",type="news",outcome="sent"\} 1$/m,
    /^notif_attempts_total\{environment="e",type="news",outcome="dead"\} 0$/m,
    /^notif_results_fenced_total\{queue="EMAIL"\} 2$/m,
    /^notif_requests_total\{method="POST",route="\/:clientId\/sender",status="200"\} 1$/m,
    /^notif_accept_seconds_count\{status="2xx"\} 1$/m,
    /^notif_outbox_rows\{queue="EMAIL"\} 7$/m,
    /^notif_outbox_rows\{queue="SMS"\} 0$/m,
    /^notif_outbox_oldest_seconds\{queue="EMAIL"\} 6\d\./m,
    /^notif_database_up 1$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
    /^process_resident_memory_bytes /m
  ]) {
    assert.match(text, line)
  }
  metrics.close()
})

test('shows metrics to the same machine or with a token, and only with a token if NOTIF_METRICS_TOKEN is set', async () => {
  await using t = await testDb()
  const metrics = createMetrics(t.db)
  const admin = sha256(ADMIN_TOKEN)
  await using open = await serve(() => metricsRoutes(metrics, { admin, own: undefined }))
  await using closed = await serve(() => metricsRoutes(metrics, { admin, own: 'token-of-prometheus' }))
  // Unlike fetch, says the host that it is told to.
  const statusOf = (server: typeof open, headers: Readonly<Record<string, string>>): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(`${server.url}/metrics`, { headers }, answer => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      asked.on('error', reject).end()
    })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  for (const near of [{}, { host: 'localhost' }, { host: '[::1]:3000' }]) {
    assert.equal(await statusOf(open, near), 200)
    assert.equal(await statusOf(closed, near), 401)
  }
  // A proxy on the same machine speaks for somebody else.
  for (const far of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'notify.example.com' }
  ]) {
    assert.equal(await statusOf(open, far), 401, JSON.stringify(far))
    for (const server of [open, closed])
      assert.equal(await statusOf(server, { ...far, ...bearer(ADMIN_TOKEN) }), 200)
    assert.equal(await statusOf(closed, { ...far, ...bearer('token-of-prometheus') }), 200)
    assert.equal(await statusOf(open, { ...far, ...bearer('token-of-prometheus') }), 401)
    assert.equal(await statusOf(closed, { ...far, ...bearer('') }), 401)
  }
  metrics.close()
})

test('is not ready if the database accepts no writes, and reports it as down', async () => {
  await using t = await testDb()
  const name = new URL(t.url).pathname.slice(1)
  await t.db.control.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  const fixed = openDb({ connections: 2, listenUrl: '', url: t.url })
  const metrics = createMetrics(fixed)
  await using server = await serve(() => healthRoutes(fixed, { draining: () => false }))
  const response = await server.fetch('/readyz')
  assert.equal(response.status, 503)
  const { database, status } = (await response.json()) as { database: string; status: string }
  assert.deepEqual({ database, status }, { database: 'read-only', status: 'not ready' })
  const figures = await metrics.read()
  assert.match(figures, /^notif_database_up 0$/m)
  assert.match(figures, /^notif_outbox_rows\{queue="EMAIL"\} 0$/m)
  metrics.close()
  await fixed.close()
})

test('exports metrics while the database is down', async () => {
  const away = openDb({ connections: 2, listenUrl: '', url: 'postgres://nobody@127.0.0.1:9/none' })
  const metrics = createMetrics(away)
  // However soon it is looked at again.
  for (let i = 0; i < 2; i++) assert.match(await metrics.read(), /^notif_database_up 0$/m)
  metrics.close()
  await away.close()
})

test('explains every problem on the page of its type', async () => {
  await using server = await serve(() => problemsRoutes())
  const response = await server.fetch('/problems')
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
  const page = await response.text()
  for (const slug of Object.keys(TITLES) as (keyof typeof TITLES)[]) {
    const { hash, pathname } = new URL(String(new Problem(slug, 'x').toBody('/x')['type']), server.url)
    assert.equal(pathname, '/problems')
    assert.ok(page.includes(`id="${hash.slice(1)}"`), slug)
  }
})
