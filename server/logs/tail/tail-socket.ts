// One socket of the live tail: skips what a slow reader would have to hold, and ends a connection that does not answer.

import type { WebSocket } from 'ws'

import { MessageBudget } from '../../inbox/live/socket-limits.ts'
import { isoTimeOfId } from '../delivery-facts.ts'
import type { TailBatch } from './tail-reader.ts'
import type { TailedSend } from './tail.sql.ts'

/** Unsent bytes of a socket after which it gets no sends until they are sent: they are held in memory. */
const MAX_UNSENT_BYTES = 64 * 1024
const PING_INTERVAL_MS = 30_000

export interface TailSocket {
  send(batch: TailBatch): void
}

const toWire = ({ decisions, id, type, userId }: TailedSend) => ({
  trackingId: id,
  type,
  userId,
  receivedAt: isoTimeOfId(id),
  decisions
})

/** @param onClose - called once */
export function openTailSocket(socket: WebSocket, onClose: () => void): TailSocket {
  const budget = new MessageBudget()
  let hasSkipped = false
  let isAlive = true
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_INTERVAL_MS)
  heartbeat.unref()
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', () => {
    if (budget.tryTake() === 'abuse') socket.terminate()
  })
  socket.once('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  return {
    send({ isCut, sends }) {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) hasSkipped = true
      else {
        const payload = { isCut: isCut || hasSkipped, sends: sends.map(toWire) }
        hasSkipped = false
        socket.send(JSON.stringify({ payload, route: 'sends/new' }))
      }
    }
  }
}
