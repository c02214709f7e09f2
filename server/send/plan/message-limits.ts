// Finds messages that are certainly too large for their channel, so that the answer to the send says so.
//
// What depends on a rendered template or on a fetched file is checked when the message is built.

import type { Channel } from '#protocol'

import { describeTooLongSms } from '../../core/sms-segments.ts'
import { isLiquid } from '../../types/templates/field-kind.ts'
import type { NotificationType } from '../../types/type.ts'
import { inlineFileBytes } from '../attachments/attachment.ts'
import { findContent, type Send } from '../send-request.ts'

export interface MessageLimits {
  /** NOTIF_EMAIL_MAX_BYTES */
  readonly emailMaxBytes: number
}

export interface TooLarge {
  readonly decision: 'attachment-too-large' | 'too-long'
  /** Names the limit. */
  readonly detail: string
}

/** @param template - name of the type's template, or null for content of the send */
export function findTooLarge(
  channel: Channel,
  send: Send,
  type: Pick<NotificationType, 'templates'>,
  template: string | null,
  { emailMaxBytes }: MessageLimits
): TooLarge | undefined {
  if (channel === 'EMAIL') {
    const bytes = inlineFileBytes(send.options?.email?.attachments)
    return bytes > emailMaxBytes
      ? {
          decision: 'attachment-too-large',
          detail: `The files have ${bytes} bytes when encoded for an email; at most ${emailMaxBytes} are allowed.`
        }
      : undefined
  }
  if (channel !== 'SMS' || send.replace) return undefined
  const text = findContent(send, type, 'SMS', template)?.['message']
  const detail = typeof text === 'string' && !isLiquid(text) ? describeTooLongSms(text) : undefined
  return detail === undefined ? undefined : { decision: 'too-long', detail }
}
