// Webhooks of an inbox contain what a user did and wrote: an export has them, and neither an erasure nor the deletion of the
// environment leaves anything of them, also if the back end is being called meanwhile.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'

import { bucketOf } from '../../../server/core/id.ts'
import { purgeEnvironments } from '../../../server/environments/purge.sql.ts'
import { readUserTables } from '../../../server/users/privacy/personal-data.sql.ts'
import { openWebhookPeer, type WebhookAnswer, type WebhookPeer } from '../../inbox/updates/webhook-peer.ts'
import { asAdmin, basic, startApp, type TestApp } from '../../security/app.ts'

const SECRET = 'secret-of-an-environment-with-webhooks'
const USER = 'ada-5e0b71'
const OTHER_USER = 'bob-90c3d2'
const WRITTEN = 'The winter fares look wrong to me.'
const ANSWER = 'Approved by Lovelace.'

let app: TestApp
let peer: WebhookPeer
before(async () => {
  const key = createHmac('sha256', SECRET).update('notif-kit/webhook').digest('base64')
  peer = await openWebhookPeer(`whsec_${key}`)
  app = await startApp({ NOTIF_ALLOW_PRIVATE: '127.0.0.0/8', NOTIF_OUTBOUND_PORTS: String(peer.port) })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

interface Environment {
  readonly id: string
  call(method: string, path: string, body?: unknown): Promise<Awaited<ReturnType<TestApp['ask']>>>
  send(user: string): Promise<string>
  press(user: string, id: string): Promise<unknown>
}

async function environment(id: string): Promise<Environment> {
  const admin = async (method: string, path: string, body: object) => {
    const { status, text } = await app.ask(path, { body: JSON.stringify(body), headers: asAdmin, method })
    assert.ok(status < 300, text)
  }
  await admin('POST', '/environments', { clientId: id, clientSecret: SECRET })
  await admin('PATCH', `/environments/${id}`, { webhook: { url: peer.url } })
  const call: Environment['call'] = async (method, path, body) => {
    const answer = await app.ask(`/${id}${path}`, {
      headers: basic(`${id}:${SECRET}`),
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  return {
    call,
    id,
    press: (user, item) => call('POST', `/users/${user}/inbox/${item}/actions/approve`, {}),
    async send(user) {
      const inapp = { actions: [{ id: 'approve', label: 'Approve', send: true }], reply: {}, title: 'Fares' }
      const { json } = await call('POST', '/sender', { inapp, to: { id: user }, type: 'approval' })
      return String(json['trackingId'])
    }
  }
}

/** Tables with rows that contain one of the texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { control } = app.db
  const tables = await control<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await control`
      select from ${control(name)} t where t::text like any(${texts.map(text => `%${text}%`)}::text[]) limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Leaves a webhook that was sent, one that died, and a reply that waits. */
async function act({ call, press, send }: Environment, user: string): Promise<void> {
  peer.answers = [[200, { text: ANSWER }], [410], [503]]
  await press(user, await send(user))
  await app.queues.idle('WEBHOOK')
  await press(user, await send(user))
  await app.queues.idle('WEBHOOK')
  await call('PATCH', `/users/${user}/inbox`, {
    reply: { date: new Date().toISOString(), message: WRITTEN },
    trackingIds: [await send(user)]
  })
  await app.queues.idle('WEBHOOK')
}

/** Resolves while the back end is being called; the answer follows by `end`. */
async function callInProgress({ press, send }: Environment, user: string): Promise<{ end(): Promise<void> }> {
  const answer = Promise.withResolvers<WebhookAnswer>()
  peer.answers = [answer.promise]
  const item = await send(user)
  const before = peer.received.length
  await press(user, item)
  await peer.waitFor(before + 1)
  return {
    async end() {
      answer.resolve([200, { text: ANSWER }])
      await app.queues.idle('WEBHOOK')
    }
  }
}

interface ExportedRow {
  readonly queue?: string
  readonly channel?: string
  readonly outcome?: string
  readonly body?: { readonly type: string; readonly message?: string; readonly actionId?: string }
}

test('an export has the webhooks of the user: waiting, dead and sent', async () => {
  const env = await environment('hooks-exported')
  await act(env, USER)
  const { text } = await env.call('GET', `/users/${USER}/export`)
  const lines = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { table: string; row: ExportedRow })
  const of = (table: string) => lines.filter(line => line.table === table).map(({ row }) => row)
  const waiting = of('outbox').find(row => row.queue === 'WEBHOOK')
  assert.deepEqual([waiting!.body!.type, waiting!.body!.message], ['item.reply', WRITTEN])
  const [letter] = of('dead_letters')
  assert.deepEqual([letter!.queue, letter!.body!.actionId], ['WEBHOOK', 'approve'])
  const attempts = of('attempts').filter(row => row.channel === 'WEBHOOK')
  assert.deepEqual(attempts.map(row => row.outcome).toSorted(), ['dead', 'retry', 'sent'])
  assert.ok(JSON.stringify(of('inbox_items')).includes(ANSWER))
})

test('an erasure leaves nothing of them, also of one whose back end is being called', async () => {
  const env = await environment('hooks-erased')
  await act(env, USER)
  await act(env, OTHER_USER)
  const call = await callInProgress(env, USER)
  const { json } = await env.call('DELETE', `/users/${USER}`)
  const { deliveries } = json['underWay'] as { deliveries: number }
  assert.ok(deliveries >= 1, 'the back end may still receive it')
  await call.end()
  const bucket = bucketOf(env.id, USER)
  for (const { table, userColumn } of await readUserTables(app.db.control)) {
    const rows = await app.db.control`
      select from ${app.db.control(table)} t
      where t.bucket = ${bucket} and t.env_id = ${env.id} and t.${app.db.control(userColumn)} = ${USER}`
    assert.equal(rows.length, 0, table)
  }
  const kept = await app.db.control`
    select from attempts where env_id = ${env.id} and user_id = ${OTHER_USER} and channel = 'WEBHOOK'`
  assert.ok(kept.length >= 3, 'those of others stay')
  await env.call('DELETE', `/users/${OTHER_USER}`)
  await app.ask(`/hooks-exported/users/${USER}`, {
    headers: basic(`hooks-exported:${SECRET}`),
    method: 'DELETE'
  })
  assert.deepEqual(await tablesWith([WRITTEN, ANSWER, USER, OTHER_USER]), [])
  assert.ok(![WRITTEN, ANSWER, USER].some(text => app.log().includes(text)), 'the log of the process')
})

test('the deletion of an environment leaves nothing of them, also of one whose back end is being called', async () => {
  const env = await environment('hooks-purged')
  await act(env, USER)
  const call = await callInProgress(env, USER)
  const deleted = await app.ask(`/environments/${env.id}`, { headers: asAdmin, method: 'DELETE' })
  assert.equal(deleted.status, 204)
  await app.db.control`
    update environments set deleted_at = now() - interval '61 seconds' where id = ${env.id}`
  await purgeEnvironments(app.db, app.db.groups[0]!)
  await call.end()
  assert.deepEqual(await tablesWith([WRITTEN, ANSWER, USER, `"${env.id}"`]), [])
  const rows = await app.db.control`
    select from outbox where env_id = ${env.id} union all select from attempts where env_id = ${env.id}
    union all select from dead_letters where env_id = ${env.id} union all select from inbox_items where env_id = ${env.id}`
  assert.equal(rows.length, 0)
})
