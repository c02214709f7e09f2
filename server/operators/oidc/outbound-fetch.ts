// Gives the OpenID client the guarded HTTP client in the form of fetch.

import type { CustomFetch } from 'openid-client'

import type { Outbound } from '../../outbound/outbound.ts'

/** Metadata and keys of large providers have some tens of kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024

const BODILESS = new Set([101, 204, 205, 304])

/** The provider does not answer. */
export class ProviderUnreachable extends Error {}

export const outboundFetch =
  (outbound: Outbound): CustomFetch =>
  async (url, { body, headers, method, signal }) => {
    const result = await outbound.request(url, {
      budget: { left: MAX_ANSWER_BYTES },
      headers,
      method: method === 'POST' ? 'POST' : 'GET',
      ...(body !== undefined && body !== null && { body: String(body) }),
      ...(signal && { signal })
    })
    if (!result.ok) throw new ProviderUnreachable(result.detail)
    const answerHeaders = Object.entries(result.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]]
    )
    return new Response(BODILESS.has(result.status) ? null : new Uint8Array(result.body), {
      headers: answerHeaders,
      status: result.status
    })
  }
