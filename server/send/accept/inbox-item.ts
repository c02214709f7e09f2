// The inbox item of a send: the rendered in-app notification with its place, and the time at which it expires.

import type { NewItem } from '../../inbox/items.sql.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import { buildExtras } from '../../types/templates/in-app-extras.ts'
import type { Rendered } from '../../types/templates/render.ts'
import type { NotificationType } from '../../types/type.ts'
import type { AcceptedSend } from '../send-request.ts'

const DAY_MS = 86_400_000

/** `content`: as it was before rendering. */
export type RenderedInApp = Pick<Rendered & { readonly ok: true }, 'fields' | 'runs'> & {
  readonly content: TemplateContent
}

export function inboxItem(
  { bucket, environment, id, now, send, type }: AcceptedSend & { readonly type: NotificationType },
  { content, fields, runs }: RenderedInApp
): NewItem {
  const { title = '', body, imageURL, redirectURL } = fields
  const { parameters } = send
  const { retention: retentionDays } = type.settings
  return {
    bucket,
    content: {
      title,
      ...(runs?.['title'] && { titleRuns: runs['title'] }),
      ...(body && { body }),
      ...(runs?.['body'] && { bodyRuns: runs['body'] }),
      ...(imageURL && { imageURL }),
      ...(redirectURL && { redirectURL }),
      ...(parameters && Object.keys(parameters).length > 0 && { parameters }),
      ...buildExtras(content, fields, type.settings)
    },
    envId: environment.id,
    id,
    notificationId: send.type,
    subId: send.subNotificationId ?? '',
    userId: send.to.id,
    ...(retentionDays !== undefined && { expiresAt: new Date(now + retentionDays * DAY_MS) })
  }
}
