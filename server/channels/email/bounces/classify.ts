// Whether a refusal is about the address, and so about every mail to it, or about this mail, its sender or the way. Pure.

export interface Refusal {
  /** Enhanced status code (RFC 3463); `''`: none was given. */
  readonly status: string
  /** The server's own words, for one that gives no exact code. */
  readonly detail: string
}

/**
 * Codes of the classes about addresses, mailboxes and routing that say nothing lasting about the recipient: the sender's
 * address (X.1.7, X.1.8), a full mailbox, a long message, congestion, an expired time.
 */
const PASSING = new Set(['5.1.7', '5.1.8', '5.2.2', '5.2.3', '5.4.5', '5.4.6', '5.4.7'])

/** What our own relay or a filter says with the same bare 550. */
const ABOUT_US = /relay|authenticat|spam|block|blacklist|denylist|reputation|policy|spf|dkim|dmarc|banned/i

/**
 * For now, and about the mailbox: full, being looked up, or greylisted, where a server takes nothing at the first try. That the
 * domain is not found (4.1.2) is said of everybody by a server whose own resolver is away.
 */
export const passesForAddress = (detail: string): boolean =>
  /\b4\d\d[ -]4\.(?:1\.(?![278]\b)|2\.)\d/.test(detail) || /gr[ae]y[- ]?list/i.test(detail)

/** Permanent, and about the mailbox: nothing that is sent there will arrive. */
export function isAboutAddress({ detail, status }: Refusal): boolean {
  if (status === '5.0.0' || status === '') return !ABOUT_US.test(detail)
  return /^5\.[124]\./.test(status) && !PASSING.has(status)
}
