// Two hosts for SSRF tests: a public one that redirects, and a private one that counts its requests.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Hosts extends AsyncDisposable {
  readonly port: number
  /** Connections that reached the inside. */
  readonly visits: () => number
}

const listen = async (server: Server, address: string, port: number): Promise<boolean> => {
  server.listen(port, address)
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  }
}

/** Answers with what its path says; see the tests. */
function publicServer(): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    const to = searchParams.get('to')
    if (to !== null) response.writeHead(302, { location: to }).end()
    else if (pathname === '/ok') response.end('PUBLIC')
    else if (pathname === '/headers') response.end(JSON.stringify(request.headers))
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (pathname === '/large') response.writeHead(200, { 'content-length': 1e9 }).write('x')
    else if (pathname === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    else if (pathname === '/endless') {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', more)
      }
      more()
    } else if (pathname === '/drip') {
      const timer = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(timer))
    } else if (pathname === '/half') {
      response.writeHead(200, { 'content-length': 10 }).write('x', () => request.socket.destroy())
    } else if (pathname === '/switch') {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
    } else if (pathname === '/chunk') {
      response.write('x', () => request.socket.end())
    } else if (pathname === '/reset') request.socket.resetAndDestroy()
    else if (pathname === '/post') void request.pipe(response)
    else if (pathname !== '/silent') response.writeHead(404).end('nothing')
  })
}

/** @param port - undefined: any that is free on all of them */
export async function hosts(outside: string, inside: readonly string[], port?: number): Promise<Hosts> {
  for (let tries = 0; ; tries++) {
    let visits = 0
    const opened: Server[] = []
    const sockets = new Set<Socket>()
    const count = (): void => void visits++
    const keep = (socket: Socket): void => {
      socket.on('error', () => {})
      sockets.add(socket)
    }
    const open = async (server: Server, address: string, at: number): Promise<boolean> => {
      server.on('connection', keep)
      opened.push(server)
      return listen(server, address, at)
    }
    const close = async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        opened.filter(server => server.listening).map(server => new Promise(done => server.close(done)))
      )
    }
    const first = publicServer()
    const free = await open(first, outside, port ?? 0)
    const mine = free ? (first.address() as AddressInfo).port : 0
    const rest = await Promise.all(
      inside.map(address =>
        open(createServer((_, response) => response.end('SECRET')).on('connection', count), address, mine)
      )
    )
    if (free && rest.every(Boolean)) return { [Symbol.asyncDispose]: close, port: mine, visits: () => visits }
    await close()
    if (port !== undefined || tries > 20) throw new Error('There is no port free on all addresses.')
  }
}
