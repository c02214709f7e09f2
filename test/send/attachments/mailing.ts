// Runs accept, the queues FETCH and EMAIL and a fake mail server, for tests of attachments.

import { pino } from 'pino'

import { createDeliveryJob } from '../../../server/channels/delivery-job.ts'
import { createReturnPaths } from '../../../server/channels/email/bounces/address.ts'
import { createFileLoader } from '../../../server/channels/email/email-files.ts'
import { createEmailChannel } from '../../../server/channels/email/email.ts'
import { openSmtpProvider } from '../../../server/channels/email/smtp.ts'
import { environmentSettings } from '../../../server/config/environment-settings.ts'
import type { Db } from '../../../server/db/db.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { openQueues } from '../../../server/queue/open-queues.ts'
import type { QueueName } from '../../../server/queue/queues.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { fetchJob, type FetchOptions } from '../../../server/send/attachments/fetch.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { openSendModule } from '../../../server/send/send-module.ts'
import {
  preferencesLinkBuilder,
  unsubscribeLinkBuilder
} from '../../../server/users/link-pages/link-token.ts'
import { smtpPeer, type Peer } from '../../channels/email/smtp-peer.ts'
import { passTime, RECORDS } from '../../queue/test-queue.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { PROVIDERS, testKit, type TestKit } from '../test-context.ts'

export const ENV = 'env'

export interface Mailing extends AsyncDisposable {
  readonly context: TestKit
  readonly peer: Peer
  readonly queues: ReturnType<typeof openQueues>
  send(attachments: readonly object[], over?: object): Promise<{ status: number; trackingId: string }>
  /** Until nothing is due in the queues of mails. */
  settle(): Promise<void>
  /** Moves what waits. */
  pass(seconds: number): Promise<void>
  counts(): Promise<{
    files: number
    pieces: number
    waiting: string[]
    dead: { code: string; detail: string }[]
  }>
}

interface MailingOptions extends Pick<FetchOptions, 'maxWaitingBytes'> {
  /** Queues that work. Default: all that emails need. */
  readonly only?: readonly QueueName[]
}

export async function mailing(
  db: Db,
  env: Readonly<Record<string, string>> = {},
  { maxWaitingBytes, only }: MailingOptions = {}
): Promise<Mailing> {
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const context = testKit(db, { NOTIF_ALLOW_PRIVATE: '127.0.0.1', ...env })
  const peer = await smtpPeer()
  const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: pino({ level: 'silent' }), pollMs: 50 })
  const provider = openSmtpProvider({ connections: context.config.emailConnections, url: peer.url })
  const sender = openSendModule(context, PROVIDERS)
  const works = [
    fetchJob({ ...context, ...(maxWaitingBytes !== undefined && { maxWaitingBytes }) }),
    createDeliveryJob(
      createEmailChannel({
        ...context,
        loadFiles: createFileLoader(db),
        buildUnsubscribeLink: unsubscribeLinkBuilder(TEST_ENCRYPTION, context.config),
        buildPreferencesLink: preferencesLinkBuilder(TEST_ENCRYPTION, context.config),
        provider,
        buildReturnPath: createReturnPaths(TEST_ENCRYPTION, context.config)
      })
    ),
    sender.schedule,
    sender.digest
  ]
  queues.add(...works.filter(({ queue }) => only?.includes(queue) ?? true))
  queues.start()
  const acceptor = openAcceptor(context, PROVIDERS)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  const body = {
    email: { html: '<p>Files</p>', subject: 'Files' },
    to: { email: 'a@x.test', id: 'u1' },
    type: 't'
  }
  return {
    async [Symbol.asyncDispose]() {
      await queues.stop(1000)
      await context.renderer.close()
      await peer[Symbol.asyncDispose]()
    },
    async counts() {
      const [row] = await db.control<{ files: number; pieces: number }[]>`
        select (select count(*) from attachments where bucket >= 0)::int as files,
          (select count(*) from attachment_parts where bucket >= 0)::int as pieces`
      const waiting = await db.control<
        { queue: string }[]
      >`select queue from outbox where bucket >= 0 order by id`
      const dead = await db.control<{ code: string; detail: string }[]>`
        select code, detail from dead_letters where bucket >= 0 order by id`
      return { ...row!, dead: [...dead], waiting: waiting.map(one => one.queue) }
    },
    context,
    queues,
    async pass(seconds) {
      await passTime(db, seconds)
    },
    peer,
    async send(attachments, over = {}) {
      const wanted = { ...body, options: { email: { attachments } }, ...over }
      const read = parseSend(wanted, Date.now(), () => [])
      const answer = await acceptor.accept({ ...read, claim: undefined, environment })
      return { status: answer.status, ...(answer.body as { trackingId: string }) }
    },
    async settle() {
      await queues.idle('SCHEDULE')
      await queues.idle('DIGEST')
      await queues.idle('FETCH')
      await queues.idle('EMAIL')
    }
  }
}
