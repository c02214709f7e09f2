// The route of previews: POST /:clientId/notifications/:id/preview, for back ends.

import type { Channel } from '#protocol'

import type { Environment } from '../config/environment-settings.ts'
import { bucketOf, isTrackingId } from '../core/id.ts'
import { parseInput, invalidFields } from '../http/parse-input.ts'
import { route, ok, type Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { resolveTimeZone, type StoredReader } from '../send/plan/recipient.ts'
import { readLoggedSend } from '../send/resend/resend.sql.ts'
import { templatesFaults } from '../types/check-templates.ts'
import { typeNotFound } from '../types/route.ts'
import type { TemplateEntry } from '../types/schema.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { readContacts } from '../users/users.sql.ts'
import { previewDoc } from './doc.ts'
import { preview } from './preview.ts'
import { previewBody, type PreviewBody } from './schema.ts'

type PreviewRouteContext = Pick<Context, 'config' | 'db' | 'renderer' | 'types'>

export const previewRoutes = ({ config, db, renderer, types }: PreviewRouteContext): Route[] => [
  route('POST', '/:clientId/notifications/:id/preview', 'back-end', previewDoc, async call => {
    const { body, env, params } = call
    const id = params['id']!
    const { trackingId, ...own } = parseInput(previewBody, body ?? {}, {
      nulls: 'absent',
      verbatim: ['parameters']
    })
    const given =
      trackingId === undefined ? own : { ...(await readSendDefaults(db, env.id, trackingId)), ...own }
    const faults = templatesFaults(await types.checkerFor(env.id, renderer), given)
    if (faults.length > 0) throw invalidFields(faults)
    const templates = given.templates
      ? byChannel(given.templates)
      : // Not from the cache, because a template is often previewed right after it was saved.
        (await types.read(env.id, id))?.templates
    if (!templates) throw typeNotFound(id)
    const reader = await readPreviewReader({ config, db }, env, id, given.to ?? {})
    const whole = await types.expandTemplates(env.id, templates)
    const origin = { caller: call, envId: env.id }
    return ok(await preview({ config, origin, renderer, types }, id, whole, given, reader))
  })
]

/** What a send of the log gives a preview. @throws Problem */
async function readSendDefaults(db: Context['db'], envId: string, trackingId: string) {
  const logged = isTrackingId(trackingId) ? await readLoggedSend(db, envId, trackingId) : undefined
  if (!logged) {
    throw invalidFields([
      { detail: 'Expected the tracking id of a send that is in the log.', pointer: '#/trackingId' }
    ])
  }
  const { options, parameters, replace, templateId, to } = logged.body
  const { email, id, locale, number, timezone } = to
  return {
    to: {
      id,
      ...(email !== undefined && { email }),
      ...(locale !== undefined && { locale }),
      ...(number !== undefined && { number }),
      ...(timezone !== undefined && { timezone })
    },
    ...(options && { options: options as NonNullable<PreviewBody['options']> }),
    ...(parameters && { parameters: parameters as NonNullable<PreviewBody['parameters']> }),
    ...(replace && { replace }),
    ...(templateId !== undefined && { templateId })
  }
}

function byChannel(entries: readonly TemplateEntry[]) {
  const map = new Map<Channel, Map<string, TemplateContent>>()
  for (const { channel, content, id } of entries) {
    map.set(channel, (map.get(channel) ?? new Map<string, TemplateContent>()).set(id, content))
  }
  return map
}

/** Takes each value from the body, from the stored user, from the environment or from the installation, in this order. */
export async function readPreviewReader(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { id: envId, settings }: Environment,
  type: string,
  { id, locale, timezone }: NonNullable<PreviewBody['to']>
): Promise<StoredReader> {
  const stored = id === undefined ? undefined : await readContact(db, envId, id, type)
  const language = locale ?? stored?.locale
  return {
    timezone: resolveTimeZone(timezone ?? stored?.timezone, settings, config.timezone),
    ...(language !== undefined && { locale: language })
  }
}

async function readContact(db: Context['db'], envId: string, userId: string, notificationId: string) {
  const bucket = bucketOf(envId, userId)
  const key = { bucket, envId, notificationId, subNotificationId: '', userId }
  const [contact] = await readContacts(db.of(bucket).sql, [key])
  return contact
}
