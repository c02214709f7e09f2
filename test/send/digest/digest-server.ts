// A server with users who receive digests, at times that the tests choose.

import type { Channel } from '#protocol'

import type { Delivery as Wanted } from '../../../components/protocol/index.ts'
import type { DeliveryBody } from '../../../server/channels/channel.ts'
import { environmentSettings, type EnvironmentSettings } from '../../../server/config/environment-settings.ts'
import { bucketOf } from '../../../server/core/id.ts'
import { transact } from '../../../server/db/transact.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { openQueues } from '../../../server/queue/open-queues.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import type { DigestLimits } from '../../../server/send/digest/digest-job.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { openSendModule, type SendModule } from '../../../server/send/send-module.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { RECORDS } from '../../queue/test-queue.ts'
import { openTestDb, testDb, type TestDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { testKit, type TestKit } from '../test-context.ts'

export const ENV = 'env'
export const ALL: ReadonlySet<Channel> = new Set<Channel>(['EMAIL', 'SMS', 'PUSH'])

export interface Answered {
  readonly status: number
  readonly trackingId: string
  readonly messages: readonly string[]
}

export interface Item {
  readonly id: string
  readonly channel: string
  readonly key: string
}

export interface Digests extends TestDb {
  readonly context: TestKit
  readonly sender: SendModule
  send(body: object): Promise<Answered>
  /** Default: user u1. */
  want(delivery: Wanted, more?: { channel?: Channel; sub?: string; user?: string }): Promise<void>
  /** Runs the queue over what is due. */
  run(): Promise<void>
  /** Lets the time of every digest come, and runs the queue. */
  comes(): Promise<void>
  items(): Promise<Item[]>
  heads(): Promise<{ until: Date; runAt: Date; period: string; zone: string }[]>
  deliveries(): Promise<{ queue: string; sendId: string; body: DeliveryBody }[]>
  /** By tracking id. */
  logged(id: string): Promise<{ decisions: object; digests: object | null; warnings: string[] } | undefined>
}

export const MAIL = {
  email: { html: '<p>{{ n }}</p>', subject: 'No {{ n }}' },
  to: { email: 'a@b.example', id: 'u1' },
  type: 't'
}

export async function digests(
  limits: Partial<DigestLimits> = {},
  settings: Partial<EnvironmentSettings> = {}
): Promise<Digests> {
  const t = await testDb()
  const { db } = t
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const context = testKit(db)
  const sender = openSendModule(context, ALL, { digest: limits })
  // Two nodes accept in turn.
  const second = await openTestDb({ connections: 4, listenUrl: t.url, url: t.url })
  const nodes = [context, testKit(second)].map(node => openAcceptor(node, ALL))
  let turn = 0
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse(settings) }
  const run = async (): Promise<void> => {
    const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log })
    queues.add(sender.digest)
    queues.start()
    await queues.idle('DIGEST')
    await queues.stop(1000)
  }
  return {
    ...t,
    async [Symbol.asyncDispose]() {
      await second.close()
      await t[Symbol.asyncDispose]()
    },
    async comes() {
      await db.control`
        update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0') where queue = 'DIGEST'`
      await run()
    },
    deliveries: async () => [
      ...(await db.control<{ queue: string; sendId: string; body: DeliveryBody }[]>`
        select queue, send_id as "sendId", body from outbox where queue not in ('DIGEST', 'SCHEDULE', 'EXPIRE')
        order by id`)
    ],
    heads: async () => [
      ...(await db.control<{ until: Date; runAt: Date; period: string; zone: string }[]>`
        select to_timestamp((body ->> 'dueAt')::float8 / 1000) as until, run_at as "runAt",
          body ->> 'period' as period, body ->> 'zone' as zone
        from outbox where queue = 'DIGEST' order by key`)
    ],
    items: async () => [
      ...(await db.control<Item[]>`select id, channel, key from digest_items order by added_at, id`)
    ],
    context,
    async logged(id) {
      const [row] = await db.control<{ decisions: object; digests: object | null; warnings: string[] }[]>`
        select decisions, digests, warnings from sends where id = ${id}`
      return row && { ...row }
    },
    run,
    async send(body) {
      const read = parseSend(body, Date.now(), () => [])
      const answer = await nodes[turn++ % 2]!.accept({ ...read, claim: undefined, environment })
      return { status: answer.status, ...(answer.body as { trackingId: string; messages: string[] }) }
    },
    sender,
    async want(delivery, { channel, sub = '', user = 'u1' } = {}) {
      const key = { bucket: bucketOf(ENV, user), envId: ENV, userId: user }
      const choice = {
        channel: channel ?? '',
        delivery,
        notificationId: 't',
        subNotificationId: sub
      } as const
      // The same as the routes.
      await transact(db.of(key.bucket), tx =>
        changePreferences(tx, key, { choices: [choice], kind: 'merge' })
      )
    }
  }
}
