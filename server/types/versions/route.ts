// Versions of types over HTTP, for back ends: list, read, save a draft, publish or roll back, compare, and write as a file.

import type { Db } from '../../db/db.ts'
import { toCursor } from '../../http/cursor.ts'
import { etagOf, preconditionOf, putAnswer } from '../../http/etag.ts'
import { parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem, type FieldProblem } from '../../http/problem.ts'
import { ok, route, type Answer, type Route } from '../../http/route.ts'
import { templateFaults, toNewType } from '../check-templates.ts'
import type { Checker } from '../partials/check-partials.ts'
import { parseTypeId, throwFaults, typeCheckOf, typeNotFound } from '../route.ts'
import { isChannel } from '../template-rows.ts'
import { templateMapKey, toBody } from '../type-body.ts'
import { toTypeFile } from '../type-file.ts'
import type { TypeStore } from '../type.ts'
import { diffTexts } from './diff.ts'
import { diffDoc, draftDocs, exportDoc, listDoc, publishDoc, readDoc } from './doc.ts'
import { diffQuery, draftBody, exportQuery, parseVersionName, publishBody, versionsQuery } from './schema.ts'
import type { Version, VersionContent, VersionHead, VersionName } from './version.ts'
import { listPublications, listVersions, publishVersion, readVersion, saveDraft } from './versions.sql.ts'

export interface VersionRouteOptions {
  readonly db: Pick<Db, 'control'>
  readonly renderer: Checker
  readonly types: Pick<TypeStore, 'checkerFor' | 'forget' | 'read'>
}

const TYPE = '/:clientId/notifications/:id'
/** Publications beside the first page of versions. */
const SHOWN_PUBLICATIONS = 20

export const versionRoutes = ({ db, renderer, types }: VersionRouteOptions): Route[] => {
  const find = async (envId: string, id: string, name: VersionName): Promise<Version> => {
    const version = await readVersion(db.control, envId, id, name)
    if (version) return version
    if (await types.read(envId, id)) throw versionNotFound(id, name)
    throw typeNotFound(id)
  }
  const toAnswer = async (envId: string, id: string, version: Version, status = 200): Promise<Answer> => ({
    body: toVersionBody(id, version, contentFaults(await types.checkerFor(envId, renderer), version.content)),
    headers: { etag: etagOf(saveState(version)) },
    status
  })

  return [
    route('GET', `${TYPE}/versions`, 'back-end', listDoc, async ({ env, params, query }) => {
      const { count, cursor: before } = parseQuery(versionsQuery, query)
      const id = params['id']!
      const [found, publications] = await Promise.all([
        listVersions(db.control, env.id, id, { before, limit: count + 1 }),
        before === undefined ? listPublications(db.control, env.id, id, SHOWN_PUBLICATIONS) : []
      ])
      if (!found) throw typeNotFound(id)
      return ok({
        publications: publications.map(({ at, by, version }) => ({ at: at.toISOString(), by, version })),
        versions: found.slice(0, count).map(toHeadBody),
        ...(found.length > count && { next: toCursor(found[count - 1]!.number) })
      })
    }),

    route('GET', `${TYPE}/versions/:version`, 'back-end', readDoc, async ({ env, params }) => {
      const id = params['id']!
      const name = parseVersionName(params['version']!)
      if (name === undefined)
        throw new Problem('invalid-address', 'Expected the number of a version, `latest` or `published`.')
      return toAnswer(env.id, id, await find(env.id, id, name))
    }),

    route('GET', `${TYPE}/draft`, 'back-end', draftDocs.read, async ({ env, params }) => {
      const id = params['id']!
      return toAnswer(env.id, id, await find(env.id, id, 'latest'))
    }),

    route('PUT', `${TYPE}/draft`, 'back-end', draftDocs.save, async call => {
      const { actor, body, env, params } = call
      const id = parseTypeId(params)
      const { id: _, note, ...given } = parseInput(draftBody, body, { nulls: 'absent' })
      const check = preconditionOf(call)
      const saved = await saveDraft(db, env.id, toNewType(id, given), {
        by: actor,
        check: check && (newest => check(saveState(newest))),
        note
      })
      if (!saved) throw typeNotFound(id)
      return toAnswer(env.id, id, saved.version, saved.isNew ? 201 : 200)
    }),

    route('POST', `${TYPE}/publish`, 'back-end', publishDoc, async call => {
      const { actor, body, env, params } = call
      const id = params['id']!
      const { version: number } = parseInput(publishBody, body)
      const checker = await types.checkerFor(env.id, renderer)
      const isMatch = typeCheckOf(call)
      const published = await publishVersion(db, env.id, id, number, {
        by: actor,
        check: async ({ content }, tx) => {
          isMatch?.(await types.read(env.id, id, tx))
          throwFaults(contentFaults(checker, content))
        }
      })
      if (!published) {
        if (await types.read(env.id, id)) throw versionNotFound(id, number)
        throw typeNotFound(id)
      }
      types.forget(env.id)
      const type = await types.read(env.id, id)
      // Another request deleted it in the meantime.
      if (!type) throw typeNotFound(id)
      return putAnswer(toBody(type), false)
    }),

    route('GET', `${TYPE}/diff`, 'back-end', diffDoc, async ({ env, params, query }) => {
      const id = params['id']!
      const names = parseQuery(diffQuery, query)
      const from = await find(env.id, id, names.from)
      const to = await find(env.id, id, names.to)
      const [before, after] = [from, to].map(({ content }) => toTypeFile(id, content).text)
      return ok({
        from: from.number,
        to: to.number,
        ...diffTexts(before!, after!, [`version ${from.number}`, `version ${to.number}`])
      })
    }),

    route('GET', `${TYPE}/export`, 'back-end', exportDoc, async ({ env, params, query }) => {
      const id = params['id']!
      const { version } = parseQuery(exportQuery, query)
      return ok(toTypeFile(id, (await find(env.id, id, version)).content))
    })
  ]
}

const versionNotFound = (id: string, name: VersionName): Problem =>
  new Problem(
    'not-found',
    `The notification type ${JSON.stringify(id)} has no version ${name}. Old versions are deleted.`
  )

/** What the ETag of a draft stands for: it changes with each saved version, and not when one is published. */
const saveState = ({ number }: Pick<Version, 'number'>) => ({ number })

const toHeadBody = ({ createdAt, createdBy, isPublished, note, number }: VersionHead) => ({
  number,
  createdAt: createdAt.toISOString(),
  createdBy,
  ...(note !== null && { note }),
  isPublished
})

function toVersionBody(id: string, version: Version, faults: readonly FieldProblem[]) {
  const { channels, settings, templates, title } = version.content
  return {
    ...toHeadBody(version),
    faults,
    type: {
      id,
      title,
      channels,
      ...settings,
      templates: Object.fromEntries(templates.map(one => [templateMapKey(one.channel, one.id), one.content]))
    }
  }
}

/** Faults of templates as the body of a type has them. */
export const contentFaults = (
  checker: Checker,
  { templates }: Pick<VersionContent, 'templates'>
): FieldProblem[] =>
  templates.flatMap(({ channel, content, id }) =>
    isChannel(channel)
      ? templateFaults(checker, { channel, content }, ['templates', templateMapKey(channel, id)])
      : []
  )
