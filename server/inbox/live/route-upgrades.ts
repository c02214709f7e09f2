// Routes upgrades by their path.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import { ignoreError } from '../../core/ignore-error.ts'
import { refuseUpgrade } from '../../http/refuse-upgrade.ts'
import type { PlainEndpoint } from './plain-endpoint.ts'
import type { SocketHub } from './socket-hub.ts'
import { SOCKET_IO_PATH } from './socket-io.ts'

const PLAIN_PATHS = new Set(['/', '/ws', '/ws/'])

/** Routes plain frames at `/` and `/ws`, and refuses other paths. Socket.IO has a listener of its own. */
export function routeUpgrades(httpServer: Server, plain: PlainEndpoint, hub: SocketHub): void {
  httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client may disconnect at any time, also while its credentials are checked.
    socket.on('error', ignoreError)
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    if (`${path}/`.startsWith(SOCKET_IO_PATH)) return
    if (!PLAIN_PATHS.has(path)) refuseUpgrade(socket, '404 Not Found')
    else if (hub.isClosing) refuseUpgrade(socket, '503 Service Unavailable')
    else if (!hub.addresses.admit(request)) refuseUpgrade(socket, '429 Too Many Requests')
    else plain.upgrade(request, socket, head, new URLSearchParams(query))
  })
}
