// GET /metrics, and who may read it.

import { isIPv4 } from 'node:net'

import { sha256 } from '../core/hash.ts'
import { isAdmin } from '../http/auth.ts'
import { Problem } from '../http/problem.ts'
import { route, type CallOf, type Route } from '../http/route.ts'
import type { Metrics } from './metrics.ts'

const isLoopback = (address: string): boolean =>
  address === '::1' || address === '[::1]' || (isIPv4(address) && address.startsWith('127.'))

const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip'
]

/** Whether the request comes from the same machine, and not through a proxy there, as far as headers show. */
function isFromSameMachine({ address, headers }: Pick<CallOf['anyone'], 'address' | 'headers'>): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return (
    isLoopback(address) &&
    (isLoopback(host) || host === 'localhost') &&
    PROXY_HEADERS.every(name => headers[name] === undefined)
  )
}

export interface MetricsTokens {
  /** sha256 of the admin token, which may always read. */
  readonly admin: Buffer | undefined
  /** NOTIF_METRICS_TOKEN; undefined: requests from the same machine need no token. */
  readonly own: string | undefined
}

export const metricsRoutes = (metrics: Metrics, { admin, own }: MetricsTokens): Route[] => {
  const ownHash = own === undefined ? undefined : sha256(own)
  const hasToken = (header: string | undefined): boolean => isAdmin(header, ownHash) || isAdmin(header, admin)
  return [
    route('GET', '/metrics', 'anyone', async call => {
      const mayRead = (own === undefined && isFromSameMachine(call)) || hasToken(call.headers.authorization)
      if (!mayRead) {
        throw new Problem('unauthorized', 'Send the metrics token or the admin token as a bearer token.', {
          headers: { 'www-authenticate': 'Bearer realm="notif-kit"' }
        })
      }
      return { body: await metrics.read(), headers: { 'content-type': metrics.contentType }, status: 200 }
    })
  ]
}
