// A real SMTP server that does what the address says: `data-550@x.test` is refused at DATA with 550, and `hang@...` gets no answer.

import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

export interface Peer extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  /** Count and bytes of accepted emails, also of discarded ones. */
  arrived: number
  bytes: number
  connections: number
  /** Refuses every connection, login, sender (with this answer) or content, unless undefined. */
  refuse:
    | { connect?: number; auth?: number; sender?: (address: string) => string; content?: string }
    | undefined
}

const refusal = (code: number, text = `Scripted ${code}`): Error =>
  Object.assign(new Error(text), { responseCode: code })

/** @param answer - code and text */
const refusalOf = (answer: string): Error => refusal(Number(answer.slice(0, 3)), answer.slice(4))

export interface PeerOptions {
  /** Maximum bytes of a message, announced in EHLO. */
  readonly size?: number
  readonly credentials?: string
  /** Discards emails instead of keeping them in `received`. */
  readonly discard?: boolean
  /** Called for each email when it is accepted. */
  readonly taken?: (to: readonly string[]) => void
}

export async function smtpPeer({ credentials, discard, size, taken }: PeerOptions = {}): Promise<Peer> {
  const received: Received[] = []
  const script = (to: string, at: string): number | undefined => {
    const [, step, code] = /^(\w+)-(\d{3})@/.exec(to) ?? []
    return step === at ? Number(code) : undefined
  }
  const peer: Omit<Peer, 'url' | 'received' | typeof Symbol.asyncDispose> = {
    arrived: 0,
    bytes: 0,
    connections: 0,
    refuse: undefined
  }
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    closeTimeout: 10,
    disabledCommands: credentials === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth(_auth, _session, callback) {
      if (peer.refuse?.auth) callback(refusal(peer.refuse.auth))
      else callback(null, { user: 'somebody' })
    },
    onConnect(_session, callback) {
      peer.connections += 1
      callback(peer.refuse?.connect ? refusal(peer.refuse.connect) : null)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      const to = session.envelope.rcptTo.map(one => one.address)
      stream.on('data', (chunk: Buffer) => {
        peer.bytes += chunk.length
        if (!discard) chunks.push(chunk)
      })
      stream.on('end', () => {
        const code = to.map(one => script(one, 'data')).find(Boolean)
        if (code) return callback(refusal(code))
        if (peer.refuse?.content !== undefined) return callback(refusalOf(peer.refuse.content))
        const { mailFrom } = session.envelope
        peer.arrived += 1
        taken?.(to)
        if (!discard)
          received.push({ from: mailFrom ? mailFrom.address : '', raw: Buffer.concat(chunks).toString(), to })
        // Accepted without an answer, so the sender cannot know.
        if (to.some(one => one.startsWith('hang@'))) return undefined
        if (to.some(one => one.startsWith('reset@'))) return cut(session)
        callback(null, 'queued as 4711')
        return undefined
      })
    },
    onMailFrom({ address }, _session, callback) {
      const answer = peer.refuse?.sender?.(address) ?? ''
      callback(answer === '' ? null : refusalOf(answer))
    },
    onRcptTo({ address }, session, callback) {
      const code = script(address, 'rcpt')
      if (address.startsWith('cut@')) return cut(session)
      callback(code ? refusal(code) : null)
      return undefined
    },
    ...(size !== undefined && { size })
  })
  const sockets = new Map<string, { destroy(): void }>()
  const cut = (session: { id: string; remotePort?: number }): void => {
    sockets.get(String(session.remotePort))?.destroy()
  }
  server.server.on('connection', socket => sockets.set(String(socket.remotePort), socket))
  server.on('error', () => {})
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return Object.assign(peer, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.values()) socket.destroy()
      await new Promise<void>(resolve => {
        server.close(() => resolve())
      })
    },
    received,
    url: `smtp://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`
  }) as Peer
}
