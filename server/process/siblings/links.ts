// Links between the processes of one machine: each has a Unix socket, to which all siblings connect to send. The messages of one turn
// of the event loop leave together.

import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'

import type { Sibling, Siblings } from '../../core/siblings.ts'
import { encodeFrame, frameReader } from './frames.ts'

/** Unsent bytes after which a sibling counts as stuck. Its link is closed; when it connects again, it reads from the database. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024
const RETRY_MS = 50

/** First frame of a link: the number of the sender. */
const HELLO = 'hello'

export interface Links extends Siblings {
  /** Sets the numbers of all processes; links to new ones are opened, others closed. */
  setNumbers(numbers: readonly number[]): void
  close(): Promise<void>
}

export const linkPath = (folder: string, number: number): string => `${folder}/${number}.sock`

/** @param folder - for the sockets; only the user of the processes may enter it */
export async function openLinks(folder: string, number: number): Promise<Links> {
  const listeners = new Map<string, (text: string, from: Sibling) => void>()
  const onReachable: ((sibling: Sibling) => void)[] = []
  const onHeard: ((number: number) => void)[] = []
  const onLost: ((number: number) => void)[] = []
  const outgoing = new Map<number, OutgoingLink>()
  const open = new Set<Socket>()
  /** The latest link of each sibling. An earlier one, of a process that was replaced, may end later. */
  const incoming = new Map<number, Socket>()
  let waiting: Buffer[] = []

  const flush = (): void => {
    const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    waiting = []
    for (const link of outgoing.values()) link.write(bytes)
  }
  const siblingOf = (from: number): Sibling => ({
    number: from,
    send: (topic, text) => outgoing.get(from)?.write(encodeFrame(topic, text))
  })

  const server = createServer(socket => {
    let from = 0
    open.add(socket)
    socket.on('error', () => {})
    socket.on(
      'data',
      frameReader((topic, text) => {
        if (topic !== HELLO) return listeners.get(topic)?.(text, siblingOf(from))
        from = Number(text)
        if (incoming.has(from)) for (const listener of onLost) listener(from)
        incoming.set(from, socket)
        for (const listener of onHeard) listener(from)
      })
    )
    socket.on('close', () => {
      open.delete(socket)
      if (incoming.get(from) !== socket) return
      incoming.delete(from)
      for (const listener of onLost) listener(from)
    })
  })
  const path = linkPath(folder, number)
  // Of a process that was killed.
  await rm(path, { force: true })
  server.listen(path)
  await once(server, 'listening')

  return {
    async close() {
      for (const link of outgoing.values()) link.close()
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    get isAlone() {
      return outgoing.size === 0
    },
    number,
    on: (topic, listener) => void listeners.set(topic, listener),
    onHeard: listener => void onHeard.push(listener),
    onLost: listener => void onLost.push(listener),
    onReachable: listener => void onReachable.push(listener),
    reachable: () => [...outgoing].filter(([, link]) => link.isOpen).map(([to]) => siblingOf(to)),
    send(topic, text) {
      if (outgoing.size === 0) return
      if (waiting.length === 0) setImmediate(flush)
      waiting.push(encodeFrame(topic, text))
    },
    setNumbers(numbers) {
      for (const [to, link] of outgoing) {
        if (numbers.includes(to)) continue
        link.close()
        outgoing.delete(to)
      }
      for (const to of numbers) {
        if (to === number || outgoing.has(to)) continue
        const link = new OutgoingLink(linkPath(folder, to), number, () => {
          for (const listener of onReachable) listener(siblingOf(to))
        })
        outgoing.set(to, link)
      }
    }
  }
}

/** Writes to one sibling, and connects again until it is closed. What is written meanwhile is lost. */
class OutgoingLink {
  readonly #path: string
  readonly #ownNumber: number
  readonly #onOpen: () => void
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(path: string, ownNumber: number, onOpen: () => void) {
    this.#path = path
    this.#ownNumber = ownNumber
    this.#onOpen = onOpen
    this.#connect()
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  write(bytes: Buffer): void {
    const socket = this.#socket
    if (!socket) return
    if (socket.writableLength > MAX_BACKLOG_BYTES) socket.destroy()
    else socket.write(bytes)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#socket?.end()
  }

  #connect(): void {
    const socket = connect(this.#path)
    socket.on('error', () => {})
    socket.on('connect', () => {
      if (this.#isClosed) return void socket.destroy()
      socket.write(encodeFrame(HELLO, String(this.#ownNumber)))
      this.#socket = socket
      this.#onOpen()
    })
    socket.on('close', () => {
      this.#socket = undefined
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#connect(), RETRY_MS)
    })
  }
}
