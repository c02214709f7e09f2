// What callers may say about preferences, in the shapes of all clients (spec/wire.md 4, rows 8, 12 and 13).

import { z } from 'zod'

import { DELIVERIES, type Delivery } from '#protocol'

import { parseInput, pointerOf, wrongFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { knownOf, unknownFields } from '../../http/unknown-fields.ts'
import { channel } from '../../types/schema.ts'
import { subId, typeId } from '../../types/type-id.ts'
import type { Choice } from './preferences.sql.ts'

/** Some clients write what they do not say as an empty text. */
const said = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), z.null(), schema]).optional()

export const element = z
  .object({
    notificationId: typeId.describe('The type.'),
    subNotificationId: said(subId).describe('A part of it. Absent: the type as a whole.'),
    channel: said(channel).describe('Absent: every channel.'),
    delivery: said(z.enum(DELIVERIES)).describe('`null` takes the choice back. An inbox has no digests.'),
    state: z.boolean().nullish().describe('Older form of `delivery`: on or off.')
  })
  .check(({ value, issues }) => {
    const { channel, delivery } = value
    if (channel !== 'INAPP_WEB' || !delivery || delivery === 'off' || delivery === 'instant') return
    const message = 'Expected off or instant: an inbox has no digest.'
    issues.push({ code: 'custom', input: delivery, message, path: ['delivery'] })
  })

type Element = z.output<typeof element>

export interface Said {
  readonly choices: readonly Choice[]
  /** For the caller. */
  readonly messages: readonly string[]
}

const KNOWN = knownOf(element)!

/**
 * @param body - an array, or `{ preferences: array }`
 * @param limit - most of them
 * @throws Problem naming each wrong field of each element
 */
export function readPreferences(body: unknown, limit: number): Said {
  const wrapped = typeof body === 'object' && body !== null && !Array.isArray(body)
  const most = `Expected at most ${limit} preferences.`
  const list = z.array(element).max(limit, most)
  const elements = wrapped
    ? parseInput(z.object({ preferences: list }), body).preferences
    : parseInput(list, body)
  const given = (wrapped ? (body as { preferences: unknown }).preferences : body) as readonly unknown[]
  const messages = unknownFields(given, { items: KNOWN })
  const choices: Choice[] = []
  for (const [i, one] of elements.entries()) {
    const delivery = deliveryOf(one)
    if (delivery !== undefined) choices.push(toChoice(one, delivery))
    else messages.push(`${pointerOf([i])}: without a delivery it says nothing and was ignored.`)
  }
  return { choices, messages }
}

/** `null` takes a choice back. */
function deliveryOf({ delivery, state }: Element): Delivery | null | undefined {
  if (delivery === undefined && typeof state === 'boolean') return state ? 'instant' : 'off'
  return delivery
}

const toChoice = (
  { notificationId, subNotificationId, channel }: Element,
  delivery: Delivery | null
): Choice => ({
  channel: channel ?? '',
  delivery,
  notificationId,
  subNotificationId: subNotificationId ?? ''
})

export const removal = z.object({ notificationId: typeId, subNotificationId: said(subId) })

/** From the query, the body, or both: clients differ. Other keys are ignored, because some send them. */
export function readRemoval(query: URLSearchParams, body: unknown) {
  const isMap = typeof body === 'object' && body !== null && (!Array.isArray(body) || body.length === 0)
  if (body !== undefined && body !== null && !isMap) {
    throw wrongFields([{ detail: 'Expected an object, or no body.', pointer: '#' }])
  }
  const { notificationId, subNotificationId } = parseInput(removal, {
    ...body,
    ...Object.fromEntries(query)
  })
  return { notificationId, ...(subNotificationId && { subNotificationId }) }
}

/** Stored preferences of one user, which every send to the user reads. */
export const MAX_PREFERENCES = 1000

export const tooMany = (limit: number): Problem =>
  wrongFields([{ detail: `A user may have at most ${limit} preferences.`, pointer: '#' }])
