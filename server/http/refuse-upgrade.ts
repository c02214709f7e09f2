// The answer to an upgrade that is not to be: there is no response to write on, only the line.

import type { Duplex } from 'node:stream'

/** @param again - seconds after which to come again */
export function refuseUpgrade(socket: Duplex, status: string, again?: number): void {
  const later = again === undefined ? '' : `retry-after: ${again}\r\n`
  socket.end(`HTTP/1.1 ${status}\r\n${later}connection: close\r\ncontent-length: 0\r\n\r\n`)
}
