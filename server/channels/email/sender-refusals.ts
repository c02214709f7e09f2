// Recognizes refusals of the sender or the account by the mail server: they concern all emails, not one.

import type { Outcome } from '../../queue/outcome.ts'

/** Code of the outcome, whatever the mail server answered; the detail is its text. */
export const SENDER_REFUSED = 'sender-refused'

/** Answers to MAIL FROM that refuse the sender (RFC 5321, 4.2.3), not the size or a parameter. */
const SENDER_ANSWERS = new Set([550, 551, 553, 554, 571])
/** Enhanced codes of a size, a syntax or a conversion (RFC 3463). */
const ABOUT_MESSAGE = /\b5\d\d[ -]5\.(?:2\.3|3\.4|5\.\d|6\.\d)\b/
/** Bad sender address (RFC 3463), disabled account (RFC 5248), and Exchange's code for a sender of another account. */
const SENDER_CODES = /\b[45]\d\d[ -][45]\.(?:1\.[78]|7\.13|7\.60)\b/
/** Postfix and others check the sender only when they know the recipient; services check it after the content. */
const SENDER_TEXTS =
  /sender address rejected|send as this sender|verified sender|address is not verified|sending (?:limit|quota)/i
/** Not of a refused recipient, whose own account may be disabled. */
const ACCOUNT_TEXTS = /\baccount\b.{0,40}\b(?:suspended|disabled|deactivated|inactive|not active|blocked)\b/i

/** @param detail - text of the mail server, with its codes */
export function isSenderRefused(command: string, answer: number, detail: string): boolean {
  if (command === 'MAIL FROM' && SENDER_ANSWERS.has(answer) && !ABOUT_MESSAGE.test(detail)) return true
  if (SENDER_CODES.test(detail) || SENDER_TEXTS.test(detail)) return true
  return command !== 'RCPT TO' && ACCOUNT_TEXTS.test(detail)
}

/** After this time, a refusal pauses the queue again. */
const WINDOW_MS = 3_600_000

/**
 * Tells a sender that one environment uses without permission from a broken account. While the account works, a refused sender
 * must not pause the emails of all environments: such an email is retried, and dies when its attempts are used up.
 *
 * @param monotonicMs - for tests. Default: performance.now
 */
export function trackSenderRefusals(monotonicMs: () => number = () => performance.now()) {
  let acceptedCount = 0
  let first: { readonly atMs: number; readonly acceptedCount: number } | undefined
  return {
    /** Observes an outcome. @returns the outcome, or a retry if other emails were accepted since the first refusal */
    observe(outcome: Outcome): Outcome {
      if (outcome.kind === 'sent') acceptedCount += 1
      if (outcome.kind !== 'pause' || outcome.code !== SENDER_REFUSED) return outcome
      const now = monotonicMs()
      if (first === undefined || now - first.atMs > WINDOW_MS) first = { acceptedCount, atMs: now }
      return first.acceptedCount < acceptedCount ? { ...outcome, kind: 'retry' } : outcome
    }
  }
}
