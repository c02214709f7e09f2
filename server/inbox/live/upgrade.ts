// Every upgrade of the port goes through here: Socket.IO has its path, plain frames have `/` and `/ws`, others a 404.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import { refuseUpgrade } from '../../http/refuse-upgrade.ts'
import type { PlainEndpoint } from './plain-endpoint.ts'
import type { Hub } from './socket-hub.ts'
import { SOCKET_IO_PATH } from './socket-io.ts'

const PLAIN_PATHS = new Set(['/', '/ws', '/ws/'])

/** Socket.IO listens for itself; this one answers everything else. */
export function routeUpgrades(httpServer: Server, plain: PlainEndpoint, hub: Hub): void {
  httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client may leave at any time, also while its credentials are read.
    socket.on('error', () => {})
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    if (`${path}/`.startsWith(SOCKET_IO_PATH)) return
    if (!PLAIN_PATHS.has(path)) refuseUpgrade(socket, '404 Not Found')
    else if (hub.closing) refuseUpgrade(socket, '503 Service Unavailable')
    else if (!hub.addresses.admit(request)) refuseUpgrade(socket, '429 Too Many Requests')
    else plain.upgrade(request, socket, head, new URLSearchParams(query))
  })
}
