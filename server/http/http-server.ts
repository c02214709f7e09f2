// The HTTP server, with time and size limits against slow and endless requests.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'

import { queueRequests } from './request-queue.ts'

/** Milliseconds and bytes. Idle connections stay open longer than the usual 60 s of load balancers, so that the balancer closes first. */
const LIMITS = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  requestTimeout: 30_000
}

/** Some clients offer HTTP/2 in their first request (`Upgrade: h2c`), which is served as a normal request. */
const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

export function createHttpServer(listener: RequestListener): Server {
  const server = createServer({ ...LIMITS, shouldUpgradeCallback })
  queueRequests(server, listener)
  return server
}
