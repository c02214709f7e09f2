// Parses the body of a change of a schedule. Each given field replaces that field as a whole; in `to`, each given detail.

import { invalidFields, withPointers } from '../../http/parse-input.ts'
import type { Renderer } from '../../types/templates/render.ts'
import { contactDetails } from '../parse-recipient.ts'
import { findLimitFaults, parseBody, parsePart, type ParsedBody, type ParsedSend } from '../parse-send.ts'
import type { Recipient, Send } from '../send-request.ts'

/** Applies a change to the stored send. @throws Problem if the two do not fit */
export type ScheduleChange = (stored: Send) => ParsedSend

/**
 * @param value - any part of a send, bare or as `{ sendRequest }`, which one client wraps around it
 * @param now - milliseconds since 1970
 * @throws Problem that names every wrong field
 */
export function parseChange(value: unknown, now: number, check: Renderer['check']): ScheduleChange {
  const wrapped = unwrap(value)
  const toPointer = (text: string): string => (wrapped ? text.replace(/^#/, '#/sendRequest') : text)
  return withPointers(toPointer, () => {
    const parsed = parseBody(wrapped ? wrapped.sendRequest : value)
    const faults = findLimitFaults(parsed.body, now)
    if (faults.length > 0) throw invalidFields(faults)
    const { part, warnings } = parsePart(parsed, check)
    if (!hasAnyField(parsed)) {
      throw invalidFields([
        { detail: 'Expected at least one field of a send, such as schedule.', pointer: '#' }
      ])
    }
    return stored =>
      withPointers(toPointer, () => ({
        send: mergeChange(stored, parsed, part),
        warnings: warnings.map(toPointer)
      }))
  })
}

const hasAnyField = ({ body }: ParsedBody): boolean => Object.values(body).some(value => value !== undefined)

function unwrap(value: unknown): { readonly sendRequest: unknown } | undefined {
  const isWrapped = typeof value === 'object' && value !== null && 'sendRequest' in value
  return isWrapped ? value : undefined
}

/** The body may use former names of fields, the stored send does not. */
function mergeChange(stored: Send, { body }: ParsedBody, part: Omit<Send, 'to' | 'type'>): Send {
  const type = body.type ?? body.notificationId
  const { subNotificationId, templateId, ...rest } = stored
  const sub = body.subNotificationId ?? body.secondaryId
  return {
    ...rest,
    // An empty text removes these two fields, so they are kept only if the change does not name them.
    ...(sub === undefined && subNotificationId !== undefined && { subNotificationId }),
    ...(body.templateId === undefined && templateId !== undefined && { templateId }),
    ...part,
    ...(type !== undefined && { type }),
    to: mergeRecipient(stored.to, body)
  }
}

/** The user cannot change, because the tracking id contains the bucket of the user. */
function mergeRecipient(stored: Recipient, { to, user }: ParsedBody['body']): Recipient {
  const recipient = to ?? user ?? {}
  const { id } = recipient
  if (id !== undefined && id !== stored.id) {
    const detail =
      'The user of a schedule cannot be changed. Delete the schedule and send to the other user instead.'
    throw invalidFields([{ detail, pointer: to ? '#/to/id' : '#/user/id' }])
  }
  return { ...stored, ...contactDetails(recipient) }
}
