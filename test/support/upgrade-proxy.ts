// A proxy that passes requests on, and does with WebSockets what proxies of companies do.

import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** refuse: 403. strip: passed on as a request without `Upgrade`. swallow: never answered. allow: passed on. */
export type UpgradeMode = 'refuse' | 'strip' | 'swallow' | 'allow'

export interface UpgradeProxy extends AsyncDisposable {
  readonly base: string
  mode: UpgradeMode
  /** Upgrades that arrived. */
  readonly upgradeCount: number
  /** Paths of requests that are not answered yet. */
  readonly open: ReadonlySet<{ readonly path: string }>
  /** Paths of all requests, in order. */
  readonly paths: readonly string[]
  /** The most polls that waited at the same time. */
  readonly mostPolls: number
}

const isPoll = ({ path }: { readonly path: string }): boolean => path.includes('&wait=')

export async function startUpgradeProxy(target: string, initial: UpgradeMode): Promise<UpgradeProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<{ readonly path: string }>()
  const sockets = new Set<Socket>()
  const paths: string[] = []
  let upgradeCount = 0
  let mostPolls = 0

  const server = createServer((request, response) => {
    const own = { path: request.url! }
    open.add(own)
    paths.push(own.path)
    mostPolls = Math.max(mostPolls, [...open].filter(isPoll).length)
    response.once('close', () => open.delete(own))
    const upstream = send(
      { headers: request.headers, host: hostname, method: request.method, path: request.url, port },
      answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      }
    )
    upstream.on('error', () => response.destroy())
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgradeCount += 1
    socket.on('error', () => {})
    if (proxy.mode === 'swallow') return
    if (proxy.mode === 'refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      return
    }
    const lines: string[] = []
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const [name = '', value = ''] = request.rawHeaders.slice(i, i + 2)
      const isOfUpgrade = /^(?:upgrade|connection)$/i.test(name)
      if (proxy.mode === 'allow' || !isOfUpgrade) lines.push(`${name}: ${value}`)
    }
    if (proxy.mode === 'strip') lines.push('connection: close')
    const upstream = connect(Number(port), hostname, () => {
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      if (head.length > 0) upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.once('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: UpgradeProxy = {
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: initial,
    get mostPolls() {
      return mostPolls
    },
    open,
    paths,
    get upgradeCount() {
      return upgradeCount
    }
  }
  return proxy
}
