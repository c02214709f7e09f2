// A bare ws server: a map of users, and every frame goes to all sockets of the sender's user.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { WebSocketServer, type WebSocket } from 'ws'

const http = createServer()
const server = new WebSocketServer({ perMessageDeflate: false, server: http })
const rooms = new Map<string, Set<WebSocket>>()

server.on('connection', (socket, { url }) => {
  const user = new URL(url!, 'ws://localhost').searchParams.get('userId')!
  const room = rooms.get(user) ?? new Set()
  rooms.set(user, room.add(socket))
  socket.on('message', data => {
    for (const member of room) member.send(data.toString())
  })
  socket.on('close', () => room.delete(socket))
  socket.send('"ready"')
})

http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port))
