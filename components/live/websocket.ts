// The plain dialect: one JSON text `{ route, payload }` a frame.

import { parseJson } from '../protocol/index.ts'
import { toLiveEvent, type Dial } from './frames.ts'
import { keepSocket } from './socket.ts'

/** Takes a ws: or wss: address, with or without a path, and returns the function that closes it. */
export function dialWebSocket({ address, environment, createHello, fallback, listener }: Dial): () => void {
  const url = new URL(address)
  url.searchParams.set('kit', '1')
  return keepSocket({
    dialect(session) {
      createHello().then(
        payload => session.send(JSON.stringify({ payload, route: 'inbox/hello' })),
        () => session.drop()
      )
      return text => {
        const { payload, route } = Object(parseJson(text)) as { route?: unknown; payload?: unknown }
        session.emit(toLiveEvent(route, payload))
      }
    },
    environment,
    fallback,
    listener,
    url
  })
}
