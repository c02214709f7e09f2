// GET /{clientId}/status: what is going out, what waits and what needs somebody, for the first look at an environment.
// GET /{clientId}/status/history: deliveries by channel over a day or a week.
//
// Nothing here is counted over a table that grows: series are in small tables, and the other counts stop at a limit.

import { CHANNEL_QUEUES } from '../../channels/provider-names.ts'
import type { DeliveryHistory, EnvironmentStatus } from '../../client/status.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { bucketOfCounts } from '../../logs/counts.sql.ts'
import type { Context } from '../../process/context.ts'
import { readDeadLetterGroups } from '../../queue/dead-letters/dead-letters.sql.ts'
import { mergeGroups } from '../../queue/dead-letters/groups.ts'
import { readPauses } from '../../queue/pauses/pauses.sql.ts'
import { readWaiting } from '../../queue/status/waiting.sql.ts'
import { readNodes, type NodeRow } from '../nodes/nodes.sql.ts'
import { ping } from '../ping.sql.ts'
import { readEndingKeys, readSecretEnd, readTypeTitles, readUnsendable } from './attention.sql.ts'
import { MAX_ATTENTION, toAttention } from './attention.ts'
import { createDatabaseSize } from './database-size.ts'
import { historyDoc, historyQuery, statusDoc } from './doc.ts'
import { toQueues } from './queue-state.ts'
import { readSeries, readUsualRate } from './read-series.ts'
import { LAST_HOUR, SPANS } from './series.ts'

const MAX_CAUSES = 10
/** Dead letters of a cause that are counted. */
export const MAX_COUNTED = 1000
/** Keys that end later are not in the answer. */
const KEY_DAYS = 14

type StatusContext = Pick<Context, 'clock' | 'config' | 'db'>

const toNode = ({ id, role, seenAt, startedAt, version }: NodeRow) => ({
  id,
  role,
  version,
  startedAt: startedAt.toISOString(),
  seenAt: seenAt.toISOString()
})

const probesOf = (nodes: readonly NodeRow[]): EnvironmentStatus['email'] =>
  nodes.find(({ state }) => state.probes.length > 0)?.state.probes ?? []

async function readDeadLetters({ db }: StatusContext, envId: string) {
  const groups = await Promise.all(
    db.groups.map(group => readDeadLetterGroups(group, envId, MAX_CAUSES + 1, MAX_COUNTED))
  )
  const { all, hasMore } = mergeGroups(groups.flat(), MAX_CAUSES, MAX_COUNTED)
  return {
    causes: all,
    count: all.reduce((sum, { count }) => sum + count, 0),
    isAtLeast: hasMore || all.some(({ isAtLeast }) => isAtLeast),
    more: hasMore
  }
}

async function readUnsendableTypes({ db }: StatusContext, envId: string) {
  const counts = await Promise.all(
    db.groups.map(group => readUnsendable(group, bucketOfCounts(group), envId, MAX_ATTENTION))
  )
  const unsendable = counts.flat()
  const ids = [...new Set(unsendable.map(({ type }) => type))]
  return { types: ids.length > 0 ? await readTypeTitles(db.control, envId, ids) : [], unsendable }
}

export function statusRoutes(context: StatusContext): Route[] {
  const { config, db } = context
  const readSize = createDatabaseSize(db)
  return [
    route('GET', '/:clientId/status', 'back-end', statusDoc, async ({ env: { id } }) => {
      const [
        series,
        usual,
        deadLetters,
        unsendable,
        nodes,
        pauses,
        waiting,
        keys,
        secretEnd,
        state,
        sizeBytes
      ] = await Promise.all([
        readSeries(context, id, LAST_HOUR),
        readUsualRate(context, id),
        readDeadLetters(context, id),
        readUnsendableTypes(context, id),
        readNodes(db.control),
        readPauses(db.control),
        Promise.all(db.groups.map(group => readWaiting(group, id, CHANNEL_QUEUES))),
        readEndingKeys(db.control, id, KEY_DAYS, MAX_ATTENTION),
        readSecretEnd(db.control, id),
        ping(db),
        readSize()
      ])
      const email = probesOf(nodes)
      const status: EnvironmentStatus = {
        at: new Date(context.clock()).toISOString(),
        database: { state, ...(sizeBytes !== undefined && { sizeBytes }) },
        nodes: nodes.map(toNode),
        sockets: nodes.reduce((sum, node) => sum + node.state.sockets, 0),
        email,
        queues: toQueues({ config, nodes, pauses, waiting: waiting.flat() }),
        minutes: series.steps,
        channels: series.channels,
        lastHour: series.total,
        ...(usual && { usual }),
        deadLetters,
        attention: toAttention({ ...unsendable, causes: deadLetters.causes, email, keys, secretEnd })
      }
      return ok(status)
    }),

    route('GET', '/:clientId/status/history', 'back-end', historyDoc, async ({ env, query }) => {
      const { span } = parseQuery(historyQuery, query)
      const { minutes } = SPANS[span]
      const history: DeliveryHistory = {
        span,
        stepMinutes: minutes,
        ...(await readSeries(context, env.id, SPANS[span]))
      }
      return ok(history)
    })
  ]
}
