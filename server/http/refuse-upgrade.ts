// Refuses an upgrade request. Node gives no response object for upgrades, so the answer is written to the socket.

import type { Duplex } from 'node:stream'

export function refuseUpgrade(socket: Duplex, status: string, retryAfterSeconds?: number): void {
  const retryAfter = retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}\r\n`
  socket.end(`HTTP/1.1 ${status}\r\n${retryAfter}connection: close\r\ncontent-length: 0\r\n\r\n`)
}
