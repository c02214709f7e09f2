// The one place where a guarded connection is made: the address that was checked is the address that is dialled.
//
// A name is looked up once, by the connection itself, so there is no moment in which the answer could change; every
// address of the answer must be allowed, and the peer is looked at again once the connection stands.

import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Place } from './address-policy.ts'

/** Refused by us, before the first byte left. */
export class Forbidden extends Error {}

export interface GuardOptions {
  readonly placeOf: (address: string) => Place
  /** Ports of public hosts; what the operator opened is open at every port. */
  readonly ports: readonly number[]
  /** Default: that of the system. */
  readonly lookup?: LookupFunction | undefined
}

/** Both kinds of agent have this; their own types do not agree on it. */
interface Dial {
  readonly host?: string | null
  readonly port?: number | string | null
}
type Made = (error: Error | null, socket: Socket) => void

/** Why this address may not be dialled; undefined: it may. */
function objection(address: string, port: number, { placeOf, ports }: GuardOptions): Forbidden | undefined {
  const place = placeOf(address)
  if (place === 'inside') return new Forbidden('The address leads inside.')
  if (place === 'public' && !ports.includes(port)) return new Forbidden(`Port ${port} is not allowed.`)
  return undefined
}

const guardedLookup =
  (port: number, options: GuardOptions): LookupFunction =>
  (name, wanted, done) => {
    const lookup = options.lookup ?? (dns.lookup as LookupFunction)
    lookup(name, { ...wanted, all: true }, (error, found) => {
      if (error) return done(error, '')
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const wrong = addresses.map(({ address }) => objection(address, port, options)).find(Boolean)
      if (wrong) return done(wrong, '')
      const [first] = addresses
      if (!first) return done(new Error('The name has no address.'), '')
      return wanted.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }

function guarded<A extends http.Agent>(agent: A, options: GuardOptions): A {
  const dial = agent.createConnection.bind(agent) as unknown as (to: Dial, made: Made) => Socket
  const createConnection = (to: Dial, made: (error: Error | null, socket?: Socket) => void) => {
    const port = Number(to.port)
    const host = to.host ?? ''
    // For an address nothing is looked up.
    const wrong = isIP(host) === 0 ? undefined : objection(host, port, options)
    if (wrong) return made(wrong)
    const socket = dial({ ...to, lookup: guardedLookup(port, options) } as Dial, made)
    socket.once('connect', () => {
      const late = objection(socket.remoteAddress ?? '', port, options)
      if (late) socket.destroy(late)
    })
    return socket
  }
  return Object.assign(agent, { createConnection })
}

/** Milliseconds that a connection is kept without use: less than servers do, so that hardly one ends while it is used. */
const KEPT = 4000
/** Connections that are kept without use: to one origin, and in all. */
const TO_ONE = 8
const IN_ALL = 100

/** Kept while there is room, so that nobody who names many origins can fill us with connections. */
function bounded<A extends http.Agent>(agent: A): A {
  // Their types do not know that it says whether.
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown
  const keepSocketAlive = (socket: Duplex): boolean => {
    const kept = Object.values(agent.freeSockets).reduce((sum, free) => sum + (free?.length ?? 0), 0)
    return kept < IN_ALL && keep(socket) === true
  }
  return Object.assign(agent, { keepSocketAlive })
}

/** Each request has a connection of its own, which is checked anew. */
export const guardedAgents = (options: GuardOptions) => ({
  'http:': guarded(new http.Agent({ keepAlive: false }), options),
  'https:': guarded(new https.Agent({ keepAlive: false }), options)
})

/** A connection serves several requests to its origin: it goes on to the address that was checked when it was made. */
export function keepingAgents(options: GuardOptions) {
  const wanted = { keepAlive: true, maxFreeSockets: TO_ONE, timeout: KEPT }
  return {
    'http:': bounded(guarded(new http.Agent(wanted), options)),
    'https:': bounded(guarded(new https.Agent(wanted), options))
  }
}
