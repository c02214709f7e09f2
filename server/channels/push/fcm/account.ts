// Gets access tokens for the service account of a Firebase project, by an assertion that it signs (RFC 7523).

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import type { ServiceAccount } from '../../../config/push.ts'
import type { Clock } from '../../../core/clock.ts'
import { signJwt } from '../../../core/jwt.ts'
import { safeParse } from '../../../core/safe-parse.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { parseJsonObject } from '../../provider-answer.ts'

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
/** Google grants at most an hour. */
const TOKEN_LIFETIME_SECONDS = 3600
/** A token that expires sooner is replaced. */
const MIN_REMAINING_SECONDS = 60
const TIMEOUT_MS = 10_000

export class NoTokenError extends Error {}

export interface AccessTokens {
  /** Simultaneous callers share one request. @throws NoTokenError */
  current(): Promise<string>
  /** Forgets a token that Google rejected. */
  forget(token: string): void
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

export function createAccessTokens(account: ServiceAccount, clock: Clock, outbound: Outbound): AccessTokens {
  const key = createPrivateKey(account.private_key)
  let cached: { readonly value: string; readonly untilMs: number } | undefined
  let fetching: Promise<string> | undefined

  const fetchToken = async (): Promise<string> => {
    const nowSeconds = Math.floor(clock() / 1000)
    const assertion = signJwt(
      { alg: 'RS256', typ: 'JWT', ...(account.private_key_id && { kid: account.private_key_id }) },
      {
        aud: account.token_uri,
        exp: nowSeconds + TOKEN_LIFETIME_SECONDS,
        iat: nowSeconds,
        iss: account.client_email,
        scope: SCOPE
      },
      key
    )
    const answer = await outbound.request(account.token_uri, {
      body: new URLSearchParams({
        assertion,
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      method: 'POST',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    if (!answer.ok) throw new NoTokenError(answer.detail)
    if (answer.status !== 200)
      throw new NoTokenError(`${answer.status}: ${answer.body.toString().slice(0, 300)}`)
    const parsed = safeParse(tokenAnswer, parseJsonObject(answer.body))
    if (!parsed.success) throw new NoTokenError('The answer contains no token.')
    const { access_token: value, expires_in: lifetimeSeconds } = parsed.data
    cached = { untilMs: clock() + (lifetimeSeconds - MIN_REMAINING_SECONDS) * 1000, value }
    return value
  }

  return {
    async current() {
      if (cached && cached.untilMs > clock()) return cached.value
      fetching ??= fetchToken().finally(() => (fetching = undefined))
      return fetching
    },
    forget(token) {
      if (cached?.value === token) cached = undefined
    }
  }
}
