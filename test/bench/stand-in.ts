// Answers what the published kits of others ask their makers' servers, from memory: the same rows as ours gets, all of
// them in the first answer, and one more when the bench says so.
//
// Only what these kits ask for before they show a list, and nothing that would slow them down.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { WebSocketServer, type WebSocket } from 'ws'

import type { Notif } from '#protocol'

/** A notification as ours has it, with all that the bench gives one. */
export type Row = Notif & Required<Pick<Notif, 'body' | 'redirectURL'>>

export interface StandIn extends AsyncDisposable {
  readonly base: string
  /** Tells every open page of one more row. */
  publish(row: Row): void
}

const courierRow = ({ body, date, id, redirectURL, title }: Row): object => ({
  actions: [],
  created: date,
  data: { url: redirectURL },
  messageId: id,
  // Of each row in sight that was not opened yet it draws the whole list anew: half a minute for ten thousand.
  opened: date,
  preview: body,
  tags: [],
  title,
  trackingIds: { clickTrackingId: id }
})

const knockRow = ({ body, date, id, redirectURL, title }: Row): object => ({
  __cursor: id,
  activities: [],
  actors: [{ __typename: 'User', id: 'bea', name: title }],
  archived_at: null,
  blocks: [
    { content: '', name: 'body', rendered: `<p><strong>${title}</strong> ${body}</p>`, type: 'markdown' },
    { content: redirectURL, name: 'action_url', rendered: redirectURL, type: 'text' }
  ],
  id,
  inserted_at: date,
  read_at: null,
  seen_at: null,
  total_activities: 1,
  total_actors: 1
})

/** Counters are asked for under names that the page makes up; each of them is a name before `: count(`. */
function courierAnswer(query: string, rows: readonly Row[]): object {
  if (query.includes('mutation')) return {}
  const counts = [...query.matchAll(/(\w+): count\(/g)].map(([, name]) => [name, rows.length])
  if (!query.includes('GetInboxMessages')) return Object.fromEntries(counts) as object
  const nodes = query.includes('archived: true') ? [] : rows.map(courierRow)
  return {
    ...Object.fromEntries(counts),
    messages: { nodes, pageInfo: { hasNextPage: false, startCursor: null }, totalCount: nodes.length }
  }
}

const meta = (count: number): object => ({ total_count: count, unread_count: count, unseen_count: count })

/** Asks for what is newer than its newest once it was told that there is news. */
function knockAnswer({ pathname, searchParams }: URL, rows: readonly Row[], late?: Row): object {
  if (pathname.endsWith('/settings')) return { features: { branding_required: false } }
  const entries = searchParams.has('before') ? [late].flatMap(row => row ?? []) : rows
  return {
    entries: entries.map(knockRow),
    meta: meta(rows.length),
    page_info: { after: null, before: null, page_size: rows.length }
  }
}

/** A channel of Phoenix: arrays of the joining message, the message, the topic, the event and what it holds. */
type PhoenixFrame = readonly [string | null, string | null, string, string, object]

/** @returns what the line is told when a row arrives */
function attend(line: WebSocket, knock: boolean): (row: Row) => string {
  let joined: PhoenixFrame | undefined
  line.on('message', data => {
    if (!knock) return
    const frame = JSON.parse(String(data)) as PhoenixFrame
    const [join, ref, topic, event] = frame
    if (event === 'phx_join') joined = frame
    line.send(JSON.stringify([join, ref, topic, 'phx_reply', { response: {}, status: 'ok' }]))
  })
  return row => {
    if (!knock) return JSON.stringify({ data: courierRow(row), event: 'message', messageId: row.id })
    const [join = null, , topic = '', , parameters = {}] = joined ?? []
    const attn = Object.keys(parameters)
    const data = Object.fromEntries(attn.map(id => [id, { metadata: meta(1), told: row.title }]))
    return JSON.stringify([join, null, topic, 'new-message', { attn, data, event: 'new-message' }])
  }
}

export async function standIn(rows: readonly Row[]): Promise<StandIn> {
  const lines = new Map<WebSocket, (row: Row) => string>()
  let late: Row | undefined
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*'
    )
    response.setHeader('access-control-allow-methods', '*')
    const url = new URL(request.url!, 'http://stand-in')
    const body = await text(request)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const courier = url.pathname.startsWith('/courier')
    const content = courier
      ? { data: courierAnswer((JSON.parse(body) as { query: string }).query, rows) }
      : knockAnswer(url, rows, late)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  }
  const server = createServer((request, response) => void answer(request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (line, { url }) => {
    lines.set(line, attend(line, !url!.startsWith('/courier')))
    line.on('close', () => lines.delete(line))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      for (const line of lines.keys()) line.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish(row) {
      late = row
      for (const [line, frame] of lines) line.send(frame(row))
    }
  }
}
