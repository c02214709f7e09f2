// A bare Socket.IO server: rooms by user, and an `echo` that goes to everyone in the sender's room.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Server } from 'socket.io'

const http = createServer()
const io = new Server(http, { perMessageDeflate: false, serveClient: false, transports: ['websocket'] })

io.on('connection', async socket => {
  const room = String(socket.handshake.auth['userId'])
  await socket.join(room)
  socket.on('echo', (payload: unknown) => io.to(room).emit('echo', payload))
  socket.emit('ready')
})

http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port))
