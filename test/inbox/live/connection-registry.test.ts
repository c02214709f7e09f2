// The registry in every order of events: joins, reads that take long, lost and doubled hints, syncs. A simulation with a
// seed, in which clients hold to the protocol and must end with exactly what the inbox holds.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toServerFrame, type InboxChange } from '#protocol'

import {
  snapshotVersions,
  ConnectionRegistry,
  sendMissed,
  lowestVersion,
  type VersionSnapshot,
  type ConnectedUser
} from '../../../server/inbox/live/connection-registry.ts'
import { encode, type Connection, type ConnectionKind } from '../../../server/inbox/live/connection.ts'
import type { MissedChanges } from '../../../server/inbox/read-inbox.sql.ts'
import { random, type Random } from '../../support/random.ts'

const USER = { bucket: 1, envId: 'env', userId: 'ada' }
const START = 1_700_000_000_000

/** An inbox to which one item is added at a time; `versions[i]` made item `i`. */
class Inbox {
  readonly versions: number[] = []

  get head(): number {
    return this.versions.at(-1) ?? 0
  }

  add(pick: Random): InboxChange {
    const prev = this.head
    this.versions.push(Math.max(prev, START) + 1 + pick(3))
    return this.#change(prev)
  }

  /** What a read that begins now will answer. */
  since(version: number | undefined): MissedChanges {
    const { head } = this
    if (version !== undefined && version > head)
      return { kind: 'reset', reset: { reset: true, version: head } }
    return { change: this.#change(version ?? head), kind: 'change' }
  }

  #change(prev: number): InboxChange {
    const items = this.versions
      .filter(version => version > prev)
      .map(version => ({
        date: new Date(version).toISOString(),
        id: String(version),
        rev: version,
        title: '',
        type: 't'
      }))
    return { counts: { unarchived: 0, unopened: 0 }, items, prev, removed: [], version: this.head }
  }
}

/** A client that knows an inbox by frames alone, on a connection of the server. */
class Client implements Connection {
  readonly kind: ConnectionKind = 'plain'
  version: number | undefined
  isReady = false
  nextHeartbeatAt: number | undefined
  readonly known = new Set<string>()
  mine: number | undefined
  gap = false
  frames = 0
  gone = false
  /** Lost a frame of which the server does not know yet. */
  lost = false
  readonly #ahead: boolean
  #loaded = 0
  readonly #inbox: Inbox
  lossy: Random | undefined

  constructor(inbox: Inbox, mine: number | undefined, lossy: Random | undefined) {
    this.#inbox = inbox
    this.lossy = lossy
    this.mine = mine
    this.version = mine
    this.#ahead = mine !== undefined && mine > inbox.head
    for (const version of inbox.versions)
      if (mine !== undefined && version <= mine) this.known.add(String(version))
  }

  send(text: string): void {
    this.frames += 1
    assert.ok(!this.gone, 'told something after it had gone')
    if (!text.includes('inbox/reset') && this.lossy?.(4) === 0) {
      this.lost = true
      return
    }
    const { route, payload } = JSON.parse(text) as { route: string; payload: unknown }
    const frame = toServerFrame(route, payload)
    assert.ok(frame, text)
    if (frame.route === 'inbox/reset') {
      assert.ok(this.#ahead, 'a reset without cause')
      this.#load()
    }
    if (frame.route === 'inbox/head') {
      if (this.mine === undefined) this.#load()
      else if (this.mine < frame.payload.version) this.gap = true
    }
    if (frame.route !== 'inbox/change' || this.mine === undefined) return
    const { items, prev, version } = frame.payload
    // A page may be newer than what the connection was sent.
    assert.ok(version > this.mine || version <= this.#loaded, 'told twice')
    if (version <= this.mine) return
    if (prev > this.mine) {
      assert.ok(this.lost, 'a gap without a loss')
      this.gap = true
      return
    }
    for (const { id, rev } of items) {
      if (rev > this.mine) assert.ok(!this.known.has(id), 'doubled')
      this.known.add(id)
    }
    this.mine = version
  }

  #load(): void {
    this.known.clear()
    for (const version of this.#inbox.versions) this.known.add(String(version))
    this.mine = this.#inbox.head
    this.#loaded = this.mine
  }

  sendHeartbeat(): void {}
  requestReconnect(): void {}
  terminate(): void {}
}

function simulate(pick: Random): void {
  const inbox = new Inbox()
  const registry = new ConnectionRegistry()
  const clients = new Map<Client, ConnectedUser>()
  const committed: InboxChange[] = []
  const waiting = new Set<ConnectedUser>()
  let reading: { audience: ConnectedUser; asking: VersionSnapshot; missed: MissedChanges } | undefined

  const need = (audience: ConnectedUser | undefined) => {
    if (audience) waiting.add(audience)
  }
  const publish = (change: InboxChange) => {
    const strangers = [...clients.keys()].filter(client => !client.isReady)
    const heard = strangers.map(client => client.frames)
    need(registry.deliver({ ...USER, change }))
    assert.deepEqual(
      strangers.map(client => client.frames),
      heard,
      'told something before it was greeted'
    )
  }
  const read = () => {
    const [audience] = waiting
    if (reading || !audience) return
    waiting.delete(audience)
    if (audience.connections.size === 0) return
    const asking = snapshotVersions(audience)
    reading = { asking, audience, missed: inbox.since(lowestVersion(asking)) }
  }
  const finish = () => {
    if (reading) sendMissed(reading.audience, reading.asking, reading.missed)
    reading = undefined
  }
  const sync = () => {
    for (const [client, audience] of clients) {
      if (!client.gap || !client.isReady || client.mine === undefined) continue
      client.gap = false
      client.lost = false
      client.version = client.mine
      need(audience)
    }
  }

  for (let step = 0; step < 40; step++) {
    const what = pick(12)
    if (what < 3) committed.push(inbox.add(pick))
    else if (what < 6 && committed.length > 0) publish(committed[pick(committed.length)]!)
    else if (what === 6 && clients.size < 4) {
      const version = [
        undefined,
        0,
        inbox.head + pick(2) * 50,
        inbox.versions[pick(inbox.versions.length || 1)]
      ][pick(4)]
      const client = new Client(inbox, version, pick(2) === 0 ? pick : undefined)
      const audience = registry.add(client, USER)
      clients.set(client, audience)
      need(audience)
    } else if (what === 7 && clients.size > 0) {
      const [client, audience] = [...clients][pick(clients.size)]!
      clients.delete(client)
      client.gone = true
      registry.remove(client, audience)
    } else if (what === 8) read()
    else if (what < 11) finish()
    else sync()
  }
  // From here on nothing is lost; heads say who is behind. The sweep, and whatever it starts.
  for (const client of clients.keys()) client.lossy = undefined
  for (let round = 0; round < 6; round++) {
    for (const [client, audience] of clients) if (client.version !== inbox.head) need(audience)
    finish()
    while (waiting.size > 0) {
      read()
      finish()
    }
    for (const client of clients.keys()) {
      const beat = encode('plain', 'inbox/head', { version: client.version! })
      client.send(beat!)
    }
    sync()
  }
  for (const client of clients.keys()) {
    assert.equal(client.mine, inbox.head)
    assert.deepEqual([...client.known].sort(), inbox.versions.map(String))
  }
  assert.equal(registry.connectionCount, clients.size)
}

test('whatever the order, every client ends with what the inbox holds', t => {
  const pick = random()
  t.diagnostic(`seed ${pick.seed}`)
  for (let i = 0; i < 2000; i++) simulate(pick)
})

test('one text is made for all connections of a kind', () => {
  const inbox = new Inbox()
  const registry = new ConnectionRegistry()
  const texts: string[] = []
  const connection = (kind: ConnectionKind): Connection => ({
    sendHeartbeat() {},
    nextHeartbeatAt: undefined,
    terminate() {},
    isReady: true,
    kind,
    requestReconnect() {},
    send: text => texts.push(text),
    version: 0
  })
  for (const kind of ['plain', 'socket-io', 'legacy', 'plain'] as const) registry.add(connection(kind), USER)
  const change = inbox.add(random(1))
  assert.equal(registry.deliver({ ...USER, change }), undefined)
  assert.equal(registry.deliver({ ...USER, change }), undefined)
  assert.deepEqual(
    texts.map(text => text.replace(/\{.*/s, '')),
    ['', '2["inbox/change",', '', '']
  )
  assert.deepEqual(JSON.parse(texts[0]!), { payload: change, route: 'inbox/change' })
  assert.equal(JSON.parse(texts[2]!).route, 'inapp_web/new_notifications')
  assert.equal(texts[3], texts[0])
})
