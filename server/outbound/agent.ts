// HTTP agents that connect only to permitted addresses: the address that was checked is the address that is connected to.
//
// The connection itself resolves the name once, so the DNS answer cannot change between check and use. Every address of the answer
// must be permitted, and the peer address is checked again when the connection is established.

import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { AddressClass } from './address-policy.ts'

/** The address is not permitted; no byte was sent. */
export class ForbiddenAddress extends Error {}

export interface GuardOptions {
  readonly classify: (address: string) => AddressClass
  /** Permitted ports of public hosts. Addresses that the operator allowed are permitted at every port. */
  readonly ports: readonly number[]
  /** Default: the resolver of the system. */
  readonly lookup?: LookupFunction | undefined
}

/** The connection options that http and https agents have in common. */
interface ConnectOptions {
  readonly host?: string | null
  readonly port?: number | string | null
}
type OnConnection = (error: Error | null, socket: Socket) => void

function findObjection(
  address: string,
  port: number,
  { classify, ports }: GuardOptions
): ForbiddenAddress | undefined {
  const addressClass = classify(address)
  if (addressClass === 'private') return new ForbiddenAddress('The address is private.')
  if (addressClass === 'public' && !ports.includes(port))
    return new ForbiddenAddress(`Port ${port} is not allowed.`)
  return undefined
}

const guardedLookup =
  (port: number, options: GuardOptions): LookupFunction =>
  (name, lookupOptions, done) => {
    const lookup = options.lookup ?? (dns.lookup as LookupFunction)
    lookup(name, { ...lookupOptions, all: true }, (error, found) => {
      if (error) return done(error, '')
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const wrong = addresses.map(({ address }) => findObjection(address, port, options)).find(Boolean)
      if (wrong) return done(wrong, '')
      const [first] = addresses
      if (!first) return done(new Error('The name has no address.'), '')
      return lookupOptions.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }

function guarded<A extends http.Agent>(agent: A, options: GuardOptions): A {
  const connect = agent.createConnection.bind(agent) as unknown as (
    to: ConnectOptions,
    onConnection: OnConnection
  ) => Socket
  const createConnection = (
    to: ConnectOptions,
    onConnection: (error: Error | null, socket?: Socket) => void
  ) => {
    const port = Number(to.port)
    const host = to.host ?? ''
    // An IP address is not resolved, so it is checked here.
    const wrong = isIP(host) === 0 ? undefined : findObjection(host, port, options)
    if (wrong) return onConnection(wrong)
    const socket = connect({ ...to, lookup: guardedLookup(port, options) } as ConnectOptions, onConnection)
    socket.once('connect', () => {
      const wrongPeer = findObjection(socket.remoteAddress ?? '', port, options)
      if (wrongPeer) socket.destroy(wrongPeer)
    })
    return socket
  }
  return Object.assign(agent, { createConnection })
}

/** Shorter than the time-outs of most servers, so that a server rarely closes a connection that is just reused. */
const IDLE_TIMEOUT_MS = 4000
const MAX_IDLE_PER_ORIGIN = 8
const MAX_IDLE = 100

/** Limits the idle connections of all origins, because anyone can register push endpoints of many origins. */
function limitIdle<A extends http.Agent>(agent: A): A {
  // The Node types omit that the method returns whether to keep the socket.
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown
  const keepSocketAlive = (socket: Duplex): boolean => {
    const kept = Object.values(agent.freeSockets).reduce((sum, free) => sum + (free?.length ?? 0), 0)
    return kept < MAX_IDLE && keep(socket) === true
  }
  return Object.assign(agent, { keepSocketAlive })
}

/** Agents with a new, checked connection for each request. */
export const guardedAgents = (options: GuardOptions) => ({
  'http:': guarded(new http.Agent({ keepAlive: false }), options),
  'https:': guarded(new https.Agent({ keepAlive: false }), options)
})

/** Agents that reuse a connection for requests to its origin. It stays at the address that was checked when it was opened. */
export function keepingAgents(options: GuardOptions) {
  const agentOptions = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_ORIGIN, timeout: IDLE_TIMEOUT_MS }
  return {
    'http:': limitIdle(guarded(new http.Agent(agentOptions), options)),
    'https:': limitIdle(guarded(new https.Agent(agentOptions), options))
  }
}
