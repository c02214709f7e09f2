// The HTTP server with its limits against slow and endless requests; WebSocket upgrades are for others to answer.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'

/** Milliseconds and bytes. A balancer's idle time-out is usually 60 s: ours is longer, so that we never close first. */
const LIMITS = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  requestTimeout: 30_000
}

/** Some HTTP clients offer HTTP/2 in their first request (`Upgrade: h2c`): that is a request like any other. */
const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

export const openServer = (listener: RequestListener): Server =>
  createServer({ ...LIMITS, shouldUpgradeCallback }, listener)
