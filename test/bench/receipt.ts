// From the call of a back-end to the message in the last of two tabs, beside servers that only pass it on.

import { io } from 'socket.io-client'

import { PROTOCOL_VERSION, type InboxChange } from '#protocol'

import { testDb } from '../support/db.ts'
import { warmUp } from './accept.ts'
import { socketIoEcho, TABS, userOf, USERS, wsEcho } from './echo.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { openPoster } from './post.ts'
import { atRate, type Receipts } from './rate.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'

const RATES = [200, 1000]

/** The message is on disk before it is told to anybody, which an echo need not do. */
async function ours(server: Server, perSecond: number, seconds: number): Promise<Receipts> {
  return atRate(perSecond, seconds, TABS, async received => {
    const open = (userId: string): Promise<ReturnType<typeof io>> =>
      new Promise((resolve, reject) => {
        const socket = io(server.base, {
          auth: { clientId: CLIENT, protocol: PROTOCOL_VERSION, userHash: userHash(userId), userId },
          forceNew: true,
          transports: ['websocket']
        })
        socket.on('inbox/change', ({ items }: InboxChange) => {
          for (const { parameters } of items) received(Number(parameters!['key']))
        })
        socket.once('inbox/head', () => resolve(socket))
        socket.once('connect_error', reject)
      })
    const tabs = await Promise.all(
      Array.from({ length: USERS * TABS }, (_, i) => open(userOf(Math.floor(i / TABS))))
    )
    const target = { authorization: BACK_END, path: `/${CLIENT}/sender`, port: server.port }
    const poster = await openPoster(target, 64)
    return {
      close() {
        for (const tab of tabs) tab.disconnect()
        poster.close()
      },
      send: key =>
        poster.post(
          JSON.stringify({
            inapp: { title: 'Jonas Lindqvist commented on Harbour map' },
            parameters: { key },
            to: { id: userOf(key) },
            type: 'bench_receipt'
          })
        )
    }
  })
}

export async function receipt({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  await using server = await serve(database.url)
  // Into the inbox alone: nothing of it shall still be delivered while we measure.
  await warmUp(server, say, false)
  // A database that has run for a while has files of its log to use again; new ones are written twice.
  await database.db.control`checkpoint`
  await ours(server, 1000, Math.max(2, seconds))
  const measurements: Measurement[] = []
  for (const rate of RATES) {
    const seen: Record<'durable' | 'mine' | 'socketIo' | 'ws', Receipts[]> = {
      durable: [],
      mine: [],
      socketIo: [],
      ws: []
    }
    for (let round = 0; round < rounds; round += 1) {
      seen.socketIo.push(await socketIoEcho(rate, seconds))
      seen.mine.push(await ours(server, rate, seconds))
      seen.durable.push(await socketIoEcho(rate, seconds, database.url))
      seen.ws.push(await wsEcho(rate, seconds))
    }
    for (const [name, all] of Object.entries(seen)) {
      const lost = all.reduce((sum, { received, sent }) => sum + sent - received, 0)
      if (lost > 0) throw new Error(`${lost} messages of ${name} did not arrive at ${rate}/s.`)
    }
    const p50 = (all: readonly Receipts[]): number => median(all.map(one => one.p50))
    const p99 = (all: readonly Receipts[]): number => median(all.map(one => one.p99))
    measurements.push({
      better: 'below',
      ceiling: { name: 'Socket.IO echo', value: p99(seen.socketIo) },
      facts: {
        // What the disk alone costs: the same echo with one committed row before it.
        durableP50Ms: p50(seen.durable),
        durableP99Ms: p99(seen.durable),
        p50Ms: p50(seen.mine),
        socketIoP50Ms: p50(seen.socketIo),
        wsP50Ms: p50(seen.ws),
        wsP99Ms: p99(seen.ws)
      },
      floor: 3,
      goal: 2,
      name: `send to receipt, p99 at ${rate}/s`,
      ours: p99(seen.mine),
      ratio: median(seen.mine.map((mine, round) => mine.p99 / seen.socketIo[round]!.p99)),
      unit: 'ms'
    })
    say(
      `${rate}/s: p99 ${p99(seen.mine).toFixed(1)} ms, Socket.IO echo ${p99(seen.socketIo).toFixed(1)} ms, ` +
        `with a committed row ${p99(seen.durable).toFixed(1)} ms`
    )
  }
  return measurements
}
