// A server whose type delays channels, with an inbox that the test reads and a clock of delays that it moves.

import type { Channel } from '#protocol'

import { environmentSettings } from '../../../server/config/environment-settings.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { changeLockedItems, lockInboxes } from '../../../server/inbox/change-items.sql.ts'
import { patchItems } from '../../../server/inbox/patch-items.sql.ts'
import { resurfacing } from '../../../server/inbox/snooze.sql.ts'
import { openQueues, type OpenQueues } from '../../../server/queue/open-queues.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { openSendModule, type SendModule } from '../../../server/send/send-module.ts'
import type { Escalation } from '../../../server/types/escalation.ts'
import { typeSettings } from '../../../server/types/type.ts'
import { transact, userKey } from '../../inbox/test-items.ts'
import { RECORDS } from '../../queue/test-queue.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { testKit, type TestKit } from '../test-context.ts'

/** Of test/inbox/test-items.ts. */
export const ENV = 'env'
export const ALL: ReadonlySet<Channel> = new Set<Channel>(['EMAIL', 'SMS', 'PUSH'])

export const BOTH = {
  email: { html: '<p>x</p>', subject: 'S' },
  inapp: { title: 'Hi' },
  to: { email: 'a@b.example', id: 'u1' },
  type: 't'
}

export const UNLESS_READ: Escalation = { after: '10m', channel: 'EMAIL', unless: 'read' }

interface Logged {
  readonly decisions: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, string>> | null
  readonly warnings: readonly string[]
}

export interface Escalations extends TestDb {
  /** Of the node; that of the database does not change. */
  readonly clock: { offsetMs: number }
  readonly context: TestKit
  readonly sender: SendModule
  /** @returns status, messages and the tracking id */
  send(body?: object): Promise<{ status: number; trackingId: string; messages: readonly string[] }>
  mark(id: string, patch: object, userId?: string): Promise<void>
  /** As the end of a snooze, or an update that asks for it. */
  resurface(id: string): Promise<void>
  /** Lets all delays end, and runs the queue. */
  end(): Promise<void>
  openQueue(): OpenQueues
  rows(): Promise<readonly { queue: string; send_id: string }[]>
  logged(id: string): Promise<Logged>
}

export async function escalations(...escalate: readonly Escalation[]): Promise<Escalations> {
  const t = await testDb()
  const { db } = t
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const clock = { offsetMs: 0 }
  const context = { ...testKit(db), clock: () => Date.now() + clock.offsetMs }
  const settings = typeSettings.parse({ adHoc: true, escalate })
  await context.types.put(ENV, [{ channels: ['INAPP_WEB', 'EMAIL'], id: 't', settings, title: 'T' }])
  const sender = openSendModule(context, ALL)
  const acceptor = openAcceptor(context, ALL)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  const openQueue = (): OpenQueues => {
    const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log, pollMs: 20 })
    queues.add(sender.escalation)
    queues.start()
    return queues
  }
  return {
    ...t,
    clock,
    context,
    async end() {
      await db.control`update outbox set run_at = now() where queue = 'ESCALATE'`
      const queues = openQueue()
      await queues.idle('ESCALATE')
      await queues.stop(1000)
    },
    async logged(id) {
      const [row] = await db.control<
        Logged[]
      >`select decisions, details, warnings from sends where id = ${id}`
      return row!
    },
    async mark(id, patch, userId = 'u1') {
      await transact(db, userId, tx => patchItems(tx, userKey(userId), { trackingIds: [id], ...patch }))
    },
    openQueue,
    rows: async () =>
      db.control<{ queue: string; send_id: string }[]>`
        select queue, send_id from outbox where queue <> 'EXPIRE' order by queue, id`,
    async resurface(id) {
      const user = userKey('u1')
      await transact(db, 'u1', async tx => {
        await lockInboxes(tx, null, [user])
        await changeLockedItems(tx, null, [{ ...user, id }], {
          ...resurfacing(tx),
          condition: tx`i.id = t.id`,
          limits: { maxItems: 1 }
        })
      })
    },
    async send(body = BOTH) {
      const read = parseSend(body, Date.now(), () => [])
      const answer = await acceptor.accept({ ...read, claim: undefined, environment })
      return { status: answer.status, ...(answer.body as { trackingId: string; messages: string[] }) }
    },
    sender
  }
}
