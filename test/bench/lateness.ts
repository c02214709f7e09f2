// How late a thousand schedules of the same second go out: into open pages, and to the mail server.
//
// The server is a process of its own and finds them by itself: nobody calls it when they are due.

import { io } from 'socket.io-client'

import { PROTOCOL_VERSION, type InboxChange } from '#protocol'

import { smtpPeer } from '../channels/email/smtp-peer.ts'
import { testDb } from '../support/db.ts'
import { percentile, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'

const COUNT = 1000
const PEOPLE = 100
const CALLERS = 32
/** Milliseconds: to write them all before the first is due. */
const AHEAD = 10_000
/** Milliseconds after the last was due. */
const PATIENCE = 20_000
/** Promised, in milliseconds. */
const LATE = 1000

type Told = (key: number) => void

/** What arrived, by key, and when. */
function arrivals() {
  const at = new Map<number, number>()
  const all = Promise.withResolvers<void>()
  const told: Told = key => {
    if (at.has(key)) all.reject(new Error(`Schedule ${key} arrived twice.`))
    at.set(key, Date.now())
    if (at.size === COUNT) all.resolve()
  }
  return { all: all.promise, at, told }
}

const openPages = (server: Server, told: Told) =>
  Promise.all(
    Array.from({ length: PEOPLE }, (_, person) => {
      const userId = `user${person}`
      const socket = io(server.base, {
        auth: { clientId: CLIENT, protocol: PROTOCOL_VERSION, userHash: userHash(userId), userId },
        forceNew: true,
        transports: ['websocket']
      })
      socket.on('inbox/change', ({ items }: InboxChange) => {
        for (const { parameters } of items) told(Number(parameters!['key']))
      })
      return new Promise<typeof socket>((resolve, reject) => {
        socket.once('inbox/head', () => resolve(socket))
        socket.once('connect_error', reject)
      })
    })
  )

/** Each is due in another millisecond of the second that begins at `second`. */
const dueOf = (key: number, second: number): number => second + Math.floor((key * 1000) / COUNT)

async function schedule(server: Server, second: number): Promise<void> {
  let next = 0
  const some = async (): Promise<void> => {
    for (let key = next++; key < COUNT; key = next++) {
      const answer = await fetch(`${server.base}/${CLIENT}/sender`, {
        body: JSON.stringify({
          email: { html: '<p>Your ferry leaves in an hour.</p>', subject: 'Your ferry' },
          inapp: { title: 'Your ferry leaves in an hour' },
          parameters: { key },
          schedule: new Date(dueOf(key, second)).toISOString(),
          to: { email: `key${key}@bench.example`, id: `user${key % PEOPLE}` },
          type: 'bench_schedule'
        }),
        headers: { authorization: BACK_END, 'content-type': 'application/json' },
        method: 'POST'
      })
      if (!answer.ok) throw new Error(`A schedule was refused: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, some))
  if (Date.now() >= second) throw new Error('They were not written in time to be late.')
}

export async function lateness({ say }: Say): Promise<Measurement[]> {
  const [pages, mails] = [arrivals(), arrivals()]
  await using taker = await smtpPeer({
    discard: true,
    taken: ([to = '']) => mails.told(Number(/\d+/.exec(to)![0]))
  })
  await using database = await testDb()
  await using server = await serve(database.url, { NOTIF_SMTP_URL: taker.url })
  const sockets = await openPages(server, pages.told)
  const second = Math.ceil((Date.now() + AHEAD) / 1000) * 1000
  await schedule(server, second)
  say(`${COUNT} schedules wait for their second`)
  const patience = AbortSignal.timeout(second + 1000 + PATIENCE - Date.now())
  const tooLong = new Promise<never>((_, reject) => {
    patience.addEventListener('abort', () => reject(new Error('They did not all arrive.')))
  })
  await Promise.race([Promise.all([pages.all, mails.all]), tooLong])
  for (const socket of sockets) socket.disconnect()
  return [measured('in an open page', pages.at, second), measured('at the mail server', mails.at, second)]
}

function measured(where: string, at: ReadonlyMap<number, number>, second: number): Measurement {
  const late = [...at].map(([key, time]) => time - dueOf(key, second))
  const first = Math.min(...late)
  // Two processes look at the same clock, which counts whole milliseconds.
  if (first < -1) throw new Error(`One came ${-first} ms too early.`)
  return {
    better: 'below',
    facts: { p50Ms: percentile(late, 0.5), schedules: COUNT, worstMs: Math.max(...late) },
    floor: LATE,
    goal: LATE,
    name: `${COUNT} schedules of one second, ${where}, p99`,
    ours: percentile(late, 0.99),
    promised: 'value',
    unit: 'ms late'
  }
}
