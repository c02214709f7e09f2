// Parses a send to a list of users: what all of them share once, and each user when its turn comes.

import {
  invalidFields,
  parseInput,
  pointerBelow,
  withoutEmptyMaps,
  withPointers
} from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { knownFields, unknownFields } from '../../http/unknown-fields.ts'
import type { Renderer } from '../../types/templates/render.ts'
import { describeMissingId, findMalformedContacts, parseRecipient } from '../parse-recipient.ts'
import {
  checkParametersSize,
  findFaults,
  parseBody,
  parseUnaddressed,
  type ParsedSend,
  type Unaddressed
} from '../parse-send.ts'
import { listEntry, MAX_RECIPIENTS } from './schema.ts'

/** A body whose `to` is a list. */
export interface ListBody {
  readonly to: readonly unknown[]
}

export const isList = (body: unknown): body is ListBody =>
  typeof body === 'object' && body !== null && 'to' in body && Array.isArray(body.to)

/** How many sends a body counts as. A list that is too long is refused, and counts as one. */
export const countSends = (body: unknown): number =>
  isList(body) && body.to.length <= MAX_RECIPIENTS ? Math.max(1, body.to.length) : 1

export interface SendList {
  /** What the send to each user has in common. */
  readonly common: Unaddressed
  readonly warnings: readonly string[]
  readonly users: readonly unknown[]
  /** Of a send of the list, at most, beside what its user adds. */
  readonly commonBytes: number
}

/** Of all sends of a list, as they are stored: each has its own copy of what they share. */
const MAX_LIST_BYTES = 64 * 1024 ** 2

/**
 * @param bytes - size of the body
 * @param now - milliseconds since 1970; a schedule that is not after it means now
 * @throws Problem that names every wrong field outside of the list, or an empty or too long list
 */
export function parseList(
  { to, ...rest }: ListBody,
  bytes: number,
  now: number,
  check: Renderer['check']
): SendList {
  const parsed = parseBody(rest)
  const faults = findFaults(parsed, now)
  if (to.length === 0 || to.length > MAX_RECIPIENTS) {
    faults.push({ detail: `Expected 1 to ${MAX_RECIPIENTS} users.`, pointer: '#/to' })
  }
  if (faults.length > 0) throw invalidFields(faults)
  const commonBytes = Buffer.byteLength(JSON.stringify(rest))
  const storedBytes = bytes + commonBytes * to.length
  if (storedBytes > MAX_LIST_BYTES) {
    const detail = `Each user stores the content again, ${storedBytes} bytes in all; at most ${MAX_LIST_BYTES} are accepted. Use a template, an address for each file, or shorter lists.`
    throw new Problem('body-too-large', detail, { errors: [{ detail, pointer: '#/to' }] })
  }
  const { send, warnings } = parseUnaddressed(parsed, now, check)
  return { common: send, commonBytes, users: to, warnings }
}

const KNOWN = knownFields(listEntry)!
const MAPS = { mergeTags: {}, parameters: {} }
const VERBATIM = { nulls: 'absent', verbatim: Object.keys(MAPS) } as const

/** @throws Problem that names every wrong field of this user */
export function parseListEntry({ common, users, warnings }: SendList, index: number): ParsedSend {
  const below = (text: string): string => pointerBelow(`#/to/${index}`, text)
  return withPointers(below, () => {
    const given = withoutEmptyMaps(users[index], MAPS)
    const entry = parseInput(listEntry, given, VERBATIM)
    const to = parseRecipient(entry)
    if (!to) throw invalidFields(describeMissingId(entry, '#'))
    const own = entry.parameters ?? entry.mergeTags
    const parameters = own ? { ...common.parameters, ...own } : common.parameters
    const ownWarnings = unknownFields(given, KNOWN)
    for (const { detail, pointer } of findMalformedContacts(entry, '#'))
      ownWarnings.push(`${pointer}: ${detail}`)
    if (own) checkParametersSize(parameters!, entry.parameters ? '#/parameters' : '#/mergeTags', ownWarnings)
    return {
      send: { ...common, to, ...(parameters && { parameters }) },
      warnings: ownWarnings.length > 0 ? [...warnings, ...ownWarnings.map(below)] : warnings
    }
  })
}
