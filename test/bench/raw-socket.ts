// A plain socket of the kit with as little of its own as possible: raw TCP, frames without fragments. It reconnects with the back-off of
// components/live/socket.ts.

import { connect, type Socket } from 'node:net'

/** As in components/live/socket.ts. */
const chooseFirstDelay = (): number => 500 + Math.random() * 4500
const DELAY_GROWTH = 1.6
const MAX_DELAY_MS = 30_000
const OPEN_TIMEOUT_MS = 10_000

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

/** A frame of a client, whose mask is zero so that nothing has to be computed. At most 65,535 bytes. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? [0x80 | opcode, 0x80 | payload.length]
      : [0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

/** Reads frames of a server. @returns what is left for the next call */
function readFrames(bytes: Buffer, onFrame: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1]!
    if (short === 127) throw new Error('A frame is longer than 65,535 bytes.')
    const headBytes = short === 126 ? 4 : 2
    if (bytes.length - at < headBytes) break
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    if (bytes.length - at < headBytes + length) break
    onFrame(bytes[at]! & 0x0f, bytes.subarray(at + headBytes, at + headBytes + length))
    at += headBytes + length
  }
  return at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at))
}

const NOTHING = Buffer.alloc(0)

export interface RawSocketOptions {
  readonly port: number
  /** Address of the client, such as 127.0.0.2: each has ports of its own. */
  readonly localAddress: string
  /** The first frame. */
  readonly hello: string
  /** The server has answered the first frame. */
  readonly onReady: () => void
  readonly onText: (text: string) => void
  /** The connection ended, or was not ready in time. */
  readonly onLost: (wasReady: boolean) => void
}

export class RawSocket {
  readonly #options: RawSocketOptions
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #delayMs = 0
  isReady = false

  constructor(options: RawSocketOptions) {
    this.#options = options
  }

  open(): void {
    const { hello, localAddress, onText, port } = this.#options
    const socket = connect({ host: '127.0.0.1', localAddress, port })
    this.#socket = socket
    this.#timer = setTimeout(() => socket.destroy(), OPEN_TIMEOUT_MS)
    let rest: Buffer = NOTHING
    let isUpgraded = false
    socket.write(
      `GET /ws?kit=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
    )
    socket.on('error', () => {})
    socket.on('close', () => this.#lost())
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (!isUpgraded) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!rest.subarray(0, 12).equals(SWITCHING)) return void socket.destroy()
        isUpgraded = true
        rest = rest.subarray(end + 4)
        socket.write(frameOf(TEXT, Buffer.from(hello)))
      }
      rest = readFrames(rest, (opcode, payload) => {
        if (opcode === PING) socket.write(frameOf(PONG, payload))
        else if (opcode === CLOSE) socket.destroy()
        else {
          if (!this.isReady) this.#ready()
          onText(payload.toString())
        }
      })
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket?.removeAllListeners('close').destroy()
  }

  #ready(): void {
    this.isReady = true
    this.#delayMs = 0
    clearTimeout(this.#timer)
    this.#options.onReady()
  }

  #lost(): void {
    clearTimeout(this.#timer)
    const wasReady = this.isReady
    this.isReady = false
    this.#options.onLost(wasReady)
    this.#delayMs =
      this.#delayMs === 0 ? chooseFirstDelay() : Math.min(MAX_DELAY_MS, this.#delayMs * DELAY_GROWTH)
    this.#timer = setTimeout(() => this.open(), this.#delayMs)
  }
}

const SWITCHING = Buffer.from('HTTP/1.1 101')
