// Counts by environment and type are exact, and their series are bounded.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Registry } from 'prom-client'

import { TenantCounter, TenantLabels } from '../../server/admin/tenant-counter.ts'
import { asBackEnd, CLIENT, OTHER, startApp } from '../security/app.ts'

function counters() {
  const registry = new Registry()
  const tenants = new TenantLabels()
  const shared = { help: 'x', label: 'status', registry }
  const requests = new TenantCounter(tenants, { ...shared, hasType: false, name: 'requests' })
  const sends = new TenantCounter(tenants, { ...shared, hasType: true, name: 'sends', zero: 'dead' })
  const read = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter(line => /^\w+\{/.test(line))
  return { read, requests, sends }
}

test('counts by environment, type and status, with a zero first', async () => {
  const { read, requests, sends } = counters()
  for (let n = 0; n < 3; n += 1) sends.add('a', 'x', '200')
  sends.add('a', 'y', 'dead')
  requests.add('a', undefined, '200')
  requests.add('b', undefined, '429')
  const expected = [
    'requests{environment="a",status="200"} 1',
    'requests{environment="b",status="429"} 1',
    'sends{environment="a",type="x",status="dead"} 0',
    'sends{environment="a",type="x",status="200"} 3',
    'sends{environment="a",type="y",status="dead"} 1'
  ]
  assert.deepEqual(await read(), expected)
  assert.deepEqual(await read(), expected, 'reading counts nothing')
})

test('counts what has no series of its own under other, and loses nothing', async () => {
  const { read, requests, sends } = counters()
  for (let round = 0; round < 2; round += 1) {
    for (let type = 0; type < 150; type += 1) sends.add('big', `t${type}`, '200')
    for (let env = 0; env < 300; env += 1) {
      requests.add(`e${env}`, undefined, '200')
      for (let type = 0; type < 10; type += 1) sends.add(`e${env}`, `t${type}`, '200')
    }
  }
  const lines = await read()
  const counted = (start: string): number =>
    lines
      .filter(line => line.startsWith(start) && !line.includes('"dead"'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  assert.equal(counted('sends'), 2 * (150 + 3000))
  assert.equal(counted('requests'), 2 * 300)
  assert.ok(lines.includes('sends{environment="big",type="t99",status="200"} 2'))
  assert.ok(lines.includes('sends{environment="big",type="other",status="200"} 100'))
  // After 90 other environments, all types have their series.
  assert.ok(lines.includes('sends{environment="e89",type="t9",status="200"} 2'))
  assert.ok(lines.includes('sends{environment="e90",type="other",status="200"} 20'))
  // 199 beside the first one.
  assert.ok(lines.includes('requests{environment="e198",status="200"} 2'))
  assert.ok(lines.includes('requests{environment="other",status="200"} 202'))
  assert.ok(lines.includes('sends{environment="other",type="other",status="200"} 2020'))
  assert.ok(lines.length < 2 * (1000 + 201) + 201, `${lines.length} series`)
})

test('counts requests, sends and attempts of the real server, of existing environments and types alone', async () => {
  await using app = await startApp()
  const send = (clientId: string, type: string, more: object = {}) =>
    app.ask(`/${clientId}/sender`, {
      body: JSON.stringify({ to: { email: 'ada@example.com', id: 'ada' }, type, ...more }),
      headers: { ...asBackEnd, 'idempotency-key': `${type} ${JSON.stringify(more)}` },
      method: 'POST'
    })
  const email = { html: 'x', subject: 'x' }
  assert.equal((await send(CLIENT, 'news', { email })).status, 200)
  assert.equal((await send(CLIENT, 'news', { email })).status, 200, 'a repeated request')
  assert.equal((await send(CLIENT, 'news', { email, sms: { message: 'x' } })).status, 202)
  assert.equal((await send(CLIENT, 'invented')).status, 422)
  assert.equal((await send('nobody', 'news', { email })).status, 401)
  assert.equal((await send(OTHER, 'news', { email })).status, 401)
  await app.queues.idle('EMAIL')
  const { text } = await app.ask('/metrics')
  for (const line of [
    `notif_sends_total{environment="${CLIENT}",type="news",status="200"} 1`,
    `notif_sends_total{environment="${CLIENT}",type="news",status="202"} 1`,
    `notif_attempts_total{environment="${CLIENT}",type="news",outcome="sent"} 2`,
    `notif_environment_requests_total{environment="${CLIENT}",status="200"} 2`,
    `notif_environment_requests_total{environment="${CLIENT}",status="422"} 1`,
    `notif_environment_requests_total{environment="${OTHER}",status="401"} 1`
  ]) {
    assert.ok(
      text.includes(`\n${line}\n`),
      `${line}\n${text.match(/^notif_(?:sends|attempts|env).*$/gm)?.join('\n')}`
    )
  }
  assert.doesNotMatch(text, /invented|nobody/)
})
