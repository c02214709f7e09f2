// From the body of a change to the send that a schedule becomes. Each field that is given replaces that field whole;
// of the recipient, each detail that is given.

import { wrongFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import type { Renderer } from '../../types/templates/render.ts'
import { detailsOf, parseSend, readPart, type Given, type Read } from '../parse-send.ts'
import { limitFaults, type SendLimits } from '../send-limits.ts'
import type { Recipient, Send } from '../send-request.ts'

/** @param stored - what was scheduled */
export type Change = (stored: Send) => Read

/**
 * Reads any part of a send, bare or as `{ sendRequest }`, which one client wraps around it (spec/wire.md 4, row 3).
 *
 * @param now - milliseconds since 1970
 * @returns what makes the new send of the old one; it throws a Problem where the two do not fit
 * @throws Problem naming every wrong field
 */
export function readChange(
  value: unknown,
  limits: SendLimits,
  now: number,
  check: Renderer['check']
): Change {
  const wrapped = wrappedIn(value)
  const pointer = (text: string): string => (wrapped ? text.replace(/^#/, '#/sendRequest') : text)
  return placed(pointer, () => {
    const parsed = parseSend(wrapped ? wrapped.sendRequest : value)
    const faults = limitFaults(parsed.body, limits, now)
    if (faults.length > 0) throw wrongFields(faults)
    const { part, warnings } = readPart(parsed, check)
    if (!saysAnything(parsed)) throw wrongFields([{ detail: NOTHING, pointer: '#' }])
    return stored =>
      placed(pointer, () => ({ send: merged(stored, parsed, part), warnings: warnings.map(pointer) }))
  })
}

const NOTHING = 'Expected at least one field of a send, such as schedule.'

const saysAnything = ({ body }: Given): boolean => Object.values(body).some(value => value !== undefined)

function wrappedIn(value: unknown): { readonly sendRequest: unknown } | undefined {
  const isWrapped = typeof value === 'object' && value !== null && 'sendRequest' in value
  return isWrapped ? value : undefined
}

/** Names of before are in the body as they came; in a send there is one name for everything. */
function merged(stored: Send, { body }: Given, part: Omit<Send, 'to' | 'type'>): Send {
  const type = body.type ?? body.notificationId
  const { subNotificationId, templateId, ...rest } = stored
  const sub = body.subNotificationId ?? body.secondaryId
  return {
    ...rest,
    // An empty text takes it away.
    ...(sub === undefined && subNotificationId !== undefined && { subNotificationId }),
    ...(body.templateId === undefined && templateId !== undefined && { templateId }),
    ...part,
    ...(type !== undefined && { type }),
    to: recipientOf(stored.to, body)
  }
}

/** Another user is another inbox with other preferences, perhaps in another database: that is another send. */
function recipientOf(stored: Recipient, { to, user }: Given['body']): Recipient {
  const said = to ?? user ?? {}
  const { id } = said
  if (id !== undefined && id !== stored.id) {
    const detail = 'A schedule stays with its user: delete it and send to the other user instead.'
    throw wrongFields([{ detail, pointer: to ? '#/to/id' : '#/user/id' }])
  }
  return { ...stored, ...detailsOf(said) }
}

function placed<T>(pointer: (text: string) => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map(({ detail, pointer: at }) => ({ detail, pointer: pointer(at) }))
    throw new Problem(error.slug, error.message, { errors })
  }
}
