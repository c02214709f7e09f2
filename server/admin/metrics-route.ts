// GET /metrics: who may read the figures.

import { isIPv4 } from 'node:net'

import { isAdmin, sha256 } from '../http/auth.ts'
import { Problem } from '../http/problem.ts'
import { route, type CallOf, type Route } from '../http/route.ts'
import type { Metrics } from './metrics.ts'

const isLoopback = (address: string): boolean =>
  address === '::1' || address === '[::1]' || (isIPv4(address) && address.startsWith('127.'))

/** What a proxy says of those it speaks for. */
const BY_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Somebody on the same machine who asks this very server: not through a proxy there, as far as it can be told. */
function isNear({ address, headers }: Pick<CallOf['anyone'], 'address' | 'headers'>): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return (
    isLoopback(address) &&
    (isLoopback(host) || host === 'localhost') &&
    BY_PROXY.every(name => headers[name] === undefined)
  )
}

export interface MetricsTokens {
  /** sha256 of the admin token, which always opens. */
  readonly admin: Buffer | undefined
  /** With one nobody reads without a token; undefined: whoever is near does. */
  readonly own: string | undefined
}

export const metricsRoutes = (metrics: Metrics, { admin, own }: MetricsTokens): Route[] => {
  const ownHash = own === undefined ? undefined : sha256(own)
  const isKnown = (header: string | undefined): boolean => isAdmin(header, ownHash) || isAdmin(header, admin)
  return [
    route('GET', '/metrics', 'anyone', async call => {
      const mayRead = (own === undefined && isNear(call)) || isKnown(call.headers.authorization)
      if (!mayRead) {
        throw new Problem('unauthorized', 'Send the metrics token, or the admin token, as bearer token.', {
          headers: { 'www-authenticate': 'Bearer realm="notif-kit"' }
        })
      }
      return { body: await metrics.read(), headers: { 'content-type': metrics.contentType }, status: 200 }
    })
  ]
}
