// Finds the notification type of a send, and creates it if the send has content of its own.

import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { isAdHoc, type NotificationType } from '../../types/type.ts'
import type { Topic } from '../../users/preferences/preference.ts'
import { inlineChannels, type InlineContent, type Send } from '../send-request.ts'

/** Whether a missing type can be created from the content of the send. */
export const hasInlineContent = (send: InlineContent): boolean => inlineChannels(send).length > 0

/**
 * The problem of a send without content whose type does not exist.
 *
 * @param warnings - about the body, because a misspelt field may have been the content
 */
export function unknownTypeProblem(send: Pick<Send, 'type'>, warnings: readonly string[] = []): Problem {
  const cause = `The notification type ${JSON.stringify(send.type)} does not exist, and the send has no content of its own.`
  const detail = [cause, ...warnings].join(' ')
  return new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/type' }] })
}

/**
 * Creates a missing type, and adds channels to an ad hoc type, if the send has content for them.
 *
 * @throws Problem `invalid-request` if the type is missing and the send has no content
 */
export async function resolveType(
  context: Pick<Context, 'types'>,
  envId: string,
  send: Omit<Send, 'to'>,
  warnings: readonly string[] = []
): Promise<NotificationType> {
  const type = await context.types.get(envId, send.type)
  const isMissing = type === undefined
  if (isMissing && !hasInlineContent(send)) throw unknownTypeProblem(send, warnings)
  const needsChannels =
    type && isAdHoc(type) && inlineChannels(send).some(channel => !type.channels.includes(channel))
  return isMissing || needsChannels ? context.types.ensure(envId, send.type, inlineChannels(send)) : type
}

/** The topic that preferences are about. @param type - undefined if it does not exist */
export const sendTopic = (
  { type: notificationId, subNotificationId: sub }: Pick<Send, 'subNotificationId' | 'type'>,
  type: Pick<NotificationType, 'subs'> | undefined
): Topic => ({ notificationId, subNotificationId: sub !== undefined && type?.subs.has(sub) ? sub : '' })
