// The Socket.IO dialect (protocol 5 over Engine.IO 4): WebSocket only, main namespace, JSON events from the server.
// A quarter of the bytes of socket.io-client. Packets: https://socket.io/docs/v4/socket-io-protocol/

import { parseJson } from '../protocol/index.ts'
import { toLiveEvent, type Dial } from './frames.ts'
import { keepSocket, type Session } from './socket.ts'

/** Engine.IO packets: the first character of each text. */
const [OPEN, CLOSE, PING, PONG, MESSAGE] = '01234'
/** Socket.IO packets: the second one. */
const [CONNECT, DISCONNECT, EVENT, , CONNECT_ERROR] = '01234'

function takeMessage(text: string, session: Session): void {
  if (text[1] === EVENT) {
    const [route, payload] = Array.from(
      (parseJson(text.slice(text.indexOf('['))) ?? []) as ArrayLike<unknown>
    )
    session.emit(toLiveEvent(route, payload))
  } else if (text[1] === CONNECT_ERROR) {
    const { data } = Object(parseJson(text.slice(2))) as { data?: unknown }
    // Only a refusal with a reason is final; without one the server may not be ready yet.
    if (data) session.emit(toLiveEvent('inbox/refused', data))
    session.drop()
  } else if (text[1] === DISCONNECT) {
    session.drop()
  }
}

/** Takes an http: or https: address, with or without a path, and returns the function that closes it. */
export function dialSocketIo({ address, environment, createHello, fallback, listener }: Dial): () => void {
  const url = new URL(address)
  url.protocol = url.protocol.replace('http', 'ws')
  url.pathname = url.pathname.replace(/\/*$/, '/socket.io/')
  url.search = 'EIO=4&transport=websocket'
  return keepSocket({
    dialect: session => text => {
      if (text[0] === OPEN) {
        createHello().then(
          auth => session.send(MESSAGE! + CONNECT! + JSON.stringify(auth)),
          () => session.drop()
        )
      } else if (text[0] === PING) session.send(PONG!)
      else if (text[0] === MESSAGE) takeMessage(text, session)
      else if (text[0] === CLOSE) session.drop()
    },
    environment,
    fallback,
    listener,
    url
  })
}
