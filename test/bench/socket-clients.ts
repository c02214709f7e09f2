// Many plain sockets in a process of its own, each of another user. Its parent (sockets.ts) is told how many are ready.
//
// Started with fork; its argument is JSON of {@link ClientsOptions}.

import { RawSocket } from './raw-socket.ts'
import { CLIENT, userHash } from './server.ts'

export interface ClientsOptions {
  readonly port: number
  readonly localAddress: string
  /** Number of the first user. */
  readonly first: number
  readonly count: number
  /** Handshakes in progress at once during the first connect. */
  readonly atOnce: number
}

/** Once a second. */
export interface ClientsReport {
  readonly ready: number
  /** Connections that were lost after they were ready, and attempts that failed. */
  readonly lost: number
  readonly failed: number
  /** Sockets that got an inbox change, and when the last one did (`Date.now()`). */
  readonly changed: number
  readonly changedAt: number
  /** Reconnects of the last second. */
  readonly reconnects: number
}

const options = JSON.parse(process.argv[2]!) as ClientsOptions
let ready = 0
let opened = 0
let lost = 0
let failed = 0
let changed = 0
let changedAt = 0
let reconnects = 0

const sockets = Array.from({ length: options.count }, (_, i) => {
  const userId = `user${options.first + i}`
  const hello = { clientId: CLIENT, protocol: 1, userHash: userHash(userId), userId }
  let hasOpened = false
  return new RawSocket({
    hello: JSON.stringify({ payload: hello, route: 'inbox/hello' }),
    localAddress: options.localAddress,
    onLost(wasReady) {
      if (wasReady) {
        ready -= 1
        lost += 1
      } else failed += 1
    },
    onReady() {
      ready += 1
      if (hasOpened) reconnects += 1
      else {
        hasOpened = true
        openNext()
      }
    },
    onText(text) {
      if (!text.includes('"inbox/change"')) return
      changed += 1
      changedAt = Date.now()
    },
    port: options.port
  })
})

function openNext(): void {
  sockets[opened++]?.open()
}

for (let i = 0; i < options.atOnce; i += 1) openNext()
setInterval(() => {
  const report: ClientsReport = { changed, changedAt, failed, lost, ready, reconnects }
  process.send!(report)
  reconnects = 0
}, 1_000)
process.on('disconnect', () => process.exit())
