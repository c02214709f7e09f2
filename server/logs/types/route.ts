// What the log says about notification types, for back ends: an overview of all types, and the variables of recent sends.

import type { Channel } from '#protocol'

import { retentionInDays } from '../../config/environment-settings.ts'
import { lowestIdAt } from '../../core/id.ts'
import { toCursor } from '../../http/cursor.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { isMissingVariableWarning } from '../../send/plan/variable-warnings.ts'
import { templateData } from '../../send/send-request.ts'
import { typeNotFound } from '../../types/route.ts'
import { isChannel } from '../../types/template-rows.ts'
import { EMAIL_LINKS } from '../../types/templates/email.ts'
import type { StoredType } from '../../types/type.ts'
import { toDay } from '../stats.ts'
import { countByDay } from './day-counts.ts'
import { overviewDoc, variablesDoc } from './doc.ts'
import { findIncomplete, localesByChannel, type Incomplete } from './needs-look.ts'
import { readDayCounts, readTypePage, recentWarningsStatement, type TypeRow } from './overview.sql.ts'
import { typesQuery } from './schema.ts'
import { readLastDay, readRecentSends, type RecentSend } from './type-sends.sql.ts'
import { listVariables } from './variables.ts'

const DAY_MS = 86_400_000
/** Days of the overview, today included. */
export const OVERVIEW_DAYS = 14
/** Sends whose parameters are read. */
const MAX_READ_SENDS = 25
/** Templates that are compared with the parameters of the sends. */
const MAX_COMPARED_TEMPLATES = 50

export const typeLogRoutes = ({
  clock,
  config,
  db,
  renderer,
  types
}: Pick<Context, 'clock' | 'config' | 'db' | 'renderer' | 'types'>): Route[] => [
  route('GET', '/:clientId/types', 'back-end', overviewDoc, async ({ env, query }) => {
    const { count, cursor: after } = parseQuery(typesQuery, query)
    const now = clock()
    const days = Array.from({ length: OVERVIEW_DAYS }, (_, i) =>
      toDay(now - (OVERVIEW_DAYS - 1 - i) * DAY_MS)
    )
    const rows = await readTypePage(db.control, env.id, { after, limit: count + 1 })
    const page = rows.slice(0, count)
    const ids = page.map(({ id }) => id)
    const since = lowestIdAt(now - retentionInDays(env.settings, config) * DAY_MS)
    const [counts, warnings] = await Promise.all([
      Promise.all(db.groups.map(group => readDayCounts(group, env.id, ids, days[0]!))),
      Promise.all(
        db.groups.map(
          group =>
            group.sql<{ type: string; warning: string }[]>`${recentWarningsStatement(group, env.id, since)}`
        )
      )
    ])
    const warned = Map.groupBy(
      warnings.flat().filter(({ warning }) => isMissingVariableWarning(warning)),
      ({ type }) => type
    )
    const byType = Map.groupBy(counts.flat(), ({ value }) => value)
    return ok({
      days,
      types: page.map(row => ({
        ...toOverview(
          row,
          (warned.get(row.id) ?? []).map(({ warning }) => warning)
        ),
        ...countByDay(byType.get(row.id) ?? [], days)
      })),
      ...(rows.length > count && { next: toCursor(page.at(-1)!.id) })
    })
  }),

  route(
    'GET',
    '/:clientId/notifications/:id/variables',
    'back-end',
    variablesDoc,
    async ({ env, params }) => {
      const id = params['id']!
      const type = await types.read(env.id, id)
      if (!type) throw typeNotFound(id)
      const now = clock()
      const oldest = now - retentionInDays(env.settings, config) * DAY_MS
      const window = { envId: env.id, limit: MAX_READ_SENDS, type: id }
      let sends = await readRecentSends(db, { ...window, from: oldest, to: now + DAY_MS })
      if (sends.length === 0) {
        const day = await readLastDay(db, window, toDay(oldest), toDay(now + DAY_MS))
        if (day !== undefined) {
          const from = Math.max(oldest, Date.parse(day))
          sends = await readRecentSends(db, { ...window, from, to: Date.parse(day) + DAY_MS })
        }
      }
      const whole = { ...type, templates: await types.expandTemplates(env.id, type.templates) }
      return ok({
        missing: findMissing(renderer, whole, sends),
        sends: sends.map(send => send.id),
        variables: listVariables(sends.map(({ parameters }) => parameters))
      })
    }
  )
]

/** What a parameter that no recent send has is read by: the names, by channel and template. */
function findMissing(
  renderer: Pick<Context['renderer'], 'findMissing'>,
  { templates }: Pick<StoredType, 'templates'>,
  sends: readonly RecentSend[]
) {
  const compared = [...templates]
    .flatMap(([channel, byName]) =>
      [...byName].map(([template, content]) => ({ channel, content, template }))
    )
    .slice(0, MAX_COMPARED_TEMPLATES)
  return compared.flatMap(({ channel, content, template }) => {
    const counts = new Map<string, number>()
    for (const { parameters, userId } of sends) {
      const data = {
        ...(channel === 'EMAIL' && EMAIL_LINKS),
        ...templateData({ parameters: parameters as never }, { id: userId }, template)
      }
      for (const name of renderer.findMissing({ channel, content, data }))
        counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return [...counts].map(([name, count]) => ({ channel, count, name, template }))
  })
}

function toOverview(row: TypeRow, warnings: readonly string[]) {
  const { enabled, id, latest, managedBy, templates, title, updatedAt, version } = row
  const channels = row.channels.filter(isChannel)
  const names = new Map<Channel, string[]>()
  for (const { channel, id: name } of templates) {
    if (isChannel(channel)) names.set(channel, [...(names.get(channel) ?? []), name])
  }
  const needsLook: Incomplete[] = [
    ...findIncomplete({ channels, names }),
    ...warnings.map(detail => ({ code: 'missing-variables' as const, detail }))
  ]
  return {
    id,
    title,
    enabled,
    channels: channels.length > 0 ? channels : [...names.keys()],
    updatedAt: updatedAt.toISOString(),
    ...(version !== null && { version }),
    ...(latest !== null && latest !== version && { draft: latest }),
    ...(managedBy === 'files' && { managedBy }),
    locales: localesByChannel(names),
    needsLook
  }
}
