// The bare server: the same HTTP, rows and frames as notif-kit, written in groups as notif-kit writes them, and no product.
//
// It checks no credentials, validates nothing, knows no preferences and no templates, logs nothing and retries nothing.
// What it costs is what node:http, ws and postgres.js cost for this work.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import postgres from 'postgres'
import { WebSocketServer, type WebSocket } from 'ws'

import { placementHash, uuidv7 } from '../../../server/core/id.ts'

const [database] = process.argv.slice(2)
const sql = postgres(database!, {
  // As the server's own connections: the small tables of a measurement would be read by scans, which large ones are not.
  connection: { enable_seqscan: false, jit: false },
  max: 10,
  onnotice: () => {}
})

const ENV = 'bench'
/** Groups in progress at the same time. */
const MAX_GROUPS = 3

interface Body {
  readonly to: { readonly id: string; readonly email?: string }
  readonly type: string
  readonly inapp: { readonly title: string; readonly body?: string; readonly url?: string }
  readonly email?: unknown
  readonly parameters: Readonly<Record<string, unknown>>
}

interface Job {
  readonly body: Body
  readonly bucket: number
  readonly id: string
  readonly text: string
  readonly content: string
  readonly response: ServerResponse
}

interface Head {
  readonly userId: string
  readonly version: string
}

const rooms = new Map<string, Set<WebSocket>>()
let waiting: Job[] = []
let groups = 0
let isScheduled = false

const contentOf = ({ inapp, parameters }: Body): string =>
  JSON.stringify({
    body: inapp.body,
    parameters,
    redirectURL: inapp.url,
    title: inapp.title.replace('{{ name }}', String(parameters['name']))
  })

function write(jobs: readonly Job[]): Promise<readonly Head[]> {
  const users = [...Map.groupBy(jobs, ({ body }) => body.to.id).values()]
  const items = users.flatMap(own => own.map((job, i) => ({ job, place: own.length - 1 - i })))
  const emails = jobs.filter(({ body }) => body.email !== undefined)
  const queued = sql`, queued as (
    insert into outbox (bucket, id, queue, env_id, user_id, send_id, body)
    select bucket, id, 'BENCH', ${ENV}, user_id, send_id, body::jsonb
    from unnest(
      ${emails.map(({ bucket }) => bucket)}::smallint[],
      ${emails.map(({ id }) => uuidv7(Number.parseInt(id.slice(-4), 16)))}::uuid[],
      ${emails.map(({ body }) => body.to.id)}::text[],
      ${emails.map(({ id }) => id)}::uuid[],
      ${emails.map(({ body }) => JSON.stringify({ template: 'inline', to: body.to.email, type: body.type }))}::text[]
    ) as r(bucket, id, user_id, send_id, body))`
  return sql<Head[]>`
    with sent as (
      insert into sends (bucket, id, env_id, user_id, notification_id, sub_id, body, decisions, warnings)
      select bucket, id, ${ENV}, user_id, type, '', body::jsonb, '{"EMAIL":"send","INAPP_WEB":"send"}', '[]'
      from unnest(
        ${jobs.map(({ bucket }) => bucket)}::smallint[],
        ${jobs.map(({ id }) => id)}::uuid[],
        ${jobs.map(({ body }) => body.to.id)}::text[],
        ${jobs.map(({ body }) => body.type)}::text[],
        ${jobs.map(({ text }) => text)}::text[]
      ) as r(bucket, id, user_id, type, body)
    ), heads as (
      insert into inbox_counters (bucket, env_id, user_id, version, floor, unopened, unarchived, unseen)
      select bucket, ${ENV}, user_id, born, born - size, size, size, size
      from unnest(
        ${users.map(([first]) => first!.bucket)}::smallint[],
        ${users.map(([first]) => first!.body.to.id)}::text[],
        ${users.map(own => own.length)}::integer[]
      ) as u(bucket, user_id, size)
      cross join (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as born) as clock
      order by bucket, user_id
      on conflict (bucket, env_id, user_id) do update set
        previous = inbox_counters.version,
        version = greatest(inbox_counters.version + excluded.unopened, excluded.version),
        unopened = inbox_counters.unopened + excluded.unopened,
        unarchived = inbox_counters.unarchived + excluded.unarchived,
        unseen = inbox_counters.unseen + excluded.unseen
      returning bucket, user_id as "userId", version
    ), items as (
      insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, sub_id, content)
      select n.bucket, ${ENV}, n.user_id, h.version - n.place, n.id, n.type, '', n.content::jsonb
      from unnest(
        ${items.map(({ job }) => job.bucket)}::smallint[],
        ${items.map(({ job }) => job.body.to.id)}::text[],
        ${items.map(({ place }) => place)}::integer[],
        ${items.map(({ job }) => job.id)}::uuid[],
        ${items.map(({ job }) => job.body.type)}::text[],
        ${items.map(({ job }) => job.content)}::text[]
      ) as n(bucket, user_id, place, id, type, content)
      join heads h on h.bucket = n.bucket and h."userId" = n.user_id
    )${emails.length > 0 ? queued : sql``}
    select "userId", version from heads`
}

async function run(jobs: readonly Job[]): Promise<void> {
  groups += 1
  try {
    await write(jobs)
    for (const { body, id, content, response } of jobs) {
      const answer = `{"messages":[],"trackingId":"${id}"}`
      response
        .writeHead(200, { 'content-length': answer.length, 'content-type': 'application/json' })
        .end(answer)
      const room = rooms.get(body.to.id)
      if (!room) continue
      const frame = `{"route":"inbox/change","payload":{"items":[${content}]}}`
      for (const socket of room) socket.send(frame)
    }
  } catch (error) {
    console.error(error)
    for (const { response } of jobs) response.writeHead(500, { 'content-length': 0 }).end()
  }
  groups -= 1
  begin()
}

function begin(): void {
  isScheduled = false
  if (waiting.length === 0 || groups === MAX_GROUPS) return
  const jobs = waiting
  waiting = []
  void run(jobs)
}

const http = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(200, { 'content-length': 2 }).end('ok')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()
    const body = JSON.parse(text) as Body
    const place = placementHash(ENV, body.to.id)
    waiting.push({ body, bucket: place >> 6, content: contentOf(body), id: uuidv7(place), response, text })
    // Requests that were read together are written together.
    if (isScheduled || groups === MAX_GROUPS) return
    isScheduled = true
    setImmediate(begin)
  })
})

new WebSocketServer({ perMessageDeflate: false, server: http }).on('connection', socket => {
  socket.once('message', data => {
    const { payload } = JSON.parse(String(data)) as { readonly payload: { readonly userId: string } }
    const room = rooms.get(payload.userId) ?? new Set()
    rooms.set(payload.userId, room.add(socket))
    socket.on('close', () => room.delete(socket))
    socket.send('{"route":"inbox/head","payload":{"version":0}}')
  })
})

http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port))
