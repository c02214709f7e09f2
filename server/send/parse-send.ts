// From the body of a request to a send: validated, with one name for everything and warnings for what was ignored.

import type { Channel } from '#protocol'

import { parseInput, pointerOf, withoutEmptyMaps, wrongFields, type Maps } from '../http/parse-input.ts'
import { Problem, type FieldProblem } from '../http/problem.ts'
import { knownOf, unknownFields } from '../http/unknown-fields.ts'
import { isLiquid } from '../types/templates/field-kind.ts'
import { INLINE } from '../types/templates/inline-content.ts'
import type { Renderer } from '../types/templates/render.ts'
import { conditionFault } from './plan/condition.ts'
import { sendBody, type SendBody } from './schema.ts'
import { limitFaults, type SendLimits } from './send-limits.ts'
import {
  inlineChannels,
  inlineContent,
  type Inline,
  type InlineName,
  type Recipient,
  type Send
} from './send-request.ts'

/** What does not parse in content that a send brings. */
type CheckContent = Renderer['check']

export interface Read {
  readonly send: Send
  readonly warnings: readonly string[]
}

const KNOWN = knownOf(sendBody)!
const VERBATIM = { nulls: 'absent', verbatim: ['parameters', 'mergeTags'] } as const

/** The body of a request: as it came, and as its schema reads it. */
export interface Given {
  readonly given: unknown
  readonly body: SendBody
}

/** @throws Problem naming every field that does not fit the schema */
export function parseSend(value: unknown): Given {
  const given = withoutEmptyMaps(value, MAPS)
  return { body: parseInput(sendBody, given, VERBATIM), given }
}

/**
 * @param now - milliseconds since 1970: a schedule that is not after it means now
 * @throws Problem naming every wrong field
 */
export function readSend(value: unknown, limits: SendLimits, now: number, check: CheckContent): Read {
  const parsed = parseSend(value)
  const { body, given } = parsed
  const to = recipientOf(body)
  const type = body.type ?? body.notificationId
  const errors = limitFaults(body, limits, now)
  // What is missing may be there under another name.
  const required = (): string => ['This field is required.', ...unknownFields(given, KNOWN)].join(' ')
  if (type === undefined) errors.push({ detail: required(), pointer: '#/type' })
  if (!to) {
    const pointer = body.to ? '#/to/id' : body.user ? '#/user/id' : '#/to'
    errors.push({ detail: pointer === '#/to' ? required() : 'Expected id, email or number.', pointer })
  }
  if (type === undefined || !to || errors.length > 0) throw wrongFields(errors)
  const { part, warnings } = readPart(parsed, check)
  const { schedule, ...send } = { ...part, to, type }
  const later = schedule !== undefined && Date.parse(schedule) > now
  return { send: later ? { ...send, schedule } : send, warnings }
}

/** What a body says of a send beside its type and its user. @throws Problem naming every wrong field */
export function readPart(
  { body, given }: Given,
  check: CheckContent
): { readonly part: Omit<Send, 'to' | 'type'>; readonly warnings: string[] } {
  const warnings = unknownFields(given, KNOWN)
  const parameters = body.parameters ?? body.mergeTags
  if (parameters) checkSize(parameters, body.parameters ? '#/parameters' : '#/mergeTags', warnings)
  const sub = body.subNotificationId || body.secondaryId
  const inline = inlineOf(body)
  checkTemplates(inline, given, check)
  const fault = conditionFault(body as Pick<Send, 'options'>, check)
  if (fault !== undefined) throw wrongFields([{ detail: fault, pointer: '#/options/email/condition' }])
  const part = {
    ...(parameters && { parameters }),
    ...(sub && { subNotificationId: sub }),
    ...(body.templateId && { templateId: body.templateId }),
    ...(body.schedule !== undefined && { schedule: new Date(body.schedule).toISOString() }),
    ...(body.replace && { replace: body.replace }),
    // Of no channel: some clients always send the list.
    ...(body.forceChannels?.length && { forceChannels: [...new Set(body.forceChannels)] }),
    ...(body.options && { options: body.options as NonNullable<Send['options']> }),
    ...inline
  }
  return { part, warnings }
}

/** Names of the in-app fields in a send, where they differ from those of a template. */
const WIRE_NAMES: Readonly<Record<string, string>> = { imageURL: 'image', redirectURL: 'url' }

function checkTemplates(inline: Inline, given: unknown, check: CheckContent): void {
  const errors: FieldProblem[] = []
  for (const channel of inlineChannels(inline)) {
    const content = inlineContent(inline, channel)!
    if (channel !== 'EMAIL' && !Object.values(content).some(mayBeLiquid)) continue
    for (const { field, detail } of check(channel, content)) {
      errors.push({ detail, pointer: pointerTo(channel, field, given) })
    }
  }
  if (errors.length > 0) throw wrongFields(errors)
}

const mayBeLiquid = (value: unknown): boolean =>
  typeof value === 'string' ? isLiquid(value) : typeof value === 'object'

function pointerTo(channel: Channel, field: string, given: unknown): string {
  const name = INLINE[channel]
  const content = (given as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name]!
  const wire = WIRE_NAMES[field]
  if (wire !== undefined && content[field] === undefined) return pointerOf([name, wire])
  return pointerOf([name, ...field.split('.')])
}

const MAPS: Maps = {
  mergeTags: {},
  options: { apn: {}, email: {}, fcm: { android: {} }, push: { customData: {} } },
  parameters: {},
  replace: {}
}

function recipientOf({ to, user }: SendBody): Recipient | undefined {
  const said = to ?? user ?? {}
  const { id, email, number } = said
  // Mailboxes do not tell cases apart, so two spellings must not become two users.
  const who = id ?? email?.toLowerCase() ?? number
  return who === undefined ? undefined : { id: who, ...detailsOf(said) }
}

/** What is said about a user, besides who it is. */
export function detailsOf({
  email,
  locale,
  number,
  slackChannelName,
  slackChannel = slackChannelName,
  timezone
}: NonNullable<SendBody['to']>): Omit<Recipient, 'id'> {
  return {
    ...(email !== undefined && { email }),
    ...(number !== undefined && { number }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...(slackChannel !== undefined && { slackChannel })
  }
}

/** Bytes of merge tags above which the answer warns: providers of some channels refuse more. */
const MERGE_TAGS_WARN_BYTES = 150_000

/** Bytes of merge tags above which a send is refused. */
const MAX_MERGE_TAGS_BYTES = 256 * 1024

const INLINE_NAMES = Object.values(INLINE)

function inlineOf(body: SendBody): Inline {
  const inline: { -readonly [N in InlineName]?: NonNullable<Inline[N]> } = {}
  for (const name of INLINE_NAMES) if (body[name]) inline[name] = body[name]
  return inline
}

function checkSize(parameters: Readonly<Record<string, unknown>>, pointer: string, warnings: string[]): void {
  const text = JSON.stringify(parameters)
  // A UTF-16 unit is at most three bytes: most sends need no count.
  if (text.length * 3 <= MERGE_TAGS_WARN_BYTES) return
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_MERGE_TAGS_BYTES) {
    const detail = `The merge tags have ${bytes} bytes, at most ${MAX_MERGE_TAGS_BYTES} are accepted.`
    throw new Problem('body-too-large', detail, { errors: [{ detail, pointer }] })
  }
  if (bytes > MERGE_TAGS_WARN_BYTES) {
    warnings.push(
      `${pointer}: the merge tags have ${bytes} bytes; more than ${MERGE_TAGS_WARN_BYTES} may fail in some channels.`
    )
  }
}
