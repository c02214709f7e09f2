// The type of a send. One that brings its own content needs none: it is made on the fly.

import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { isAdHoc, type NotificationType } from '../../types/type.ts'
import { inlineChannels, type Send } from '../send-request.ts'

/** Whether an unknown type may be made from what the send brings. */
export const bringsContent = (send: Send): boolean => inlineChannels(send).length > 0

/**
 * For a type that does not exist: a send without content of its own cannot be made into anything.
 *
 * @param warnings - about the body: a misspelt field may have been the content
 */
export function unknownType(send: Send, warnings: readonly string[] = []): Problem {
  const what = `There is no notification type ${JSON.stringify(send.type)}, and the send brings no content of its own.`
  const detail = [what, ...warnings].join(' ')
  return new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/type' }] })
}

/** The type of a send; made, or given channels, on the fly where the send brings its own content. @throws Problem */
export async function typeFor(
  context: Pick<Context, 'types'>,
  envId: string,
  send: Send,
  warnings: readonly string[] = []
): Promise<NotificationType> {
  const type = await context.types.get(envId, send.type)
  const isMissing = type === undefined
  if (isMissing && !bringsContent(send)) throw unknownType(send, warnings)
  const isGrowing =
    type && isAdHoc(type) && inlineChannels(send).some(channel => !type.channels.includes(channel))
  return isMissing || isGrowing ? context.types.ensure(envId, send.type, inlineChannels(send)) : type
}
