// A fake mail server with fault modes.

import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'

import { SMTPServer } from 'smtp-server'

import type { Ledger } from './ledger.ts'

const refusal = (responseCode: number): Error => Object.assign(new Error('Not now'), { responseCode })

/** @returns the settings of a node, whose sender address contains the number of the node */
export async function openMailPeer({ hear }: Ledger) {
  const sockets = new Map<number, Socket>()
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        const { mailFrom } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const key = /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? ''
        hear('EMAIL', key, Number(/^node(\d+)@/.exec(from)?.[1]), {
          broken: () => callback(refusal(451)),
          busy: () => callback(refusal(421)),
          reset: () => void sockets.get(session.remotePort)?.resetAndDestroy(),
          yes: ref => callback(null, ref)
        })
      })
    }
  })
  smtp.on('error', () => {})
  smtp.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort!
    sockets.set(port, socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(port))
  })
  smtp.server.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.values()) socket.destroy()
      await new Promise(done => smtp.server.close(done))
    },
    envOf: (node: number) => ({
      NOTIF_EMAIL_FROM: `node${node}@example.com`,
      NOTIF_SMTP_URL: `smtp://127.0.0.1:${port}`
    })
  }
}
