// A slow reader of the live tail holds little memory, misses sends and hears of it, and a flood of frames ends its socket.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'

import type { WebSocket } from 'ws'

import { openTailSocket } from '../../server/logs/tail/tail-socket.ts'

class Peer extends EventEmitter {
  bufferedAmount = 0
  isTerminated = false
  readonly frames: { readonly isCut: boolean; readonly sends: readonly unknown[] }[] = []
  send(text: string): void {
    this.frames.push(JSON.parse(text).payload)
  }
  ping(): void {}
  terminate(): void {
    this.isTerminated = true
    this.emit('close')
  }
}

const BATCH = {
  isCut: false,
  sends: [{ decisions: {}, id: '01937f6e-0000-7000-8000-000000000001', type: 't', userId: 'u' }]
}

const open = (peer: Peer, onClose = () => {}) => openTailSocket(peer as unknown as WebSocket, onClose)

test('gets nothing while much is unsent, and then the next sends with the remark', () => {
  const peer = new Peer()
  const socket = open(peer)
  socket.send(BATCH)
  peer.bufferedAmount = 70_000
  for (let i = 0; i < 100; i += 1) socket.send(BATCH)
  assert.equal(peer.frames.length, 1)
  peer.bufferedAmount = 0
  socket.send(BATCH)
  socket.send(BATCH)
  assert.deepEqual(
    peer.frames.map(({ isCut }) => isCut),
    [false, true, false]
  )
  peer.emit('close')
})

test('a client that floods the socket loses it', () => {
  const peer = new Peer()
  let closedCount = 0
  open(peer, () => (closedCount += 1))
  for (let i = 0; i < 100 && !peer.isTerminated; i += 1) peer.emit('message')
  assert.ok(peer.isTerminated)
  assert.equal(closedCount, 1)
})

test('a client that does not answer pings loses it', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const peer = new Peer()
  open(peer)
  mock.timers.tick(30_000)
  peer.emit('pong')
  mock.timers.tick(30_000)
  assert.ok(!peer.isTerminated)
  mock.timers.tick(30_000)
  assert.ok(peer.isTerminated)
})
