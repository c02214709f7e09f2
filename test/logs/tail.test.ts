// The live tail of sends: only with a ticket of the own environment, once each, bounded, whichever node accepted them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'

import { WebSocket } from 'ws'

import { createTicket } from '../../server/logs/tail/ticket.ts'
import {
  asAdmin,
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  SECRET,
  startApp,
  WITH_OIDC,
  type TestApp
} from '../security/app.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { openTestNode } from '../support/test-node.ts'

let app: TestApp
before(async () => {
  app = await startApp(WITH_OIDC)
})
after(() => app[Symbol.asyncDispose]())

interface Batch {
  readonly isCut: boolean
  readonly sends: readonly {
    readonly trackingId: string
    readonly userId: string
    readonly type: string
    readonly receivedAt: string
    readonly decisions: object
  }[]
}

class Tail implements Disposable {
  readonly socket: WebSocket
  readonly batches: Batch[] = []
  readonly opened: Promise<unknown>
  readonly closed: Promise<number>

  constructor(ticket: unknown, port = app.port) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws?kit=1`)
    this.closed = once(this.socket, 'close').then(([code]) => code as number)
    const opened = Promise.withResolvers<unknown>()
    this.opened = opened.promise
    this.socket.on('open', () =>
      this.socket.send(JSON.stringify({ payload: { ticket }, route: 'sends/hello' }))
    )
    this.socket.on('message', data => {
      const { payload, route } = JSON.parse(String(data))
      if (route === 'sends/open') opened.resolve(payload)
      else this.batches.push(payload as Batch)
    })
  }

  get ids(): readonly string[] {
    return this.batches.flatMap(({ sends }) => sends.map(({ trackingId }) => trackingId))
  }

  async waitFor(count: number): Promise<void> {
    while (this.ids.length < count) await once(this.socket, 'message')
  }

  [Symbol.dispose](): void {
    this.socket.terminate()
  }
}

const askTicket = (headers: Readonly<Record<string, string>>, clientId = CLIENT) =>
  app.ask(`/${clientId}/logs/live`, { body: '{}', headers, method: 'POST' })

async function ticketOf(headers: Readonly<Record<string, string>> = asBackEnd, clientId = CLIENT) {
  const { json, status, text } = await askTicket(headers, clientId)
  assert.equal(status, 200, text)
  return String(json['ticket'])
}

const asOther = { ...basic(`${OTHER}:${OTHER_SECRET}`), 'content-type': 'application/json' }

async function send(userId: string, { base = app.url, headers = asBackEnd, clientId = CLIENT } = {}) {
  const answer = await fetch(`${base}/${clientId}/sender`, {
    body: JSON.stringify({ inapp: { title: 'T' }, to: { id: userId }, type: 'tailed' }),
    headers,
    method: 'POST'
  })
  const { trackingId } = (await answer.json()) as { trackingId: string }
  assert.ok(trackingId)
  return trackingId
}

test('shows each new send once, also of another node, and none of another environment', async () => {
  await send('before')
  using own = new Tail(await ticketOf())
  using other = new Tail(await ticketOf(asOther, OTHER))
  await Promise.all([own.opened, other.opened])
  await using second = await openTestNode(app.db, {
    NOTIF_CLIENT_ID: CLIENT,
    NOTIF_CLIENT_SECRET: SECRET,
    NOTIF_ROLE: 'api'
  })
  second.serve()
  const sent = [await send('u1'), await send('u2', { base: second.base })]
  const theirs = await send('u1', { clientId: OTHER, headers: asOther })
  await Promise.all([own.waitFor(2), other.waitFor(1)])
  // Those of the first look are in the overlap of the next ones.
  sent.push(await send('u3'))
  await own.waitFor(3)
  sent.push(await send('u4'))
  await own.waitFor(4)
  assert.deepEqual([...own.ids].toSorted(), sent.toSorted())
  assert.deepEqual(other.ids, [theirs])
  const last = own.batches.at(-1)!
  assert.equal(last.isCut, false)
  const { receivedAt, ...rest } = last.sends[0]!
  assert.deepEqual(rest, {
    decisions: { INAPP_WEB: 'sent' },
    trackingId: sent[3],
    type: 'tailed',
    userId: 'u4'
  })
  assert.ok(Math.abs(Date.parse(receivedAt) - Date.now()) < 60_000)
})

test('shows the newest of many, and says that there were more', async () => {
  using tail = new Tail(await ticketOf())
  await tail.opened
  const to = Array.from({ length: 80 }, (_, i) => ({ id: `many${i}` }))
  const body = JSON.stringify({ inapp: { title: 'T' }, to, type: 'tailed' })
  const { status, text } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.ok(status < 300, text)
  while (!tail.batches.some(({ isCut }) => isCut)) await once(tail.socket, 'message')
  assert.ok(tail.batches.every(({ sends }) => sends.length <= 50))
})

test('only who may read sends gets a ticket', async () => {
  for (const role of ['viewer', 'support', 'editor', 'admin'] as const)
    assert.equal((await askTicket(await app.signIn(role))).status, 200, role)
  assert.equal((await askTicket(asAdmin)).status, 200)
  const { 'x-csrf-token': _, ...withoutProof } = await app.signIn('admin')
  assert.equal((await askTicket(withoutProof)).status, 403)
  assert.equal((await askTicket({ 'content-type': 'application/json' })).status, 401)
  assert.equal((await askTicket(asOther)).status, 401)
  const created = async (scopes: readonly string[]) => {
    const body = JSON.stringify({ name: scopes.join(), scopes })
    const { json } = await app.ask(`/environments/${CLIENT}/keys`, { body, headers: asAdmin, method: 'POST' })
    return { authorization: `Bearer ${String(json['key'])}`, 'content-type': 'application/json' }
  }
  assert.equal((await askTicket(await created(['read']))).status, 200)
  assert.equal((await askTicket(await created(['send']))).status, 403)
})

test('a wrong ticket, an old one and one of another kind end the socket', async () => {
  const now = Date.now()
  const link = TEST_ENCRYPTION.encrypt(
    JSON.stringify({ envId: CLIENT, expiresAt: now + 9e9 }),
    'preferences link'
  )
  for (const ticket of [
    'x',
    '',
    undefined,
    7,
    createTicket(TEST_ENCRYPTION, CLIENT, now - 31_000),
    (await ticketOf()).slice(0, -2),
    link.toString('base64url')
  ]) {
    using tail = new Tail(ticket)
    assert.equal(await tail.closed, 4401, String(ticket))
    assert.deepEqual(tail.batches, [])
  }
})

test('one environment has 20 sockets, which takes nothing from others', async () => {
  const ticket = await ticketOf()
  const open = Array.from({ length: 20 }, () => new Tail(ticket))
  try {
    await Promise.all(open.map(({ opened }) => opened))
    using more = new Tail(ticket)
    assert.equal(await more.closed, 1013)
    using other = new Tail(await ticketOf(asOther, OTHER))
    await other.opened
  } finally {
    for (const tail of open) tail[Symbol.dispose]()
  }
})
