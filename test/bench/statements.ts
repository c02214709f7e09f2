// Counts what goes to Postgres, between a client and its server: the protocol says where a statement begins.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Counter extends AsyncDisposable {
  /** The same database through this counter. */
  readonly url: string
  /** BEGIN and COMMIT are two of them. */
  readonly counts: { statements: number }
}

const EXECUTE = 0x45
const QUERY = 0x51

/** A frontend message is a letter, its length as 32 bits, and the rest; the first one of a connection has no letter. */
function reader(found: (letter: number) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  let started = false
  return chunk => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      const head = started ? 1 : 0
      if (pending.length < head + 4) return
      const size = head + pending.readInt32BE(head)
      if (pending.length < size) return
      if (started) found(pending[0]!)
      started = true
      pending = pending.subarray(size)
    }
  }
}

/** @param url - with a host and a port, without TLS */
export async function countStatements(url: string): Promise<Counter> {
  const target = new URL(url)
  const counts = { statements: 0 }
  const open = new Set<Socket>()
  const proxy = createServer(client => {
    const server = connect(Number(target.port || 5432), target.hostname)
    const read = reader(letter => {
      if (letter === QUERY || letter === EXECUTE) counts.statements += 1
    })
    for (const socket of [client, server]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', chunk => {
      read(chunk)
      server.write(chunk)
    })
    server.on('data', chunk => client.write(chunk))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((proxy.address() as AddressInfo).port)
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(proxy, 'close')
      proxy.close()
      for (const socket of open) socket.destroy()
      await closed
    },
    counts,
    url: through.href
  }
}
