// The route of previews: POST /:clientId/notifications/:id/preview, for back ends.

import type { Channel } from '#protocol'

import { parseInput, invalidFields } from '../http/parse-input.ts'
import { route, type Route, ok } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { templatesFaults } from '../types/check-templates.ts'
import { typeNotFound } from '../types/route.ts'
import type { TemplateEntry } from '../types/schema.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { previewDoc } from './doc.ts'
import { preview } from './preview.ts'
import { readPreviewReader } from './reader.ts'
import { previewBody } from './schema.ts'

type PreviewRouteContext = Pick<Context, 'config' | 'db' | 'renderer' | 'types'>

export const previewRoutes = ({ config, db, renderer, types }: PreviewRouteContext): Route[] => [
  route(
    'POST',
    '/:clientId/notifications/:id/preview',
    'back-end',
    previewDoc,
    async ({ body, env, params }) => {
      const id = params['id']!
      const given = parseInput(previewBody, body ?? {}, { nulls: 'absent', verbatim: ['parameters'] })
      const faults = templatesFaults(await types.checkerFor(env.id, renderer), given)
      if (faults.length > 0) throw invalidFields(faults)
      const templates = given.templates
        ? byChannel(given.templates)
        : // Not from the cache, because a template is often previewed right after it was saved.
          (await types.read(env.id, id))?.templates
      if (!templates) throw typeNotFound(id)
      const reader = await readPreviewReader({ config, db }, env, id, given.to ?? {})
      const whole = await types.expandTemplates(env.id, templates)
      return ok(await preview({ config, renderer, types }, id, whole, given, reader))
    }
  )
]

function byChannel(entries: readonly TemplateEntry[]) {
  const map = new Map<Channel, Map<string, TemplateContent>>()
  for (const { channel, content, id } of entries) {
    map.set(channel, (map.get(channel) ?? new Map<string, TemplateContent>()).set(id, content))
  }
  return map
}
