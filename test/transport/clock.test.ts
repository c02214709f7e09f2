// Each store follows the clock of its own server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { openStore } from '../../components/live/open-store.ts'

const HOUR_MS = 3_600_000

interface Server extends AsyncDisposable {
  readonly apiUrl: string
}

/** A server whose clock is ahead of the local one. */
async function startServer(offsetMs: number): Promise<Server> {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      date: new Date(Date.now() + offsetMs).toUTCString()
    })
    response.end(
      JSON.stringify({ counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }, items: [], version: 7 })
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

test('two stores of a page on servers with different clocks keep their own time', async () => {
  await using ahead = await startServer(3 * HOUR_MS)
  await using behind = await startServer(-5 * HOUR_MS)
  const [first, second] = [ahead, behind].map(({ apiUrl }) =>
    openStore({ apiUrl, clientId: 'client', userId: 'user' }, '')
  )
  await first!.reload()
  await second!.reload()
  const hoursAhead = (store: typeof first): number => Math.round((store!.now() - Date.now()) / HOUR_MS)
  assert.deepEqual([hoursAhead(first), hoursAhead(second)], [3, -5])
  first!.destroy()
  second!.destroy()
})
