// Long polls against a real HTTP server: the order of requests, their pauses, and when polling ends.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { createServerClock } from '../../components/store/environment.ts'
import type { LiveEvent } from '../../components/store/transport.ts'
import { httpCommands } from '../../components/transport/http.ts'
import { poll } from '../../components/transport/long-poll.ts'

const COUNTS = { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 }
const changeTo = (version: number, prev = version - 1) => ({
  counts: COUNTS,
  items: [],
  prev,
  removed: [],
  version
})

type Answer = object | number | ((response: ServerResponse) => void)

/** Answers the requests of one client in turn; the last one waits until the client leaves. */
async function follow(answers: readonly Answer[], version: number | undefined) {
  const paths: string[] = []
  const pauses: number[] = []
  const events: LiveEvent[] = []
  const end = new AbortController()
  let left = (): void => {}
  const hasLeft = new Promise<void>(resolve => (left = resolve))
  const server = createServer((request, response) => {
    paths.push(request.url!.replace('/client/users/u1/inbox', ''))
    const answer = answers[paths.length - 1]
    if (answer === undefined) {
      response.once('close', left)
      end.abort()
    } else if (typeof answer === 'function') answer(response)
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else {
      const date = new Date(Date.now() + 3_600_000).toUTCString()
      response.writeHead(200, { 'content-type': 'application/json', date }).end(JSON.stringify(answer))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const environment = {
    after(ms: number, callback: () => void) {
      pauses.push(ms)
      setImmediate(callback)
      return () => {}
    },
    clock: createServerClock()
  }
  const commands = httpCommands({
    address: {
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clientId: 'client',
      userId: 'u1'
    },
    environment,
    forgetHash() {},
    getHash: async () => 'aGFzaA=='
  })
  const listener = (event: LiveEvent): void => void events.push(event)
  const ended = poll({ commands, environment, listener, signal: end.signal, version: () => version })
  const error: unknown = await ended.then(
    () => undefined,
    (error: unknown) => error
  )
  if (end.signal.aborted) await hasLeft
  server.closeAllConnections()
  server.close()
  return { clock: environment.clock, error, events, paths, pauses }
}

test('asks without a wait first, then waits from the version of each answer', async () => {
  const { error, events, paths } = await follow(
    [changeTo(7, 5), changeTo(8), { preferences: true }, { reset: true, version: 20 }],
    5
  )
  assert.equal(error, undefined)
  assert.deepEqual(paths, [
    '/changes?since=5',
    '/changes?since=7&wait=25',
    '/changes?since=8&wait=25',
    '/changes?since=8&wait=25',
    '/changes?since=20&wait=25'
  ])
  assert.deepEqual(
    events.map(event => ('version' in event ? [event.type, event.version] : [event.type])),
    [['change'], ['head', 7], ['change'], ['head', 8], ['preferences'], ['reset', 20]]
  )
})

test('without a version it reads the counters first', async () => {
  const { events, paths } = await follow([{ counts: COUNTS, items: [], version: 4 }], undefined)
  assert.deepEqual(paths, ['?count=1', '/changes?since=4&wait=25'])
  assert.deepEqual(events, [{ counts: COUNTS, type: 'head', version: 4 }])
})

test('a burst is read at most once a second, and empty answers that come too early more rarely', async () => {
  const burst = await follow([changeTo(7, 5), changeTo(8), changeTo(9)], 5)
  const paced = burst.pauses.filter(ms => ms > 500 && ms <= 1000)
  assert.equal(paced.length, 3, String(burst.pauses))
  const early = await follow([changeTo(5, 5), changeTo(5, 5), changeTo(5, 5)], 5)
  const long = early.pauses.filter(ms => ms >= 10_000 && ms <= 20_000)
  assert.equal(long.length, 2, String(early.pauses))
})

test('a wait that fails is repeated without a wait, and the next one is shorter', async () => {
  const { error, events, paths } = await follow(
    [changeTo(5, 5), 504, changeTo(6), response => response.destroy(), changeTo(7), 504, changeTo(7, 7)],
    5
  )
  assert.equal(error, undefined)
  assert.deepEqual(paths, [
    '/changes?since=5',
    '/changes?since=5&wait=25',
    '/changes?since=5',
    '/changes?since=6&wait=12.5',
    '/changes?since=6',
    '/changes?since=7&wait=6.25',
    '/changes?since=7',
    '/changes?since=7&wait=5'
  ])
  assert.equal(events.filter(({ type }) => type === 'change').length, 2)
})

test('rejects if a request that does not wait fails, and reports refused credentials', async () => {
  const lost = await follow([changeTo(5, 5), 503, 503, 503, 503], 5)
  assert.equal((lost.error as { status?: number }).status, 503)
  const refused = await follow([changeTo(5, 5), 401, 401], 5)
  assert.equal(refused.error, undefined)
  assert.equal(refused.events.at(-1)?.type, 'refused')
})

test('an answer that waited does not set the clock', async () => {
  const { clock } = await follow([{ counts: COUNTS, items: [], version: 4 }], undefined)
  const offset = clock.offsetMs
  assert.ok(offset! > 3_000_000)
  const waited = await follow([changeTo(6, 5)], 5)
  assert.ok(waited.clock.offsetMs! > 3_000_000)
})
