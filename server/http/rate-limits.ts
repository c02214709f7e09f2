// How many requests one address or one environment may make.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import type { Environment } from '../config/environment.ts'
import { Problem } from './problem.ts'

/** Fields of draft-ietf-httpapi-ratelimit-headers-11, and Retry-After where there is nothing left. */
type Said = Readonly<Record<string, string>>

export interface RateLimit {
  /**
   * Counts one request.
   *
   * @param key - of an address: `addressKey`
   * @returns headers that say how much is left
   * @throws Problem `rate-limited`
   */
  take(key: string): Promise<Said>
}

/**
 * @param name - of the policy, in the headers
 * @param perSecond - requests of one key in a second; kept in memory, for this process alone
 * @param whose - as in `An address`
 */
export function rateLimit(name: string, perSecond: number, whose: string): RateLimit {
  const limiter = new RateLimiterMemory({ duration: 1, points: perSecond })
  const headers = (left: RateLimiterRes) => ({
    ratelimit: `"${name}";r=${left.remainingPoints};t=${seconds(left)}`,
    'ratelimit-policy': `"${name}";q=${perSecond};w=1`
  })
  return {
    async take(key) {
      try {
        return headers(await limiter.consume(key))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Problem('rate-limited', `${whose} may make ${perSecond} ${name} a second.`, {
          headers: { ...headers(refused), 'retry-after': String(seconds(refused)) }
        })
      }
    }
  }
}

const seconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000))

/** What counts against an environment: any back-end call, and a send once more. */
export type Counted = 'requests' | 'sends'

export interface EnvironmentLimits {
  /** Counts one back-end call. @throws Problem `rate-limited` */
  take(environment: Environment, counted: readonly Counted[]): Promise<Said>
}

/** @param requests - a second, for environments that say nothing; 0: any number */
export function environmentLimits(requests: number): EnvironmentLimits {
  const known = new Map<string, RateLimit>()
  const limitOf = (name: Counted, perSecond: number): RateLimit => {
    const key = `${name} ${perSecond}`
    if (!known.has(key)) known.set(key, rateLimit(name, perSecond, 'This environment'))
    return known.get(key)!
  }
  return {
    async take({ id, settings: { limits } }, counted) {
      const most = { requests: limits.requestsPerSecond ?? requests, sends: limits.sendsPerSecond ?? 0 }
      const said: Record<string, string> = {}
      for (const name of counted) {
        if (most[name] === 0) continue
        for (const [field, value] of Object.entries(await limitOf(name, most[name]).take(id))) {
          said[field] = said[field] === undefined ? value : `${said[field]}, ${value}`
        }
      }
      return said
    }
  }
}
