// The live tail of sends: sockets that showed a ticket get the new sends of their environment, once a second.
//
// Accepting a send costs nothing for it: a node with sockets of an environment reads the newest sends of its index, once a second for
// all of them together.

import type { WebSocket } from 'ws'
import { z } from 'zod'

import { CLOSE_REFUSED } from '#protocol'

import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { safeParse } from '../../core/safe-parse.ts'
import type { Db } from '../../db/db.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { createTailReader } from './tail-reader.ts'
import { openTailSocket, type TailSocket } from './tail-socket.ts'
import { readTicket } from './ticket.ts'

const INTERVAL_MS = 1_000
/** Sockets of one environment and of all, on this node. */
const MAX_PER_ENVIRONMENT = 20
const MAX_SOCKETS = 200
/** A socket ends then, so that a role, key or environment that is gone loses it; its page asks for another ticket. */
export const MAX_TAIL_MS = 5 * 60_000

// Close codes of the IANA registry.
const CLOSE_RESTART = 1012
const CLOSE_TRY_LATER = 1013

const hello = z.object({ ticket: z.string().max(2000) })

export interface SendsTail {
  /** @param payload - of the first frame, `sends/hello` */
  open(socket: WebSocket, payload: unknown): void
  /** Asks all sockets to connect elsewhere. */
  close(): void
}

export interface SendsTailOptions {
  readonly clock: Clock
  readonly db: Db
  readonly encryption: Encryption
  readonly log: Log
  /** Default: 1,000. */
  readonly intervalMs?: number
  /** Default: {@link MAX_TAIL_MS}. */
  readonly maxTailMs?: number
}

interface Watched {
  readonly sockets: Map<WebSocket, TailSocket>
  stop(): void
}

export function openSendsTail({
  clock,
  db,
  encryption,
  intervalMs = INTERVAL_MS,
  log,
  maxTailMs = MAX_TAIL_MS
}: SendsTailOptions): SendsTail {
  const watched = new Map<string, Watched>()
  let isClosed = false

  const watch = (envId: string): Watched => {
    const reader = createTailReader(db, envId, clock())
    const sockets: Watched['sockets'] = new Map()
    let timer: NodeJS.Timeout | undefined
    const look = async (): Promise<void> => {
      try {
        const batch = await reader.readNew(clock())
        if (batch.sends.length > 0) for (const socket of sockets.values()) socket.send(batch)
      } catch (err) {
        log.debug(
          { envId, err, event: 'tail_unread' },
          'could not read new sends for their live tail; reads again in a second'
        )
      }
      if (sockets.size > 0) timer = setTimeout(() => void look(), intervalMs).unref()
    }
    timer = setTimeout(() => void look(), intervalMs).unref()
    return { sockets, stop: () => clearTimeout(timer) }
  }

  const leave = (envId: string, socket: WebSocket): void => {
    const environment = watched.get(envId)
    environment?.sockets.delete(socket)
    if (environment?.sockets.size !== 0) return
    environment.stop()
    watched.delete(envId)
  }

  const hasSpace = (envId: string): boolean => {
    const count = [...watched.values()].reduce((sum, { sockets }) => sum + sockets.size, 0)
    return count < MAX_SOCKETS && (watched.get(envId)?.sockets.size ?? 0) < MAX_PER_ENVIRONMENT
  }

  return {
    close() {
      isClosed = true
      for (const { sockets } of watched.values())
        for (const socket of sockets.keys()) socket.close(CLOSE_RESTART)
    },
    open(socket, payload) {
      const parsed = safeParse(hello, payload)
      const envId = parsed.success ? readTicket(encryption, parsed.data.ticket, clock()) : undefined
      if (envId === undefined) return socket.close(CLOSE_REFUSED, 'the ticket is not valid')
      if (isClosed) return socket.close(CLOSE_RESTART)
      if (!hasSpace(envId)) return socket.close(CLOSE_TRY_LATER, 'too many live tails')
      const environment = watched.get(envId) ?? watch(envId)
      watched.set(envId, environment)
      const end = setTimeout(() => socket.close(CLOSE_RESTART, 'ask for another ticket'), maxTailMs).unref()
      environment.sockets.set(
        socket,
        openTailSocket(socket, () => {
          clearTimeout(end)
          leave(envId, socket)
        })
      )
      socket.send(
        JSON.stringify({
          payload: { endsAt: new Date(clock() + maxTailMs).toISOString() },
          route: 'sends/open'
        })
      )
    }
  }
}
