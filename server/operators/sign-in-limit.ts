// Limits wrong tries to sign in, of one address and of all, in the memory of this process.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { Problem } from '../http/problem.ts'

const WINDOW_SECONDS = 300
/** Wrong tries of one address in this time. */
const MAX_OF_ADDRESS = 10
/** Wrong tries of all addresses in this time, against guessing from many. */
const MAX_OF_ALL = 1000
const ALL = 'all'

export interface SignInLimit {
  /**
   * Counts a try, before it is known whether it is right, so that parallel ones pass no limit together.
   *
   * @param address - see `addressKey`
   * @throws Problem `rate-limited`, also for a right try: otherwise guessing could go on
   */
  take(address: string): Promise<void>
  /** The try was right, so it does not count. */
  giveBack(address: string): Promise<void>
}

export function createSignInLimit(): SignInLimit {
  const byAddress = new RateLimiterMemory({ duration: WINDOW_SECONDS, points: MAX_OF_ADDRESS })
  const ofAll = new RateLimiterMemory({ duration: WINDOW_SECONDS, points: MAX_OF_ALL })
  return {
    async take(address) {
      try {
        await byAddress.consume(address)
        await ofAll.consume(ALL)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
        throw new Problem(
          'rate-limited',
          'Too many wrong tries to sign in. Try again after the seconds in Retry-After.',
          { headers: { 'retry-after': String(seconds) } }
        )
      }
    },
    async giveBack(address) {
      await Promise.all([byAddress.reward(address), ofAll.reward(ALL)])
    }
  }
}
