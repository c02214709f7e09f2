// Alarms: a provider that refuses this server shows in metrics and readiness, and the documented alarm rules use existing metrics.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { parse } from 'yaml'

import { healthRoutes } from '../../server/admin/health.ts'
import { metricsRoutes } from '../../server/admin/metrics-route.ts'
import { createMetrics } from '../../server/admin/metrics.ts'
import type { Delivery } from '../../server/channels/channel.ts'
import type { EmailMessage } from '../../server/channels/email/email.ts'
import { openSmtpProvider } from '../../server/channels/email/smtp.ts'
import { sha256 } from '../../server/core/hash.ts'
import { QUEUES } from '../../server/queue/queues.ts'
import { smtpPeer } from '../channels/email/smtp-peer.ts'
import { ADMIN_TOKEN, serve } from '../http/serve.ts'
import { deliver, onlyGroup, openTestQueues, newRow, put } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { until } from '../support/process.ts'

const bare = (address: string) => ({ address, name: '' })
const MAIL: EmailMessage = {
  attachments: [],
  bcc: [],
  cc: [],
  from: bare('ferry@x.test'),
  messageId: '<1@x.test>',
  replyTo: [],
  size: 100,
  subject: 'Boarding',
  text: 'now',
  to: bare('amara@x.test')
}

test('reports a paused queue in metrics and readiness until the provider accepts the login', async () => {
  await using t = await testDb()
  await using peer = await smtpPeer({ credentials: 'ferry:secret' })
  peer.refuse = { auth: 535 }
  const metrics = createMetrics(t.db)
  let now = 0
  const recovered: string[] = []
  await using queues = openTestQueues(t.db, {
    clock: () => Date.now() + now,
    metrics: metrics.queues,
    onResumed: queue => recovered.push(queue)
  })
  metrics.watch({ paused: queues.paused })
  const provider = openSmtpProvider({ connections: 1, url: peer.url })
  queues.add(
    deliver((row, call) => provider.send(MAIL, { id: row.id } as Delivery, call), { concurrency: 1 })
  )
  await using server = await serve(() => [
    ...metricsRoutes(metrics, { admin: sha256(ADMIN_TOKEN), own: undefined }),
    ...healthRoutes(t.db, { draining: () => false, paused: queues.paused })
  ])
  const read = async (path: string): Promise<string> => (await server.fetch(path)).text()
  assert.doesNotMatch(await read('/metrics'), /^notif_queue_paused\{/m)

  queues.start()
  const began = Date.now()
  await put(t.db, [newRow('u1'), newRow('u2')])
  queues.wake(['EMAIL'])
  await until(() => queues.paused().length > 0, 'the queue rests')
  assert.match(await read('/metrics'), /^notif_queue_paused\{queue="EMAIL",code="EAUTH"\} 1$/m)
  const readiness = await server.fetch('/readyz')
  assert.equal(readiness.status, 200)
  const { paused, status } = (await readiness.json()) as { paused: { since: string }[]; status: string }
  assert.equal(status, 'ready')
  const [{ since, ...rest }] = paused as [{ since: string }]
  assert.deepEqual(rest, { code: 'EAUTH', queue: 'EMAIL' })
  assert.ok(Date.parse(since) >= began && Date.parse(since) <= Date.now())

  const afterRest = async (): Promise<void> => {
    await queues.idle('EMAIL')
    await onlyGroup(t.db).sql`update outbox set run_at = now() - interval '1 s'`
    now += 3_600_000
    await queues.idle('EMAIL')
  }
  await afterRest()
  assert.equal(queues.paused()[0]?.since.toISOString(), since, 'the same trouble, however often it is probed')
  assert.deepEqual(recovered, [])
  peer.refuse = undefined
  await afterRest()
  assert.deepEqual(recovered, ['EMAIL'])
  assert.equal(peer.received.length, 2)
  assert.deepEqual(queues.paused(), [])
  assert.doesNotMatch(await read('/metrics'), /^notif_queue_paused\{/m)
  await provider.close()
  metrics.close()
})

test('reports no alarm for an empty paused queue, and sends its next message as a probe', async () => {
  await using t = await testDb()
  let now = 0
  await using queues = openTestQueues(t.db, { clock: () => Date.now() + now })
  const tried: string[] = []
  queues.add(
    deliver(async row => {
      tried.push(row.userId)
      return { code: 'EAUTH', detail: 'no', kind: 'pause' }
    })
  )
  queues.start()
  await put(t.db, [newRow('u1')])
  await until(() => queues.paused().length > 0, 'the queue rests')
  await queues.idle('EMAIL')
  // Another worker has sent it, or its user was erased.
  await onlyGroup(t.db).sql`delete from outbox`
  now += 3_600_000
  await until(() => queues.paused().length === 0, 'nothing waits')
  await put(t.db, [newRow('u2'), newRow('u3')])
  await until(() => queues.paused().length > 0, 'it rests again')
  await queues.idle('EMAIL')
  assert.equal(tried.length, 2)
})

test('counts a dead letter as dead, whatever its last attempt returned', async () => {
  await using t = await testDb()
  const metrics = createMetrics(t.db)
  await using queues = openTestQueues(t.db, { metrics: metrics.queues })
  queues.add(deliver(async () => ({ code: '451', detail: 'busy', kind: 'retry' })))
  queues.start()
  await put(t.db, [{ ...newRow('u1'), attemptsLeft: 1 }, newRow('u2')])
  queues.wake(['EMAIL'])
  await queues.idle('EMAIL')
  const text = await metrics.read()
  assert.match(text, /^notif_attempt_seconds_count\{queue="EMAIL",outcome="dead"\} 1$/m)
  assert.match(text, /^notif_attempt_seconds_count\{queue="EMAIL",outcome="retry"\} 1$/m)
  metrics.close()
})

test('exports the counter of dead letters before the first one', async () => {
  await using t = await testDb()
  const metrics = createMetrics(t.db)
  const before = await metrics.read()
  for (const queue of QUEUES) {
    assert.ok(before.includes(`\nnotif_attempt_seconds_count{queue="${queue}",outcome="dead"} 0\n`), queue)
  }
  metrics.close()
})

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly annotations: { readonly summary: string }
      readonly expr: string
    }[]
  }[]
}

/** Figures of an expression, each with the labels that it asks for. */
const figuresIn = (expr: string) =>
  [...expr.matchAll(/\b(notif_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', labels = '']) => ({
    labels: [...labels.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label]) => label!),
    name
  }))

test('names only existing metrics and labels in the alarm rules', async () => {
  await using t = await testDb()
  const metrics = createMetrics(t.db)
  metrics.watch({
    probes: () => [{ probe: 'dkim', state: 'warning', detail: 'There is no TXT record.' }],
    paused: () => [{ code: 'EAUTH', queue: 'EMAIL', since: new Date(), until: new Date() }]
  })
  metrics.countSockets(() => ({ all: 1 }))
  metrics.queues.recordAttempt({
    durationMs: 12,
    envId: 'e',
    outcome: 'dead',
    queue: 'EMAIL',
    typeId: 'news'
  })
  metrics.queues.recordFenced('EMAIL', 1)
  metrics.recordSend('e', 'news', 200)
  metrics.recordRequest({
    envId: 'e',
    method: 'POST',
    route: '/:clientId/sender',
    seconds: 0.003,
    status: 503
  })
  const lines = (await metrics.read()).split('\n')
  const page = readFileSync(join(import.meta.dirname, '../../docs/operator.md'), 'utf8')
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(page)!
  const rules = (parse(yaml) as Rules).groups.flatMap(group => group.rules)
  assert.equal(rules.length, 6)
  // A share, so that a site with few messages hears it.
  const givenUp = rules.find(({ alert }) => alert === 'MessagesAreGivenUp')!
  assert.match(givenUp.expr, /outcome="dead".* \/ .*outcome=~"dead\|sent".* > 0\.\d+$/)
  for (const { annotations, expr } of rules) {
    const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []
    const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!)
    assert.deepEqual(
      shown.filter(label => !grouped.includes(label)),
      [],
      expr
    )
  }
  const wanted = [...rules.map(rule => rule.expr), ...page.matchAll(/`(notif_[^…`]*)`/g)].flatMap(found =>
    figuresIn(typeof found === 'string' ? found : found[1]!)
  )
  assert.ok(wanted.length >= 12)
  for (const { labels, name } of wanted) {
    const line = lines.find(one => one.startsWith(`${name}{`) || one.startsWith(`${name} `))
    assert.ok(line !== undefined, name)
    for (const label of labels) assert.ok(line.includes(`${label}="`), `${name} has no label ${label}`)
  }
  metrics.close()
})
