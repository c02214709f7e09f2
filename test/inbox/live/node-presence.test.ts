// A node that is alone sends no hints, and a node that comes misses no change because of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import postgres from 'postgres'

import { NodePresence } from '../../../server/inbox/live/node-presence.ts'
import { testDb } from '../../support/db.ts'
import { newItem } from '../test-items.ts'
import { kitClient, startNode } from './test-node.ts'

test('a node is not alone until the others had time to answer, nor while one of them is heard', () => {
  let now = 1000
  const presence = new NodePresence(10, () => now)
  assert.equal(presence.isAlone(), false)
  now += 31
  assert.equal(presence.isAlone(), true)
  assert.equal(presence.heard('other'), true)
  assert.equal(presence.isAlone(), false)
  now += 30
  assert.equal(presence.heard('other'), false)
  now += 30
  assert.equal(presence.isAlone(), false)
  now += 1
  assert.equal(presence.isAlone(), true)
  assert.equal(presence.heard('other'), true)
  now += 100
  presence.listening()
  assert.equal(presence.isAlone(), false)
  assert.equal(presence.isSettling(), true)
})

/** Milliseconds between two messages of a node. A busy machine keeps a connection waiting for longer than a few of them. */
const INTERVAL_MS = 400

/** Listens as a node does, but says nothing, so that no node knows of it. */
async function eavesdrop(url: string) {
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
  const ear = await eavesdrop(t.url)
  /** Sends until no hint follows before the node says again that it is there. */
  const untilAlone = async (): Promise<void> => {
    for (;;) {
      await a.send(newItem('grace'))
      // Two messages of presence: the first may have been on its way.
      for (let presences = 0; presences < 2;) {
        const message = await ear.next()
        if (message.length > 1) break
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
  await ear.close()
})
