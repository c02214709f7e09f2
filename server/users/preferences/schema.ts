// Parses preferences in the formats of all clients.

import { z } from 'zod'

import { DELIVERIES, type Delivery } from '#protocol'

import { parseInput, toPointer, invalidFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { knownFields, unknownFields } from '../../http/unknown-fields.ts'
import { channel } from '../../types/schema.ts'
import { subId, typeId } from '../../types/type-id.ts'
import type { PreferenceChoice } from './preferences.sql.ts'

/** Some clients send an empty text for an absent field. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), z.null(), schema]).optional()

export const element = z
  .object({
    notificationId: typeId.describe('Id of the notification type.'),
    subNotificationId: optional(subId).describe('Id of a sub-notification. Absent: the whole type.'),
    channel: optional(channel).describe('Absent: all channels.'),
    delivery: optional(z.enum(DELIVERIES)).describe(
      'Frequency. `null` deletes the preference. The inbox has no digests.'
    ),
    isInherited: z
      .boolean()
      .nullish()
      .meta({ description: '`true`, as in an answer: removes the preference, whatever `delivery` says.' }),
    state: z
      .boolean()
      .nullish()
      .meta({ deprecated: true, description: 'Former `delivery`: `true` for instant, `false` for off.' })
  })
  .check(({ value, issues }) => {
    const { channel, delivery } = value
    if (channel !== 'INAPP_WEB' || !delivery || delivery === 'off' || delivery === 'instant') return
    const message = 'Expected off or instant, because the inbox has no digests.'
    issues.push({ code: 'custom', input: delivery, message, path: ['delivery'] })
  })

/** Of one user; every send to the user reads them. */
export const MAX_PREFERENCES = 1000

type Element = z.output<typeof element>

export interface ParsedPreferences {
  readonly choices: readonly PreferenceChoice[]
  /** Of each choice in the body. */
  readonly pointers: readonly string[]
  readonly messages: readonly string[]
}

const KNOWN = knownFields(element)!

/**
 * @param body - an array, or `{ preferences: array }`
 * @throws Problem naming each wrong field of each element
 */
export function parsePreferences(body: unknown): ParsedPreferences {
  const isWrapped = typeof body === 'object' && body !== null && !Array.isArray(body)
  const list = z.array(element).max(MAX_PREFERENCES, `Expected at most ${MAX_PREFERENCES} preferences.`)
  const elements = isWrapped
    ? parseInput(z.object({ preferences: list }), body).preferences
    : parseInput(list, body)
  const rawElements = (
    isWrapped ? (body as { preferences: unknown }).preferences : body
  ) as readonly unknown[]
  const messages = unknownFields(rawElements, { items: KNOWN })
  const choices: PreferenceChoice[] = []
  const pointers: string[] = []
  for (const [i, one] of elements.entries()) {
    const delivery = parseDelivery(one)
    if (delivery !== undefined) {
      choices.push(toChoice(one, delivery))
      pointers.push(toPointer(isWrapped ? ['preferences', i] : [i]))
    } else messages.push(`${toPointer([i])}: ignored, because it has no delivery.`)
  }
  return { choices, messages, pointers }
}

/** @returns null to delete the preference; undefined if the element has neither `delivery` nor `state` */
function parseDelivery({ delivery, isInherited, state }: Element): Delivery | null | undefined {
  if (isInherited === true) return null
  if (delivery === undefined && typeof state === 'boolean') return state ? 'instant' : 'off'
  return delivery
}

const toChoice = (
  { notificationId, subNotificationId, channel }: Element,
  delivery: Delivery | null
): PreferenceChoice => ({
  channel: channel ?? '',
  delivery,
  notificationId,
  subNotificationId: subNotificationId ?? ''
})

export const removal = z.object({ notificationId: typeId, subNotificationId: optional(subId) })

/** Clients send the fields in the query, the body, or both. Other fields are ignored, because some clients send them. */
export function parseRemoval(query: URLSearchParams, body: unknown) {
  const isMap = typeof body === 'object' && body !== null && (!Array.isArray(body) || body.length === 0)
  if (body !== undefined && body !== null && !isMap) {
    throw invalidFields([{ detail: 'Expected an object, or no body.', pointer: '#' }])
  }
  const { notificationId, subNotificationId } = parseInput(removal, {
    ...body,
    ...Object.fromEntries(query)
  })
  return { notificationId, ...(subNotificationId && { subNotificationId }) }
}

export const tooManyPreferences = (limit = MAX_PREFERENCES): Problem =>
  invalidFields([
    {
      detail: `Expected at most ${limit} preferences of a user, stored ones included.`,
      pointer: '#'
    }
  ])
