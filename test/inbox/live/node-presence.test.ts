// A node that is alone sends no hints, and a node that comes misses no change because of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import postgres from 'postgres'

import { createLog } from '../../../server/core/log.ts'
import { ChangeHints } from '../../../server/inbox/live/change-hints.ts'
import { NodePresence } from '../../../server/inbox/live/node-presence.ts'
import { testDb } from '../../support/db.ts'
import { newItem } from '../test-items.ts'
import { kitClient, startNode } from './test-node.ts'

test('a node is not alone until the others had time to answer, nor while one of them is heard', () => {
  const presence = new NodePresence()
  const pass = (rounds: number): void => {
    for (let i = 0; i < rounds; i++) presence.nextRound()
  }
  pass(3)
  assert.equal(presence.isAlone(), false)
  pass(1)
  assert.equal(presence.isAlone(), true)
  assert.equal(presence.heard('other'), true)
  assert.equal(presence.isAlone(), false)
  pass(3)
  assert.equal(presence.heard('other'), false)
  pass(3)
  assert.equal(presence.isAlone(), false)
  pass(1)
  assert.equal(presence.isAlone(), true)
  assert.equal(presence.heard('other'), true)
  pass(4)
  presence.listening()
  assert.equal(presence.isAlone(), false)
  assert.equal(presence.isSettling(), true)
})

/** Milliseconds between two messages of a node. A busy machine keeps a connection waiting for longer than a few of them. */
const INTERVAL_MS = 400

/** Listens as a node does, but says nothing, so that no node knows of it. */
async function listenSilently(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const messages: unknown[][] = []
  let wake = (): void => {}
  await sql.listen('notif_inbox', text => {
    messages.push(JSON.parse(text) as unknown[])
    wake()
  })
  return {
    close: () => sql.end(),
    /** The next message, in the order in which they were sent. */
    async next(): Promise<unknown[]> {
      while (messages.length === 0) await new Promise<void>(resolve => (wake = resolve))
      return messages.shift()!
    }
  }
}

test('a node that is alone sends no hints, and one that comes misses nothing because of that', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { echoMs: INTERVAL_MS, sweepMs: 1e8 })
  const messages = await listenSilently(t.url)
  /** Sends until no hint follows before the node says again that it is there. */
  const untilAlone = async (): Promise<void> => {
    for (;;) {
      await a.send(newItem('grace'))
      // Two messages of presence: the first may have been on its way.
      for (let presences = 0; presences < 2;) {
        const message = await messages.next()
        if (Array.isArray(message[1])) break
        if (++presences === 2) return
      }
    }
  }
  for (let round = 0; round < 4; round++) {
    await untilAlone()
    const user = `user-${round}`
    await using b = await startNode(t.url, { echoMs: INTERVAL_MS, sweepMs: 1e8 })
    const client = kitClient(b, user)
    await client.frames.route('inbox/head')
    // Some before the node listens or is known, some after.
    for (let i = 0; i < 5; i++) {
      const { change } = await a.send(newItem(user))
      await client.frames.reaching(change.version)
    }
    client.close()
  }
  await messages.close()
})

test(
  'a node that comes looks again when another one says that it did not know it',
  { timeout: 60_000 },
  async () => {
    await using t = await testDb()
    await using _known = await startNode(t.url, { echoMs: INTERVAL_MS, sweepMs: 1e8 })
    const silent = await listenSilently(t.url)
    // After its fifth round the node knows that it is alone.
    for (let rounds = 0; rounds < 5; rounds++) await silent.next()
    let lookCount = 0
    const told = Promise.withResolvers<void>()
    const newNode = new ChangeHints({
      log: createLog('silent'),
      onHint: () => {},
      onMissed() {
        lookCount += 1
        // The first time, because it listens.
        if (lookCount === 2) told.resolve()
      },
      url: t.url
    })
    await told.promise
    await newNode.close()
    await silent.close()
  }
)
