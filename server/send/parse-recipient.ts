// Parses the recipient of a send: the id of the user, and contact details that win over the stored ones.

import { EXPECTED_EMAIL, EXPECTED_NUMBER, MALFORMED } from '../core/contact.ts'
import type { FieldProblem } from '../http/problem.ts'
import type { RecipientBody } from './schema.ts'
import type { Recipient } from './send-request.ts'

/** @returns undefined if it has no id, and no valid email address or number that could be one */
export function parseRecipient(given: RecipientBody): Recipient | undefined {
  const { id, email, number } = given
  // Email addresses ignore case, so two spellings must not become two users.
  const userId = id ?? (email?.toLowerCase() || number || undefined)
  return userId === undefined ? undefined : { id: userId, ...contactDetails(given) }
}

/** Says why {@link parseRecipient} found no id. @param pointer - of the recipient */
export function describeMissingId(given: RecipientBody, pointer: string): FieldProblem[] {
  const malformed = findMalformedContacts(given, pointer)
  return malformed.length > 0
    ? malformed
    : [{ detail: 'Expected id, email or number.', pointer: `${pointer}/id` }]
}

const EXPECTED_CONTACTS = { email: EXPECTED_EMAIL, number: EXPECTED_NUMBER } as const

/** @param pointer - of the recipient */
export const findMalformedContacts = (given: RecipientBody, pointer: string): FieldProblem[] =>
  (['email', 'number'] as const)
    .filter(name => given[name] === MALFORMED)
    .map(name => ({ detail: EXPECTED_CONTACTS[name], pointer: `${pointer}/${name}` }))

/** The fields of a recipient without its id. */
export function contactDetails({
  email,
  locale,
  number,
  slackChannelName,
  slackChannel = slackChannelName,
  timezone
}: RecipientBody): Omit<Recipient, 'id'> {
  return {
    ...(email !== undefined && { email }),
    ...(number !== undefined && { number }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...(slackChannel !== undefined && { slackChannel })
  }
}
