// Parses a mailbox: an address, or a name and an address in angle brackets (RFC 5322, 3.4).

import { z } from 'zod'

import { emailAddress } from './contact.ts'

export interface Mailbox {
  /** Empty if there is none. */
  readonly name: string
  readonly address: string
}

const MAX_CHARACTERS = 600
const QUOTED = /^"(?:[^"\\\p{C}]|\\[^\p{C}])*"$/u
/** Characters that separate addresses in a list need quotes; a dot is common without. */
const PLAIN = /^[^<>()[\]:;@\\,"\p{C}]*$/u

/** @returns undefined for text that is no mailbox, or more than one */
export function parseMailbox(text: string): Mailbox | undefined {
  const start = text.lastIndexOf('<')
  if (start === -1) return emailAddress.safeParse(text).success ? { address: text, name: '' } : undefined
  const head = text.slice(0, start).trim()
  const address = text.slice(start + 1, -1)
  if (!text.endsWith('>') || !emailAddress.safeParse(address).success) return undefined
  if (QUOTED.test(head)) return { address, name: head.slice(1, -1).replaceAll(/\\(.)/gu, '$1') }
  return PLAIN.test(head) ? { address, name: head } : undefined
}

export const mailbox = z
  .string()
  .max(MAX_CHARACTERS, { abort: true, error: `Expected at most ${MAX_CHARACTERS} characters.` })
  .refine(
    text => parseMailbox(text),
    'Expected one address, such as user@example.com or Ann <user@example.com>.'
  )
