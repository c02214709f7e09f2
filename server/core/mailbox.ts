// A mailbox as people write it: an address, or a name and the address in angle brackets (RFC 5322, 3.4).

import { z } from 'zod'

import { emailAddress } from './contact.ts'

export interface Mailbox {
  /** Empty: none. */
  readonly name: string
  readonly address: string
}

const LIMIT = 600
const QUOTED = /^"(?:[^"\\\p{C}]|\\[^\p{C}])*"$/u
/** What has a meaning in a list of addresses stands in quotes; a dot is common without. */
const PLAIN = /^[^<>()[\]:;@\\,"\p{C}]*$/u

/** @returns undefined: it is none, or more than one */
export function parseMailbox(text: string): Mailbox | undefined {
  const start = text.lastIndexOf('<')
  if (start === -1) return emailAddress.safeParse(text).success ? { address: text, name: '' } : undefined
  const head = text.slice(0, start).trim()
  const address = text.slice(start + 1, -1)
  if (!text.endsWith('>') || !emailAddress.safeParse(address).success) return undefined
  if (QUOTED.test(head)) return { address, name: head.slice(1, -1).replaceAll(/\\(.)/gu, '$1') }
  return PLAIN.test(head) ? { address, name: head } : undefined
}

/** Stays as it was written. */
export const mailbox = z
  .string()
  .max(LIMIT, { abort: true, error: `Expected at most ${LIMIT} characters.` })
  .refine(
    text => parseMailbox(text),
    'Expected one address, such as user@example.com or Ann <user@example.com>.'
  )
