// Decides whether a refusal is about the address, and so about every email to it, or about this email, its sender or the route.

export interface Refusal {
  /** Enhanced status code (RFC 3463), or `''`. */
  readonly status: string
  /** Text of the mail server, for a refusal without an exact code. */
  readonly detail: string
}

/**
 * Codes about addresses, mailboxes and routing that say nothing permanent about the recipient: the sender's address (X.1.7, X.1.8),
 * a full mailbox, a long message, congestion, an expired time.
 */
const PASSING_CODES = new Set(['5.1.7', '5.1.8', '5.2.2', '5.2.3', '5.4.5', '5.4.6', '5.4.7'])

/** Texts of relays and filters that reject the sender with a bare 550. */
const ABOUT_SENDER =
  /relay|authenticat|spam|block|blacklist|denylist|reputation|policy|spf|dkim|dmarc|banned/i

/**
 * Whether the refusal is about this mailbox and passes: the mailbox is full, or is greylisted (RFC 6647), so that the first attempt
 * fails. Not 4.1.2, domain not found: a mail server whose own resolver fails answers this for every domain.
 */
export const isPassingRefusal = (detail: string): boolean =>
  /\b4\d\d[ -]4\.(?:1\.(?![278]\b)|2\.)\d/.test(detail) || /gr[ae]y[- ]?list/i.test(detail)

/** Whether the refusal is permanent and about the mailbox, so that no email to it will arrive. */
export function isAboutAddress({ detail, status }: Refusal): boolean {
  if (status === '5.0.0' || status === '') return !ABOUT_SENDER.test(detail)
  return /^5\.[124]\./.test(status) && !PASSING_CODES.has(status)
}
