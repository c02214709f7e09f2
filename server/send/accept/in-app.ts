// The in-app notification of a send: rendered when it is accepted, because its row commits with the send.

import type { NewItem } from '../../inbox/items.sql.ts'
import type { Renderer } from '../../types/templates/render.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Plan, Planned } from '../plan/plan.ts'
import { inlineContent, templateData, type Accepted } from '../send-request.ts'

const DAY = 86_400_000

/** An accepted send and its type. */
interface Typed extends Accepted {
  readonly type: NotificationType
}

/** @returns the rendered fields, or why there are none */
export async function renderInApp(
  renderer: Renderer,
  { send, type }: Typed,
  { user }: Plan,
  { template }: Planned
): Promise<Readonly<Record<string, string>> | string> {
  const content =
    template === null ? inlineContent(send, 'INAPP_WEB') : type.templates.get('INAPP_WEB')?.get(template)
  if (!content) return 'its template is gone.'
  const rendered = await renderer.render({
    channel: 'INAPP_WEB',
    content,
    data: templateData(send, user, template),
    replace: send.replace ?? {}
  })
  return rendered.ok ? rendered.fields : `${rendered.field}: ${rendered.detail}`
}

export function itemOf(
  { bucket, environment, id, now, send, type }: Typed,
  { title = '', body, imageURL, redirectURL }: Readonly<Record<string, string>>
): NewItem {
  const { parameters } = send
  const { retention } = type.settings
  return {
    bucket,
    content: {
      title,
      ...(body && { body }),
      ...(imageURL && { imageURL }),
      ...(redirectURL && { redirectURL }),
      ...(parameters && Object.keys(parameters).length > 0 && { parameters })
    },
    envId: environment.id,
    id,
    notificationId: send.type,
    subId: send.subNotificationId ?? '',
    userId: send.to.id,
    ...(retention !== undefined && { expiresAt: new Date(now + retention * DAY) })
  }
}
