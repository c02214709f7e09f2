// A load generator with as little of its own as possible: raw keep-alive sockets, one request in flight on each.
// Runs as its own process so that its work is not the server's; bounded by time, loopback only, stops by itself.
//
// node test/bench/load.ts '{"port":3000,"path":"/c/sender","authorization":"Basic …","connections":32,"seconds":3,"users":1000,"email":true}'

import { connect, type Socket } from 'node:net'

import { answerLength, isAccepted, requestOf, type Target } from './post.ts'

export interface LoadOptions extends Target {
  readonly connections: number
  readonly seconds: number
  /** Different users that the sends go to. */
  readonly users: number
  /** By e-mail too, or into the inbox alone. */
  readonly email: boolean
  /** Default: sends. A list is one request for {@link list} users. The others have the path of all users, to which the id and the
   * rest are added. */
  readonly what?: 'send' | 'list' | 'identify' | 'preferences'
  /** Users of a list. */
  readonly list?: number
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

const EMAIL = { html: '<p>{{ name }} commented on Harbour map</p>', subject: 'New comment' }

const contentOf = (email: boolean) => ({
  ...(email && { email: EMAIL }),
  inapp: {
    body: 'Could the ferry line move a little north?',
    title: '{{ name }} commented on Harbour map',
    url: '/maps/7'
  },
  type: 'bench_comment'
})

const parameters = { name: 'Jonas Lindqvist', post: 4711 }

const recipientOf = (user: number) => ({ email: `user${user}@bench.example`, id: `user${user}` })

const bodyOf = (user: number, email: boolean): string =>
  JSON.stringify({ ...contentOf(email), parameters, to: recipientOf(user) })

/** Each user has own parameters, as the single sends have. */
const listOf = ({ email, list = 1_000, users }: LoadOptions): string => {
  const to = Array.from({ length: list }, () => ({
    ...recipientOf(Math.floor(Math.random() * users)),
    parameters
  }))
  return JSON.stringify({ ...contentOf(email), to })
}

const PREFERENCE = JSON.stringify({
  preferences: [{ channel: 'EMAIL', delivery: 'off', notificationId: 'bench_comment' }]
})

function nextOf(options: LoadOptions): Buffer {
  const { email, path, what = 'send' } = options
  const user = Math.floor(Math.random() * options.users)
  if (what === 'send') return requestOf(options, bodyOf(user, email))
  if (what === 'list') return requestOf(options, listOf(options))
  const own = `${path}/user${user}`
  if (what === 'preferences') return requestOf({ ...options, path: `${own}/preferences` }, PREFERENCE)
  const identity = {
    email: `user${user}@bench.example`,
    properties: { plan: 'team' },
    timezone: 'Europe/Berlin'
  }
  return requestOf({ ...options, path: own }, JSON.stringify(identity))
}

function worker(options: LoadOptions, until: number, times: number[], failed: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(options.port, '127.0.0.1')
    socket.setNoDelay(true)
    let started = 0
    let pending: Buffer = Buffer.alloc(0)
    const next = (): void => {
      started = performance.now()
      socket.write(nextOf(options))
    }
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const length = answerLength(pending)
      if (length === 0) return
      if (!isAccepted(pending) || (options.what === 'list' && pending.includes('"error":'))) failed()
      pending = pending.subarray(length)
      times.push(performance.now() - started)
      if (performance.now() >= until) socket.end()
      else next()
    })
  })
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const times: number[] = []
  let failures = 0
  const began = performance.now()
  const until = began + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, () => worker(options, until, times, () => (failures += 1)))
  )
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { failures, p50: at(0.5), p99: at(0.99), perSecond: times.length / seconds, requests: times.length }
}

if (import.meta.main) {
  console.log(JSON.stringify(await load(JSON.parse(process.argv[2]!) as LoadOptions)))
}
