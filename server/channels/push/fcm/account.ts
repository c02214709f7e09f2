// The service account of a Firebase project: signs an assertion for itself and gets an access token for an hour (RFC 7523).

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import type { ServiceAccount } from '../../../config/push.ts'
import type { Clock } from '../../../core/clock.ts'
import { signJwt } from '../../../core/jwt.ts'
import { safeParse } from '../../../core/safe-parse.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { objectIn } from '../../sms-call/signature.ts'

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
/** Seconds: what Google gives, and what a token must still have. */
const LIFE = 3600
const REST = 60
/** Milliseconds for the answer. */
const TIMEOUT = 10_000

/** The account gets no token. */
export class NoToken extends Error {}

export interface AccessTokens {
  /** Many callers at once make one request. @throws NoToken */
  current(): Promise<string>
  /** Google does not take this one. */
  forget(token: string): void
}

const grant = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

export function openTokens(account: ServiceAccount, clock: Clock, outbound: Outbound): AccessTokens {
  const key = createPrivateKey(account.private_key)
  let known: { readonly value: string; readonly until: number } | undefined
  let asking: Promise<string> | undefined

  const fetchToken = async (): Promise<string> => {
    const now = Math.floor(clock() / 1000)
    const assertion = signJwt(
      { alg: 'RS256', typ: 'JWT', ...(account.private_key_id && { kid: account.private_key_id }) },
      { aud: account.token_uri, exp: now + LIFE, iat: now, iss: account.client_email, scope: SCOPE },
      key
    )
    const answer = await outbound.request(account.token_uri, {
      body: new URLSearchParams({
        assertion,
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      method: 'POST',
      signal: AbortSignal.timeout(TIMEOUT)
    })
    if (!answer.ok) throw new NoToken(answer.detail)
    if (answer.status !== 200) throw new NoToken(`${answer.status}: ${answer.body.toString().slice(0, 300)}`)
    const given = safeParse(grant, objectIn(answer.body))
    if (!given.success) throw new NoToken('The answer holds no token.')
    known = { until: clock() + (given.data.expires_in - REST) * 1000, value: given.data.access_token }
    return known.value
  }

  return {
    async current() {
      if (known && known.until > clock()) return known.value
      asking ??= fetchToken().finally(() => (asking = undefined))
      return asking
    },
    forget(token) {
      if (known?.value === token) known = undefined
    }
  }
}
