// Errors of outbound requests, by code.

/**
 * - `address`: not http(s), or with credentials
 * - `forbidden`: a private address, or a port that is not allowed
 * - `connect`: unknown name, connection refused, wrong certificate, or no connection in time
 * - `timeout`: no data, too slow, or aborted by the caller
 * - `too-large`, `encoding`, `redirects`: the answer is not accepted
 * - `cut`: the connection ended before the answer was complete
 */
export type OutboundCode =
  | 'address'
  | 'forbidden'
  | 'connect'
  | 'timeout'
  | 'too-large'
  | 'encoding'
  | 'redirects'
  | 'cut'

export class OutboundError extends Error {
  readonly code: OutboundCode
  constructor(code: OutboundCode, detail: string) {
    super(detail)
    this.code = code
  }
}
