// From the call of a back-end to the message in the last of two tabs, beside a bare server with the same work, and echoes.

import { WebSocket } from 'ws'

import { PROTOCOL_VERSION, type InboxChange } from '#protocol'

import { testDb } from '../support/db.ts'
import { warmUp } from './accept.ts'
import { peer } from './child.ts'
import { socketIoEcho, TABS, userOf, USERS, wsEcho } from './echo.ts'
import { median, repeatUnsteady, type Measurement, type Say } from './measure.ts'
import { openPoster } from './post.ts'
import { atRate, type Receipts } from './rate.ts'
import { BACK_END, CLIENT, serve, userHash } from './server.ts'

interface Frame {
  readonly route: string
  readonly payload: InboxChange
}

/** What is promised, as a multiple of the bare server, by sends a second. */
const RATES: Readonly<Record<number, { readonly floor: number; readonly goal: number }>> = {
  200: { floor: 1.8, goal: 1.5 },
  1000: { floor: 1.8, goal: 1.5 },
  2000: { floor: 2.5, goal: 1.8 }
}

/**
 * Sends at a rate to a server that speaks the protocol of the kit, each for a user with two tabs.
 *
 * @param tabsPort - of the node of the tabs. Default: that of the sends
 */
export async function receipts(
  port: number,
  perSecond: number,
  seconds: number,
  tabsPort = port
): Promise<Receipts> {
  return atRate(perSecond, seconds, TABS, async received => {
    const open = (userId: string): Promise<WebSocket> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${tabsPort}/ws?kit=1`, { perMessageDeflate: false })
        const payload = { clientId: CLIENT, protocol: PROTOCOL_VERSION, userHash: userHash(userId), userId }
        socket.on('open', () => socket.send(JSON.stringify({ payload, route: 'inbox/hello' })))
        socket.on('message', data => {
          const { payload, route } = JSON.parse(String(data)) as Frame
          if (route === 'inbox/head') resolve(socket)
          if (route !== 'inbox/change') return
          for (const { parameters } of payload.items) received(Number(parameters!['key']))
        })
        socket.on('error', reject)
      })
    const tabs = await Promise.all(
      Array.from({ length: USERS * TABS }, (_, i) => open(userOf(Math.floor(i / TABS))))
    )
    const poster = await openPoster({ authorization: BACK_END, path: `/${CLIENT}/sender`, port }, 64)
    return {
      close() {
        for (const tab of tabs) tab.close()
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

type Side = 'bare' | 'durable' | 'ours' | 'socketIo' | 'ws'

export async function receipt({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  await using server = await serve(database.url)
  await using bare = await peer('floor', database.url)
  // Into the inbox alone: nothing of it shall still be delivered while we measure.
  await warmUp(server, say, false)
  await warmUp(bare, say, false)
  // A database that has run for a while has files of its log to use again; new ones are written twice.
  await database.db.control`checkpoint`
  for (const { port } of [server, bare]) await receipts(port, 1000, Math.max(2, seconds))
  const measurements: Measurement[] = []
  for (const [rate, promise] of Object.entries(RATES)) {
    const perSecond = Number(rate)
    const { result: seen, spread } = await repeatUnsteady(
      async () => {
        const sides: Record<Side, Receipts[]> = { bare: [], durable: [], ours: [], socketIo: [], ws: [] }
        for (let round = 0; round < rounds; round += 1) {
          sides.bare.push(await receipts(bare.port, perSecond, seconds))
          sides.ours.push(await receipts(server.port, perSecond, seconds))
          sides.socketIo.push(await socketIoEcho(perSecond, seconds))
          sides.durable.push(await socketIoEcho(perSecond, seconds, database.url))
          sides.ws.push(await wsEcho(perSecond, seconds))
        }
        return sides
      },
      sides => sides.bare.map(({ p99 }) => p99),
      say
    )
    for (const [name, all] of Object.entries(seen)) {
      const lost = all.reduce((sum, { received, sent }) => sum + sent - received, 0)
      if (lost > 0) throw new Error(`${lost} messages of ${name} did not arrive at ${rate}/s.`)
    }
    const p50 = (side: Side): number => median(seen[side].map(one => one.p50))
    const p99 = (side: Side): number => median(seen[side].map(one => one.p99))
    measurements.push({
      better: 'below',
      ceiling: { name: 'bare server', value: p99('bare') },
      facts: {
        bareP50Ms: p50('bare'),
        p50Ms: p50('ours'),
        socketIoP50Ms: p50('socketIo'),
        socketIoP99Ms: p99('socketIo'),
        // The same echo with one committed row before it.
        socketIoDurableP99Ms: p99('durable'),
        wsP50Ms: p50('ws'),
        wsP99Ms: p99('ws')
      },
      name: `send to receipt, p99 at ${rate}/s`,
      ours: p99('ours'),
      ratio: median(seen.ours.map((ours, round) => ours.p99 / seen.bare[round]!.p99)),
      unit: 'ms',
      ...promise,
      ...(spread !== undefined && { spread })
    })
    say(
      `${rate}/s: p99 ${p99('ours').toFixed(1)} ms, bare server ${p99('bare').toFixed(1)} ms, ` +
        `Socket.IO echo ${p99('socketIo').toFixed(1)} ms`
    )
  }
  return measurements
}
