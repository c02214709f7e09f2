// What an open connection that says nothing keeps in memory, beside bare servers of both kinds.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { WebSocket } from 'ws'

import { testDb } from '../support/db.ts'
import { freePort } from '../support/port.ts'
import { peerWith } from './child.ts'
import type { Measurement, Say } from './measure.ts'
import { CLIENT, serve, START_FLAGS, userHash } from './server.ts'

const SOCKETS = 5_000
/** Opened and closed before, so that code and buffers that every server needs once are not counted. */
const WARM_UP = 300
const AT_ONCE = 100

/** Kilobytes. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/** Says what is needed to be let in, and whether a message of the server lets us in. */
interface Manner {
  readonly path: (user: string) => string
  /** To be sent at once. */
  readonly hello?: (user: string) => string
  /** What to answer; `in`: nothing more, we are in. */
  readonly reply: (message: string, user: string) => string | 'in' | undefined
}

const credentials = (userId: string) => ({
  clientId: CLIENT,
  protocol: 1,
  userHash: userHash(userId),
  userId
})

const socketIo = (auth: (user: string) => unknown, ready: string): Manner => ({
  path: () => '/socket.io/?EIO=4&transport=websocket',
  reply: (message, user) =>
    message.startsWith('0')
      ? `40${JSON.stringify(auth(user))}`
      : message === '2'
        ? '3'
        : message.includes(ready)
          ? 'in'
          : undefined
})

const MANNERS = {
  bareSocketIo: socketIo(userId => ({ userId }), '"ready"'),
  bareWs: {
    path: user => `/?userId=${user}`,
    reply: message => (message === '"ready"' ? 'in' : undefined)
  },
  plain: {
    hello: user => JSON.stringify({ payload: credentials(user), route: 'inbox/hello' }),
    path: () => '/ws?kit=1',
    reply: message => (message.includes('inbox/head') ? 'in' : undefined)
  },
  socketIo: socketIo(credentials, 'inbox/head')
} satisfies Record<string, Manner>

const enter = (port: number, user: string, { hello, path, reply }: Manner): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path(user)}`, { perMessageDeflate: false })
    socket.on('error', reject)
    if (hello) socket.on('open', () => socket.send(hello(user)))
    socket.on('message', data => {
      const answer = reply(String(data), user)
      if (answer === 'in') resolve(socket)
      else if (answer !== undefined) socket.send(answer)
    })
  })

async function openMany(port: number, count: number, manner: Manner): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const part = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, i) =>
      enter(port, `user${sockets.length + i}`, manner)
    )
    sockets.push(...(await Promise.all(part)))
  }
  return sockets
}

const inspect = (port: number): string => `--inspect=127.0.0.1:${port}`

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  for (const socket of sockets) socket.terminate()
  await pause(300)
}

/**
 * Without it, the figure would say how much garbage the handshakes made and when it went, which depends on flags and chance.
 *
 * @param inspector - port of the inspector of a process
 */
async function collectGarbage(inspector: number): Promise<void> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspector}/json`)).json()) as [
    { readonly webSocketDebuggerUrl: string }
  ]
  const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false })
  await once(socket, 'open')
  // The second time frees what finalizers of the first time released.
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message')
  }
  socket.terminate()
  // Pages go back to the system in the background.
  await pause(1_500)
}

/** Kilobytes for each connection. */
async function perSocket(
  { pid, port }: { readonly pid: number; readonly port: number },
  manner: Manner,
  inspector: number
): Promise<number> {
  await closeAll(await openMany(port, WARM_UP, manner))
  await collectGarbage(inspector)
  const before = residentOf(pid)
  const sockets = await openMany(port, SOCKETS, manner)
  await collectGarbage(inspector)
  const kilobytes = (residentOf(pid) - before) / SOCKETS
  await closeAll(sockets)
  return kilobytes
}

export async function idle({ say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const figures: Record<string, number> = {}
  for (const name of ['socketIo', 'plain'] as const) {
    // A server of its own for each: what was freed by one kind would be used by the other.
    const inspector = await freePort()
    await using server = await serve(database.url, {}, [...START_FLAGS, inspect(inspector)])
    figures[name] = await perSocket(server, MANNERS[name], inspector)
    say(`${name}: ${figures[name].toFixed(1)} kB each`)
  }
  for (const [name, program] of [
    ['bareSocketIo', 'socket-io'],
    ['bareWs', 'ws']
  ] as const) {
    const inspector = await freePort()
    await using server = await peerWith([inspect(inspector)], program)
    figures[name] = await perSocket(server, MANNERS[name], inspector)
    say(`${name}: ${figures[name].toFixed(1)} kB each`)
  }
  const measurement = (name: string, ours: number, peerName: string, value: number): Measurement => ({
    better: 'below',
    ceiling: { name: peerName, value },
    facts: { sockets: SOCKETS },
    name,
    ours,
    ratio: ours / value,
    unit: 'kB'
  })
  return [
    measurement(
      'idle Socket.IO connection',
      figures['socketIo']!,
      'bare Socket.IO',
      figures['bareSocketIo']!
    ),
    {
      ...measurement('idle plain connection', figures['plain']!, 'bare ws', figures['bareWs']!),
      floor: 2.2,
      goal: 1.8
    }
  ]
}
