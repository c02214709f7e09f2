// What may go wrong on the way out.

/**
 * - `address`: not http(s), or with credentials
 * - `forbidden`: leads inside or to a port that is not allowed
 * - `connect`: no such name, refused, wrong certificate, no connection in time
 * - `timeout`: silent or slow, or aborted by the caller
 * - `too-large`, `encoding`, `redirects`: an answer that we do not take
 * - `cut`: the connection ended too early
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

export class Failure extends Error {
  readonly code: OutboundCode
  constructor(code: OutboundCode, detail: string) {
    super(detail)
    this.code = code
  }
}
