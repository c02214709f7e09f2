// A fake Slack: its Web API and incoming webhooks, with Slack's errors.
//
// The token, or the last part of a webhook's address, chooses the answer, so one peer serves a whole table of faults.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SlackReceived {
  /** The token, or `hook` and the last part of the address. */
  readonly by: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface SlackPeer extends AsyncDisposable {
  /** Settings of a server that uses this fake. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  readonly received: SlackReceived[]
  /** Called methods in their order. */
  readonly called: string[]
  /** Answers like Slack during an outage. */
  down: boolean
}

/** Two pages, to detect code that reads only the first. */
const LISTS: Readonly<
  Record<string, { readonly key: string; readonly pages: readonly (readonly object[])[] }>
> = {
  'conversations.list': {
    key: 'channels',
    pages: [[{ id: 'C024BE91L', name: 'harbour' }], [{ id: 'C024BE92L', name: 'crew' }, { id: 5 }]]
  },
  'users.list': {
    key: 'members',
    pages: [
      [
        { deleted: true, id: 'U0000000A', name: 'mei' },
        { id: 'U0000000B', is_bot: true, name: 'robot' }
      ],
      [{ id: 'U024BE7LH', name: 'mei.lin', profile: { display_name: 'Mei' }, real_name: 'Mei Lin' }]
    ]
  }
}

/** Status, error, headers. */
type Told = readonly [number, string, Readonly<Record<string, string>>?]

const ANSWERS: Readonly<Record<string, Told>> = {
  absent: [200, 'channel_not_found'],
  archived: [200, 'is_archived'],
  broken: [500, 'internal_error'],
  busy: [429, 'ratelimited', { 'retry-after': '7' }],
  fatal: [200, 'fatal_error'],
  inactive: [200, 'account_inactive'],
  invalid: [200, 'invalid_auth'],
  outage: [503, 'service_unavailable'],
  revoked: [200, 'token_revoked'],
  scope: [200, 'missing_scope']
}

const HOOKS: Readonly<Record<string, Told>> = {
  archived: [410, 'channel_is_archived'],
  broken: [500, 'rollup_error'],
  busy: [429, 'rate_limited', { 'retry-after': '3' }],
  gone: [404, 'no_service'],
  html: [502, '<html>'],
  invalid: [400, 'invalid_payload']
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

export async function slackPeer(): Promise<SlackPeer> {
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  const hook = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answerName = request.url!.slice(request.url!.lastIndexOf('/') + 1)
    const body = await readBody(request)
    if (answerName === 'cut') return void request.socket.destroy()
    const [status, text, headers] = HOOKS[answerName] ?? [200, 'ok']
    if (status === 200) peer.received.push({ body: JSON.parse(body), by: `hook ${answerName}` })
    response.writeHead(status, headers).end(text)
  }

  const call = async (request: IncomingMessage, response: ServerResponse, method: string): Promise<void> => {
    const body = await readBody(request)
    peer.called.push(method)
    const token = request.headers.authorization?.replace('Bearer xoxb-', '') ?? ''
    if (peer.down) return json(response, 503, { error: 'service_unavailable', ok: false })
    // Needs no token: https://docs.slack.dev/reference/methods/api.test
    if (method === 'api.test') return json(response, 200, { ok: true })
    if (token === '') return json(response, 200, { error: 'not_authed', ok: false })
    if (token === 'cut') return void request.socket.destroy()
    if (token === 'moved') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (token === 'mute') return void response.writeHead(204).end()
    if (token === 'filtered') return void response.writeHead(403).end('<html>')
    if (token === 'nobody') return void response.writeHead(404).end('<html>')
    if (token === 'html') return void response.writeHead(200).end('<html>')
    const answer = ANSWERS[token]
    if (answer) return json(response, answer[0], { error: answer[1], ok: false }, answer[2])
    const list = LISTS[method]
    if (list) {
      // Like Slack, whose methods that only read accept no JSON.
      const form = new URLSearchParams(body)
      if (form.get('limit') !== '200') return json(response, 200, { error: 'invalid_limit', ok: false })
      const page = Number(form.get('cursor') ?? 0)
      const next = page + 1 < list.pages.length ? String(page + 1) : ''
      return json(response, 200, {
        [list.key]: list.pages[page],
        ok: true,
        response_metadata: { next_cursor: next }
      })
    }
    if (method === 'users.info') {
      const id = new URLSearchParams(body).get('user')
      return json(response, 200, { ok: true, user: { id, name: 'mei.lin' } })
    }
    if (method !== 'chat.postMessage') return json(response, 200, { error: 'unknown_method', ok: false })
    const message = JSON.parse(body)
    peer.received.push({ body: message, by: token })
    json(response, 200, { channel: message.channel, ok: true, ts: `17.${peer.received.length}` })
  }

  const server = createServer((request, response) => {
    const [, area, method = ''] = request.url!.split('/')
    if (request.method !== 'POST') response.writeHead(405).end()
    else if (area === 'services') void hook(request, response)
    else if (area === 'api') void call(request, response, method)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer: SlackPeer = {
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
    called: [],
    down: false,
    env: { NOTIF_ALLOW_PRIVATE: '127.0.0.1/32', NOTIF_SLACK_URL: `${url}/api` },
    received: [],
    url
  }
  return peer
}
