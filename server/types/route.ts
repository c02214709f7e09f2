// Notification types and templates over HTTP, for back ends. A PUT replaces a type completely, so it can be repeated.

import { preconditionOf, putAnswer } from '../http/etag.ts'
import { parseInput, parseQuery, invalidFields } from '../http/parse-input.ts'
import { Problem, type FieldProblem } from '../http/problem.ts'
import { ok, route, type BackEndCall, type Route } from '../http/route.ts'
import { templateFaults, toNewType, templatesFaults } from './check-templates.ts'
import { deleteDoc, listDoc, putDoc, readDoc, templateDocs } from './doc.ts'
import { parseChannel, templateQuery, typeBody } from './schema.ts'
import { templateSchemas } from './templates/content.ts'
import type { Renderer } from './templates/render.ts'
import { toBody, toListEntry } from './type-body.ts'
import { templateId, typeId } from './type-id.ts'
import type { TypeCheck, TypeStore } from './type.ts'
import { readVariant, variantName } from './variant.ts'

export interface TypeRouteOptions {
  readonly types: TypeStore
  readonly renderer: Pick<Renderer, 'check'>
}

const TYPE = '/:clientId/notifications/:id'
/** The default template of a channel, and a template with an id. */
const TEMPLATE_PATHS = [
  [`${TYPE}/templates/:channel`, templateDocs(false)],
  [`${TYPE}/templates/:channel/:templateId`, templateDocs(true)]
] as const

export const typeRoutes = ({ types, renderer }: TypeRouteOptions): Route[] => [
  route('GET', '/:clientId/notifications', 'back-end', listDoc, async ({ env }) =>
    ok({ notifications: (await types.list(env.id)).map(toListEntry) })
  ),

  route('GET', TYPE, 'back-end', readDoc, async ({ env, params }) => {
    const type = await types.read(env.id, params['id']!)
    if (!type) throw typeNotFound(params['id']!)
    return ok(toBody(type))
  }),

  route('PUT', TYPE, 'back-end', putDoc, async call => {
    const { body, env, params } = call
    const id = parseTypeId(params)
    const newType = parseInput(typeBody, body, { nulls: 'absent' })
    if (newType.id !== undefined && newType.id !== id) {
      throw invalidFields([{ detail: 'Expected the id of the path, or no id.', pointer: '#/id' }])
    }
    throwFaults(templatesFaults(await types.checkerFor(env.id, renderer), newType))
    const created = await types.put(env.id, [toNewType(id, newType)], {
      by: call.actor,
      check: typeCheckOf(call)
    })
    const type = await types.read(env.id, id)
    // Another request deleted it in the meantime.
    if (!type) throw typeNotFound(id)
    return putAnswer(toBody(type), created.has(id))
  }),

  route('DELETE', TYPE, 'back-end', deleteDoc, async call => {
    const id = call.params['id']!
    if (!(await types.delete(call.env.id, id, typeCheckOf(call)))) throw typeNotFound(id)
    return { status: 204 }
  }),

  ...TEMPLATE_PATHS.flatMap(([path, docs]) => [
    route('GET', path, 'back-end', docs.read, async ({ env, params, query }) => {
      const { channel, id } = parseTemplateName(params, query)
      const type = await types.read(env.id, params['id']!)
      if (!type) throw typeNotFound(params['id']!)
      const content = type.templates.get(channel)?.get(id)
      if (!content) throw templateNotFound(params, query)
      return ok(content)
    }),

    route('PUT', path, 'back-end', docs.put, async call => {
      const { body, env, params, query } = call
      const { channel, id } = parseTemplateName(params, query)
      const content = parseInput(templateSchemas[channel], body, { nulls: 'absent' })
      throwFaults(templateFaults(await types.checkerFor(env.id, renderer), { channel, content }))
      const template = { channel, content, id }
      const save = { by: call.actor, check: preconditionOf(call) }
      const written = await types.putTemplate(env.id, parseTypeId(params), template, save)
      if (!written) throw typeNotFound(params['id']!)
      return putAnswer(written.content, written.created)
    }),

    route('DELETE', path, 'back-end', docs.delete, async call => {
      const { env, params, query } = call
      const template = parseTemplateName(params, query)
      const save = { by: call.actor, check: preconditionOf(call) }
      if (!(await types.deleteTemplate(env.id, params['id']!, template, save)))
        throw templateNotFound(params, query)
      return { status: 204 }
    })
  ])
]

export function typeCheckOf(call: Pick<BackEndCall, 'headers'>): TypeCheck | undefined {
  const check = preconditionOf(call)
  return check && (current => check(current && toBody(current)))
}

type Params = Readonly<Record<string, string>>

export function parseTypeId(params: Params): string {
  const read = typeId.safeParse(params['id'])
  if (read.success) return read.data
  throw new Problem('invalid-address', 'Expected a type id of 1 to 255 characters without line breaks.')
}

function parseTemplateName(params: Params, query: URLSearchParams) {
  const channel = parseChannel(params['channel']!)
  if (!channel) throw new Problem('not-found', `There is no channel ${JSON.stringify(params['channel'])}.`)
  const id = params['templateId'] ?? ''
  if (id !== '' && !templateId.safeParse(id).success) {
    throw new Problem('invalid-address', 'Expected a template id of 1 to 255 characters without line breaks.')
  }
  const { locale } = parseQuery(templateQuery, query)
  const variant = readVariant(id)
  if (locale !== undefined && variant.locale !== undefined && variant.locale !== locale) {
    throw new Problem('invalid-address', 'The language of the template id differs from `locale`.')
  }
  return { channel, id: variantName({ ...variant, ...(locale !== undefined && { locale }) }) }
}

export const typeNotFound = (id: string): Problem =>
  new Problem('not-found', `There is no notification type ${JSON.stringify(id)}.`)

const templateNotFound = ({ id, channel, templateId: template }: Params, query: URLSearchParams): Problem =>
  new Problem(
    'not-found',
    `The notification type ${JSON.stringify(id)} has no ${template === undefined ? 'default template' : `template ${JSON.stringify(template)}`} for ${channel}${query.has('locale') ? ` in ${query.get('locale')}` : ''}.`
  )

export function throwFaults(errors: readonly FieldProblem[]): void {
  if (errors.length > 0) throw invalidFields(errors)
}
