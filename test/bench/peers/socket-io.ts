// A bare Socket.IO server: rooms by user, and an `echo` that goes to everyone in the sender's room; where a database is
// named, after it is one committed row of it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import postgres from 'postgres'
import { Server } from 'socket.io'

const [database] = process.argv.slice(2)
const sql = database === undefined ? undefined : postgres(database, { max: 8, onnotice: () => {} })
if (sql) {
  await sql`create table if not exists echoes (text text not null)`
  // Warm, as a server that runs is: each connection open and its statement prepared.
  for (let i = 0; i < 50; i += 1) {
    await Promise.all(Array.from({ length: 64 }, () => sql`insert into echoes (text) values ('')`))
  }
}

const http = createServer()
const io = new Server(http, { perMessageDeflate: false, serveClient: false, transports: ['websocket'] })

io.on('connection', async socket => {
  const room = String(socket.handshake.auth['userId'])
  await socket.join(room)
  socket.on('echo', async (payload: unknown) => {
    if (sql) await sql`insert into echoes (text) values (${JSON.stringify(payload)})`
    io.to(room).emit('echo', payload)
  })
  socket.emit('ready')
})

http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port))
