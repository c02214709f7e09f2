// A simulation of the connection registry with a seed: connections, slow reads, lost and repeated hints and syncs in random
// order. Its clients follow the protocol and must end with exactly the items of the inbox.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { InboxChange } from '#protocol'

import { toLiveEvent } from '../../../components/live/frames.ts'
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
import { testGenerated } from '../../support/generated.ts'
import { random, type Random } from '../../support/random.ts'

const USER = { bucket: 1, envId: 'env', userId: 'ada' }
const START = 1_700_000_000_000

/** An inbox to which one item is added at a time; item `i` has version `versions[i]`. */
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

  /** Result of a read that begins now. */
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
    return {
      counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 },
      items,
      prev,
      removed: [],
      version: this.head
    }
  }
}

/** A client that builds its inbox from frames. */
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
  /** A frame was lost, and the server does not know it yet. */
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
    assert.ok(!this.gone, 'sent a frame after the close')
    if (!text.includes('inbox/reset') && this.lossy?.(4) === 0) {
      this.lost = true
      return
    }
    const { route, payload } = JSON.parse(text) as { route: string; payload: unknown }
    const event = toLiveEvent(route, payload)
    assert.ok(event, text)
    if (event.type === 'reset') {
      assert.ok(this.#ahead, 'a reset without a cause')
      this.#load()
    }
    if (event.type === 'head') {
      if (this.mine === undefined) this.#load()
      else if (this.mine < event.version) this.gap = true
    }
    if (event.type !== 'change' || this.mine === undefined) return
    const { items, prev, version } = event.change
    // A loaded page may be newer than the version of the connection.
    assert.ok(version > this.mine || version <= this.#loaded, 'sent twice')
    if (version <= this.mine) return
    if (prev > this.mine) {
      assert.ok(this.lost, 'a missing change without a lost frame')
      this.gap = true
      return
    }
    for (const { id, rev } of items) {
      if (rev > this.mine) assert.ok(!this.known.has(id), 'an item was sent twice')
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
    const unready = [...clients.keys()].filter(client => !client.isReady)
    const frameCounts = unready.map(client => client.frames)
    need(registry.deliver({ ...USER, change }))
    assert.deepEqual(
      unready.map(client => client.frames),
      frameCounts,
      'sent a frame before the handshake was answered'
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
  // Nothing is lost from here on. Heartbeats tell the clients the version; a sweep and its catch-ups follow.
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

testGenerated('gives every client all items of the inbox, in any order of events', pick => {
  for (let i = 0; i < 2000; i++) simulate(pick)
})

test('encodes a change once for all connections of a kind', () => {
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
