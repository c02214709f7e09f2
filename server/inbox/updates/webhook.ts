// Webhooks of an inbox: what the back end of an environment is sent when a user presses a button or replies.

import { createHmac } from 'node:crypto'

import type { Notif } from '#protocol'

import { placementHashInId, uuidv7, type UserKey } from '../../core/id.ts'
import type { Tx } from '../../db/db.ts'
import { enqueue } from '../../queue/outbox.sql.ts'

export type WebhookEvent =
  | { readonly type: 'item.action'; readonly actionId: string }
  | { readonly type: 'item.reply'; readonly message: string }

/** A person looks at the button: after 43 minutes, its webhook has failed. */
export const WEBHOOK_ATTEMPTS = 6

/** Body of a row of the queue WEBHOOK. */
export type WebhookBody = WebhookEvent & {
  readonly trackingId: string
  /** Type of the notification. */
  readonly notificationId: string
  readonly subNotificationId?: string
  /** When the user acted, in ISO 8601. */
  readonly at: string
}

/**
 * Returns the secret of the webhooks of an environment, as Standard Webhooks write it. It is derived from the client secret, so
 * that it is not stored, and changes with it.
 */
export const webhookSecret = (clientSecret: string): string =>
  `whsec_${createHmac('sha256', clientSecret).update('notif-kit/webhook').digest('base64')}`

/** Queues a webhook about an item, in the transaction that changes the item. Wake WEBHOOK after the commit. */
export async function enqueueWebhook(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { id: trackingId, subNotificationId, type }: Pick<Notif, 'id' | 'subNotificationId' | 'type'>,
  event: WebhookEvent,
  now: number
): Promise<void> {
  const body: WebhookBody = {
    ...event,
    at: new Date(now).toISOString(),
    notificationId: type,
    trackingId,
    ...(subNotificationId !== undefined && { subNotificationId })
  }
  const id = uuidv7(placementHashInId(trackingId), now)
  await enqueue(tx, [{ body: { ...body }, bucket, envId, id, queue: 'WEBHOOK', sendId: trackingId, userId }])
}

/** Queues a webhook for each item with a reply field that has the reply now. */
export async function enqueueReplies(
  tx: Tx,
  user: UserKey,
  items: readonly Notif[],
  message: string,
  now: number
): Promise<void> {
  for (const item of items) {
    if (item.reply) await enqueueWebhook(tx, user, item, { message, type: 'item.reply' }, now)
  }
}
