// Tickets for the live tail of sends: a back end or a member gets one over HTTP, and a socket shows it in its first frame.
//
// So the rules of routes (credentials, scopes, roles, the proof of a page, the audit) hold for a socket too, and no secret is in a
// socket. A ticket is encrypted, so any node reads those of another.

import { z } from 'zod'

import type { Encryption } from '../../environments/encryption/encryption.ts'

/** Between the answer with the ticket and the first frame of the socket. */
export const TICKET_MS = 30_000

const PURPOSE = 'tail of sends'

const ticket = z.strictObject({ envId: z.string(), expiresAt: z.number() })

export const createTicket = (encryption: Encryption, envId: string, now: number): string =>
  encryption
    .encrypt(JSON.stringify({ envId, expiresAt: now + TICKET_MS } satisfies z.output<typeof ticket>), PURPOSE)
    .toString('base64url')

/** @returns the environment; undefined if the ticket is not valid, or no longer */
export function readTicket(encryption: Encryption, text: string, now: number): string | undefined {
  try {
    const { envId, expiresAt } = ticket.parse(
      JSON.parse(encryption.decrypt(Buffer.from(text, 'base64url'), PURPOSE))
    )
    return now < expiresAt ? envId : undefined
  } catch {
    return undefined
  }
}
