// The body of a queued row that closes a push on a phone, because the user has read the in-app notification of the send.

import type { Json } from '../../db/db.ts'
import type { DeviceInfo } from '../../users/device.ts'

/** Body of a row that tells a phone to close the push of a send. Its outcomes do not change the status of the send. */
export interface CloseBody {
  readonly [key: string]: Json | undefined
  /** Tracking id of the read send. */
  readonly close: string
  readonly notificationId: string
  /** Token. */
  readonly to: string
  readonly device: DeviceInfo
  /** APNs options of the send. */
  readonly collapseId?: string
  readonly threadId?: string
}

/** @returns undefined for rows that deliver a message */
export const readCloseBody = (body: Json): CloseBody | undefined =>
  typeof body === 'object' && body !== null && 'close' in body ? (body as CloseBody) : undefined

/** Data of the message, which an app reads to close the notification. */
export const closeData = ({ close }: CloseBody) => ({ notif: { close } })

/** Outcomes in the log of such a row. They are neither sent nor failed, so that the send keeps its status. */
export const CLOSED = 'closed'
export const NOT_CLOSED = 'not-closed'
