// A server with the routes of sends and schedules, whose queue the test runs.

import assert from 'node:assert/strict'

import type { ClaimedRow } from '../../../server/queue/outbox.sql.ts'
import { claim } from '../../../server/queue/outbox.sql.ts'
import type { SendModule, SendModuleLimits } from '../../../server/send/send-module.ts'
import { asBackEnd, CLIENT, serve, type Served } from '../../http/serve.ts'
import { PROVIDERS, testKit, testSender, type TestKit } from '../test-context.ts'

export interface Answered {
  readonly status: number
  readonly body: {
    readonly trackingId: string
    readonly schedule: string
    readonly messages: string[]
    readonly message: string
    readonly detail: string
    readonly errors?: { readonly pointer: string; readonly detail: string }[]
    readonly request: Readonly<Record<string, unknown>>
    readonly schedules: { readonly trackingId: string; readonly schedule: string }[]
    readonly next?: string
  }
}

export interface Scheduling extends Served {
  readonly context: TestKit
  readonly sender: SendModule
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answered>
  /** @param ms - from now. @returns the tracking id */
  later(body: object, ms?: number): Promise<string>
  /** Makes a schedule due and takes it as the queue does. */
  claimNow(id: string): Promise<ClaimedRow[]>
  runQueue(rows: readonly ClaimedRow[]): Promise<void>
}

export const HOUR = 3_600_000
export const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

export async function scheduling(
  env: Readonly<Record<string, string>> = {},
  limits: SendModuleLimits = {}
): Promise<Scheduling> {
  let context: TestKit
  let sender: SendModule
  const served = await serve(db => {
    context = testKit(db, env)
    sender = testSender(context, PROVIDERS, limits)
    return sender.routes
  }, env)
  const [group] = served.db.groups
  const ask: Scheduling['ask'] = async (method, path, body, headers = {}) => {
    const answer = await served.fetch(`/${CLIENT}${path}`, {
      headers: { ...asBackEnd, ...headers },
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { body: (await answer.json()) as Answered['body'], status: answer.status }
  }
  return {
    ...served,
    ask,
    async claimNow(id) {
      await served.db.control`update outbox set run_at = now() where id = ${id}`
      const rows = await claim(group!, {
        queue: 'SCHEDULE',
        leaseMs: 60_000,
        limit: 1,
        minRunAt: new Date(0)
      })
      assert.equal(rows[0]?.id, id)
      return rows
    },
    context: context!,
    async later(body, ms = HOUR) {
      const { body: answer, status } = await ask('POST', '/sender', { schedule: at(ms), ...body })
      assert.ok(status < 300, JSON.stringify(answer))
      return answer.trackingId
    },
    runQueue: rows => sender.schedule.run(rows, group!),
    sender: sender!
  }
}
