// A back end that sends and reads the log: the real routes and queues, with a provider whose outcomes the test decides.

import type { LogRecord } from '../../server/client/logs.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db } from '../../server/db/db.ts'
import { logRoutes } from '../../server/logs/route.ts'
import { deadLetterRoutes } from '../../server/queue/dead-letters/route.ts'
import { openQueues, type OpenQueues } from '../../server/queue/open-queues.ts'
import type { ClaimedRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { openSendModule } from '../../server/send/send-module.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, serve, type Served } from '../http/serve.ts'
import { RECORDS } from '../queue/test-queue.ts'
import { PROVIDERS, testKit, type TestKit } from '../send/test-context.ts'

export interface Json {
  readonly [key: string]: unknown
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

export interface Found {
  readonly logs: readonly LogRecord[]
  readonly next?: string
}

export interface Desk extends Served {
  readonly context: TestKit
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>
  ): Promise<Reply>
  /** @returns the tracking id */
  send(body: Json, clientId?: string): Promise<string>
  query(body: Json, clientId?: string): Promise<Found>
  /** Outcome of each later email. */
  provider: (row: ClaimedRow, attempt: number) => Outcome
  /** Delivers until nothing is due. */
  drain(): Promise<void>
}

interface DeskLimits extends NonNullable<Parameters<typeof logRoutes>[1]> {
  readonly deadLetters?: number
  /** The database as this process sees it. Default: one group */
  readonly view?: (db: Db) => Db
}

export async function openDesk({ view = db => db, ...limits }: DeskLimits = {}): Promise<Desk> {
  let context: TestKit
  let sender: ReturnType<typeof openSendModule>
  const served = await serve((db: Db) => {
    context = testKit(view(db))
    sender = openSendModule(context, PROVIDERS)
    return [...sender.routes, ...logRoutes(context, limits), ...deadLetterRoutes(context, limits.deadLetters)]
  })

  const credentials = (clientId: string) =>
    clientId === OTHER ? basic(`${OTHER}:${OTHER_SECRET}`) : asBackEnd

  const ask: Desk['ask'] = async (method, path, body, headers = {}) => {
    const answer = await served.fetch(path, {
      headers: { ...credentials(path.split('/')[1]!), ...headers },
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return {
      body: (text === '' ? {} : JSON.parse(text)) as Json,
      headers: answer.headers,
      status: answer.status
    }
  }

  const desk: Desk = Object.assign(served, {
    ask,
    async drain() {
      const queues: OpenQueues = openQueues(context.db, {
        ...RECORDS,
        clock: Date.now,
        log: createLog('silent'),
        pollMs: 20
      })
      queues.add(
        {
          kind: 'delivery',
          queue: 'EMAIL',
          prepare:
            () =>
            async (row, { number }) =>
              desk.provider(row, number),
          concurrency: 10,
          timeoutMs: 5000,
          whenUncertain: 'retry'
        },
        sender!.schedule
      )
      queues.start()
      await queues.idle('SCHEDULE')
      await queues.idle('EMAIL')
      await queues.stop(1000)
    },
    context: context!,
    provider: (): Outcome => ({ kind: 'sent', ref: 'r' }),
    async query(body: Json, clientId = CLIENT) {
      const reply = await ask('POST', `/${clientId}/logs/query`, body)
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
      return reply.body as unknown as Found
    },
    async send(body: Json, clientId = CLIENT) {
      const reply = await ask('POST', `/${clientId}/sender`, body)
      if (reply.status > 202) throw new Error(JSON.stringify(reply.body))
      return reply.body['trackingId'] as string
    }
  })
  return desk
}

export const mail = (id: string, more: Json = {}): Json => ({
  email: { html: '<p>x</p>', subject: 'S' },
  to: { email: `${id}@example.com`, id },
  type: 'invoice',
  ...more
})

export const inapp = (id: string, more: Json = {}): Json => ({
  inapp: { title: 'Hi' },
  to: { id },
  type: 'comment',
  ...more
})

export const idsOf = ({ logs }: Found): string[] => logs.map(({ trackingId }) => trackingId)

export const pointersOf = ({ body }: Reply): string[] =>
  ((body['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
