// Parses the body of a request into a send: checks fields and limits, and warns about what is ignored.

import type { Channel } from '#protocol'

import { parseInput, toPointer, withoutEmptyMaps, invalidFields, type Maps } from '../http/parse-input.ts'
import { Problem, type FieldProblem } from '../http/problem.ts'
import { knownFields, unknownFields } from '../http/unknown-fields.ts'
import { CONTENT_FIELDS } from '../types/templates/content.ts'
import { isLiquid } from '../types/templates/field-kind.ts'
import type { Renderer } from '../types/templates/render.ts'
import { describeMissingId, findMalformedContacts, parseRecipient } from './parse-recipient.ts'
import { findConditionFault } from './plan/condition.ts'
import { sendBody, type SendBody } from './schema.ts'
import {
  inlineChannels,
  inlineContent,
  type InlineContent,
  type InlineName,
  type Send
} from './send-request.ts'

type CheckContent = Renderer['check']

export interface ParsedSend {
  readonly send: Send
  readonly warnings: readonly string[]
}

const KNOWN = knownFields(sendBody)!
const VERBATIM = { nulls: 'absent', verbatim: ['parameters', 'mergeTags'] } as const

export interface ParsedBody {
  /** As it arrived. */
  readonly given: unknown
  /** As its schema reads it. */
  readonly body: SendBody
}

/** @throws Problem that names every field that does not fit the schema */
export function parseBody(value: unknown): ParsedBody {
  const given = withoutEmptyMaps(value, MAPS)
  return { body: parseInput(sendBody, given, VERBATIM), given }
}

/**
 * @param now - milliseconds since 1970; a schedule that is not after it means now
 * @throws Problem that names every wrong field
 */
export function parseSend(value: unknown, now: number, check: CheckContent): ParsedSend {
  const parsed = parseBody(value)
  const { body } = parsed
  const to = parseRecipient(body.to ?? body.user ?? {})
  const faults = findFaults(parsed, now)
  if (!to) faults.push(...findRecipientFaults(parsed))
  if (!to || faults.length > 0) throw invalidFields(faults)
  const { send, warnings } = parseUnaddressed(parsed, now, check)
  return { send: { ...send, to }, warnings }
}

/** A send without its recipient. */
export type Unaddressed = Omit<Send, 'to'>

/**
 * Parses everything but the recipient of a body without faults ({@link findFaults}).
 *
 * @throws Problem that names every wrong field
 */
export function parseUnaddressed(
  parsed: ParsedBody,
  now: number,
  check: CheckContent
): { readonly send: Unaddressed; readonly warnings: readonly string[] } {
  const { part, warnings } = parsePart(parsed, check)
  const { schedule, ...rest } = part
  const type = (parsed.body.type ?? parsed.body.notificationId)!
  const isLater = schedule !== undefined && Date.parse(schedule) > now
  return { send: { ...rest, type, ...(isLater && { schedule }) }, warnings }
}

/** Finds what {@link findLimitFaults} finds, and a missing type. */
export function findFaults(parsed: ParsedBody, now: number): FieldProblem[] {
  const faults = findLimitFaults(parsed.body, now)
  if ((parsed.body.type ?? parsed.body.notificationId) === undefined)
    faults.push({ detail: required(parsed), pointer: '#/type' })
  return faults
}

/** A missing field may be there with a spelling mistake. */
const required = ({ given }: ParsedBody): string =>
  ['This field is required.', ...unknownFields(given, KNOWN)].join(' ')

function findRecipientFaults(parsed: ParsedBody): FieldProblem[] {
  const { to, user } = parsed.body
  const pointer = to ? '#/to' : '#/user'
  return to || user
    ? describeMissingId(to ?? user!, pointer)
    : [{ detail: required(parsed), pointer: '#/to' }]
}

/** apns-collapse-id (Apple, "Sending notification requests to APNs"). */
const MAX_COLLAPSE_ID_BYTES = 64
/** Four weeks, the longest that FCM keeps a message. */
const MAX_TTL_SECONDS = 2_419_200
const MAX_SCHEDULE_DAYS = 366
const DAY_MS = 86_400_000

/**
 * Finds faults that a schema cannot find, because they depend on the clock or on bytes.
 *
 * @param now - milliseconds since 1970
 */
export function findLimitFaults({ options, schedule }: SendBody, now: number): FieldProblem[] {
  const faults: FieldProblem[] = []
  const add = (detail: string, ...path: string[]): void => {
    faults.push({ detail, pointer: toPointer(path) })
  }
  if (schedule !== undefined && Date.parse(schedule) > now + MAX_SCHEDULE_DAYS * DAY_MS) {
    add(`Expected at most ${MAX_SCHEDULE_DAYS} days from now.`, 'schedule')
  }
  const { collapseId = '' } = options?.apn ?? {}
  if (Buffer.byteLength(collapseId) > MAX_COLLAPSE_ID_BYTES) {
    add(`Expected at most ${MAX_COLLAPSE_ID_BYTES} bytes of UTF-8.`, 'options', 'apn', 'collapseId')
  }
  const { ttl = 0 } = options?.fcm?.android ?? {}
  if (ttl > MAX_TTL_SECONDS) {
    add(`Expected at most ${MAX_TTL_SECONDS} seconds.`, 'options', 'fcm', 'android', 'ttl')
  }
  return faults
}

/** Parses everything but the type and the recipient. @throws Problem that names every wrong field */
export function parsePart(
  { body, given }: ParsedBody,
  check: CheckContent
): { readonly part: Omit<Send, 'to' | 'type'>; readonly warnings: string[] } {
  const warnings = unknownFields(given, KNOWN)
  for (const { detail, pointer } of findMalformedContacts(
    body.to ?? body.user ?? {},
    body.to ? '#/to' : '#/user'
  ))
    warnings.push(`${pointer}: ${detail}`)
  const parameters = body.parameters ?? body.mergeTags
  if (parameters) checkParametersSize(parameters, body.parameters ? '#/parameters' : '#/mergeTags', warnings)
  const sub = body.subNotificationId || body.secondaryId
  const inline = parseInlineContent(body)
  checkTemplates(inline, given, check)
  const detail = findConditionFault(body as Pick<Send, 'options'>, check)
  if (detail !== undefined) throw invalidFields([{ detail, pointer: '#/options/email/condition' }])
  const part = {
    ...(parameters && { parameters }),
    ...(sub && { subNotificationId: sub }),
    ...(body.templateId && { templateId: body.templateId }),
    ...(body.schedule !== undefined && { schedule: new Date(body.schedule).toISOString() }),
    ...(body.replace && { replace: body.replace }),
    // Some clients always send the list: an empty one means none is forced.
    ...(body.forceChannels?.length && { forceChannels: [...new Set(body.forceChannels)] }),
    ...(body.options && { options: body.options as NonNullable<Send['options']> }),
    ...inline
  }
  return { part, warnings }
}

/** Names of in-app fields in a send that differ from those in a template. */
const WIRE_NAMES: Readonly<Record<string, string>> = { imageURL: 'image', redirectURL: 'url' }

function checkTemplates(inline: InlineContent, given: unknown, check: CheckContent): void {
  const errors: FieldProblem[] = []
  for (const channel of inlineChannels(inline)) {
    const content = inlineContent(inline, channel)!
    if (channel !== 'EMAIL' && !Object.values(content).some(mayBeLiquid)) continue
    for (const { field, detail } of check(channel, content)) {
      errors.push({ detail, pointer: pointerTo(channel, field, given) })
    }
  }
  if (errors.length > 0) throw invalidFields(errors)
}

const mayBeLiquid = (value: unknown): boolean =>
  typeof value === 'string' ? isLiquid(value) : typeof value === 'object'

function pointerTo(channel: Channel, field: string, given: unknown): string {
  const name = CONTENT_FIELDS[channel]
  const content = (given as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name]!
  const wire = WIRE_NAMES[field]
  if (wire !== undefined && content[field] === undefined) return toPointer([name, wire])
  return toPointer([name, ...field.split('.')])
}

const MAPS: Maps = {
  mergeTags: {},
  options: { apn: {}, email: {}, fcm: { android: {} }, push: { customData: {} } },
  parameters: {},
  replace: {}
}

const INLINE_NAMES = Object.values(CONTENT_FIELDS)

function parseInlineContent(body: SendBody): InlineContent {
  const inline: { -readonly [N in InlineName]?: NonNullable<InlineContent[N]> } = {}
  for (const name of INLINE_NAMES) if (body[name]) inline[name] = body[name]
  return inline
}

/** Above this size the answer contains a warning, because providers of some channels refuse more. */
const PARAMETERS_WARNING_BYTES = 150_000
const MAX_PARAMETERS_BYTES = 256 * 1024

/**
 * @param warnings - a warning is added if they are large
 * @throws Problem `body-too-large`
 */
export function checkParametersSize(
  parameters: Readonly<Record<string, unknown>>,
  pointer: string,
  warnings: string[]
): void {
  const text = JSON.stringify(parameters)
  // A UTF-16 unit has at most three bytes, so most sends need no exact count.
  if (text.length * 3 <= PARAMETERS_WARNING_BYTES) return
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_PARAMETERS_BYTES) {
    const detail = `The parameters have ${bytes} bytes; at most ${MAX_PARAMETERS_BYTES} are accepted.`
    throw new Problem('body-too-large', detail, { errors: [{ detail, pointer }] })
  }
  if (bytes > PARAMETERS_WARNING_BYTES) {
    warnings.push(
      `${pointer}: the parameters have ${bytes} bytes; more than ${PARAMETERS_WARNING_BYTES} may fail on some channels.`
    )
  }
}
