// Types and templates by REST, for back-ends. A PUT replaces the whole: sending it twice is sending it once.

import { parseInput, parseQuery, invalidFields } from '../http/parse-input.ts'
import { Problem, type FieldProblem } from '../http/problem.ts'
import { route, type Route } from '../http/route.ts'
import { templateFaults, toNewType, typeFaults } from './check-templates.ts'
import { deleteDoc, listDoc, putDoc, readDoc, templateDocs } from './doc.ts'
import { channelOf, templateQuery, typeBody } from './schema.ts'
import { templateSchemas } from './templates/content.ts'
import type { Renderer } from './templates/render.ts'
import { templateId, typeId } from './type-id.ts'
import type { NotificationType, TypeHead, TypeStore } from './type.ts'
import { readVariant, variantName } from './variant.ts'

export interface TypeRouteNeeds {
  readonly types: TypeStore
  readonly renderer: Pick<Renderer, 'check'>
}

const TYPE = '/:clientId/notifications/:id'
/** The default template of a channel, and one that a send names by its id. */
const TEMPLATES = [
  [`${TYPE}/templates/:channel`, templateDocs(false)],
  [`${TYPE}/templates/:channel/:templateId`, templateDocs(true)]
] as const

export const typeRoutes = ({ types, renderer }: TypeRouteNeeds): Route[] => [
  route('GET', '/:clientId/notifications', 'back-end', listDoc, async ({ env }) => ({
    body: { notifications: (await types.list(env.id)).map(headBody) },
    status: 200
  })),

  route('GET', TYPE, 'back-end', readDoc, async ({ env, params }) => {
    const type = await types.read(env.id, params['id']!)
    if (!type) throw noType(params['id']!)
    return { body: wholeBody(type), status: 200 }
  }),

  route('PUT', TYPE, 'back-end', putDoc, async ({ body, env, params }) => {
    const id = idOf(params)
    const given = parseInput(typeBody, body, { nulls: 'absent' })
    if (given.id !== undefined && given.id !== id) {
      throw invalidFields([{ detail: 'Expected the id of the address, or none.', pointer: '#/id' }])
    }
    refuse(typeFaults(await types.checker(env.id, renderer), given))
    const created = await types.put(env.id, [toNewType(id, given)])
    const type = await types.read(env.id, id)
    // Deleted by another request since.
    if (!type) throw noType(id)
    return { body: wholeBody(type), status: created.has(id) ? 201 : 200 }
  }),

  route('DELETE', TYPE, 'back-end', deleteDoc, async ({ env, params }) => {
    if (!(await types.delete(env.id, params['id']!))) throw noType(params['id']!)
    return { status: 204 }
  }),

  ...TEMPLATES.flatMap(([path, docs]) => [
    route('GET', path, 'back-end', docs.read, async ({ env, params, query }) => {
      const { channel, id } = templateOf(params, query)
      const type = await types.read(env.id, params['id']!)
      if (!type) throw noType(params['id']!)
      const content = type.templates.get(channel)?.get(id)
      if (!content) throw noTemplate(params, query)
      return { body: content, status: 200 }
    }),

    route('PUT', path, 'back-end', docs.put, async ({ body, env, params, query }) => {
      const { channel, id } = templateOf(params, query)
      const content = parseInput(templateSchemas[channel], body, { nulls: 'absent' })
      refuse(templateFaults(await types.checker(env.id, renderer), { channel, content }))
      const done = await types.putTemplate(env.id, idOf(params), { channel, content, id })
      if (!done) throw noType(params['id']!)
      return { body: content, status: done === 'created' ? 201 : 200 }
    }),

    route('DELETE', path, 'back-end', docs.delete, async ({ env, params, query }) => {
      const template = templateOf(params, query)
      if (!(await types.deleteTemplate(env.id, params['id']!, template))) throw noTemplate(params, query)
      return { status: 204 }
    })
  ])
]

type Params = Readonly<Record<string, string>>

function idOf(params: Params): string {
  const read = typeId.safeParse(params['id'])
  if (read.success) return read.data
  throw new Problem('invalid-address', 'The id of a type has 1 to 255 characters and no line breaks.')
}

function templateOf(params: Params, query: URLSearchParams) {
  const channel = channelOf(params['channel']!)
  if (!channel) throw new Problem('not-found', `There is no channel ${JSON.stringify(params['channel'])}.`)
  const id = params['templateId'] ?? ''
  if (id !== '' && !templateId.safeParse(id).success) {
    throw new Problem('invalid-address', 'The id of a template has 1 to 255 characters and no line breaks.')
  }
  const { locale } = parseQuery(templateQuery, query)
  const variant = readVariant(id)
  if (locale !== undefined && variant.locale !== undefined && variant.locale !== locale) {
    throw new Problem('invalid-address', 'The id of the template ends in another language than `locale`.')
  }
  return { channel, id: variantName({ ...variant, ...(locale !== undefined && { locale }) }) }
}

export const noType = (id: string): Problem =>
  new Problem('not-found', `There is no notification type ${JSON.stringify(id)}.`)

const noTemplate = ({ id, channel, templateId: template }: Params, query: URLSearchParams): Problem =>
  new Problem(
    'not-found',
    `The notification type ${JSON.stringify(id)} has no ${template === undefined ? 'default template' : `template ${JSON.stringify(template)}`} for ${channel}${query.has('locale') ? ` in ${query.get('locale')}` : ''}.`
  )

function refuse(errors: readonly FieldProblem[]): void {
  if (errors.length > 0) throw invalidFields(errors)
}

const headBody = ({ id, title, channels, settings, updatedAt }: TypeHead) => ({
  id,
  title,
  channels,
  ...settings,
  updatedAt: updatedAt.toISOString()
})

/** The shape that a PUT takes, so that what was read can be written back. */
const wholeBody = (type: TypeHead & Pick<NotificationType, 'templates'>) => ({
  ...headBody(type),
  templates: Object.fromEntries(
    [...type.templates].flatMap(([channel, byId]) =>
      [...byId].map(([id, content]) => [/^(?:@|$)/.test(id) ? channel + id : `${channel}/${id}`, content])
    )
  )
})
