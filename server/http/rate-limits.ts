// Rate limits by address, user and environment.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import type { Environment } from '../config/environment-settings.ts'
import { NO_SIBLINGS, type Siblings } from '../core/siblings.ts'
import { Problem } from './problem.ts'

/** Headers of draft-ietf-httpapi-ratelimit-headers-11. */
type RateHeaders = Readonly<Record<string, string>>

export interface RateLimit {
  /**
   * Counts one request.
   *
   * @param key - for an address: `addressKey`
   * @param count - counts this many requests. Default: 1
   * @returns headers with the remaining requests
   * @throws Problem `rate-limited`
   */
  take(key: string, count?: number): Promise<RateHeaders>
}

/**
 * @param name - of the policy, in the headers
 * @param perSecond - requests of one key per second, counted in the memory of this process and of its siblings, which it is told
 *   within {@link TELL_INTERVAL_MS}
 * @param scope - for the problem, such as `this address`
 */
export function createRateLimit(
  name: string,
  perSecond: number,
  scope: string,
  siblings: Siblings = NO_SIBLINGS
): RateLimit {
  const limiter = new RateLimiterMemory({ duration: 1, points: perSecond })
  const tell = shareCounts(`rate ${name} ${perSecond} ${scope}`, limiter, siblings)
  const headers = (left: RateLimiterRes) => ({
    ratelimit: `"${name}";r=${left.remainingPoints};t=${seconds(left)}`,
    'ratelimit-policy': `"${name}";q=${perSecond};w=1`
  })
  return {
    async take(key, count = 1) {
      tell(key, count)
      try {
        return headers(await limiter.consume(key, count))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Problem(
          'rate-limited',
          count === 1 || count < perSecond
            ? `Rate limit of ${perSecond} ${name} per second for ${scope} exceeded. Retry after the seconds in Retry-After.`
            : `A list counts each of its users, and ${scope} has a rate limit of ${perSecond} ${name} per second. Send shorter lists.`,
          {
            headers: { ...headers(refused), 'retry-after': String(seconds(refused)) }
          }
        )
      }
    }
  }
}

/** How late siblings know what this process counted. */
const TELL_INTERVAL_MS = 50

/** Counts in `limiter` what siblings count. @returns the function that counts for the siblings what this process counts */
function shareCounts(
  topic: string,
  limiter: RateLimiterMemory,
  siblings: Siblings
): (key: string, count: number) => void {
  let waiting = new Map<string, number>()
  siblings.on(topic, text => {
    for (const [key, count] of JSON.parse(text) as [string, number][]) void limiter.penalty(key, count)
  })
  const flush = (): void => {
    siblings.send(topic, JSON.stringify([...waiting]))
    waiting = new Map()
  }
  return (key, count) => {
    if (siblings.isAlone) return
    if (waiting.size === 0) setTimeout(flush, TELL_INTERVAL_MS).unref()
    waiting.set(key, (waiting.get(key) ?? 0) + count)
  }
}

/** Limits what cannot be counted against a user or environment: requests of unproven users, and wrong credentials of every kind. */
export const createAddressLimit = (requestsPerSecond: number, siblings?: Siblings): RateLimit =>
  createRateLimit('requests', requestsPerSecond, 'this address', siblings)

const seconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000))

/** What the limits of an environment count: every back-end call, and sends in addition. */
export type RateUnit = 'requests' | 'sends'

export interface EnvironmentLimits {
  /** Counts one back-end call, or `count` of them. @throws Problem `rate-limited` */
  take(environment: Environment, units: readonly RateUnit[], count?: number): Promise<RateHeaders>
}

/** @param requestsPerSecond - for environments without a limit of their own; 0: unlimited */
export function createEnvironmentLimits(requestsPerSecond: number, siblings?: Siblings): EnvironmentLimits {
  const limits = new Map<string, RateLimit>()
  const limitOf = (name: RateUnit, perSecond: number): RateLimit => {
    const key = `${name} ${perSecond}`
    if (!limits.has(key)) limits.set(key, createRateLimit(name, perSecond, 'this environment', siblings))
    return limits.get(key)!
  }
  return {
    async take({ id, settings }, units, count) {
      const perSecond = {
        requests: settings.limits.requestsPerSecond ?? requestsPerSecond,
        sends: settings.limits.sendsPerSecond ?? 0
      }
      const headers: Record<string, string> = {}
      for (const unit of units) {
        if (perSecond[unit] === 0) continue
        for (const [field, value] of Object.entries(await limitOf(unit, perSecond[unit]).take(id, count))) {
          headers[field] = headers[field] === undefined ? value : `${headers[field]}, ${value}`
        }
      }
      return headers
    }
  }
}
