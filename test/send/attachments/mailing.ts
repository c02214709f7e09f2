// Accept, both lanes and a mail server, all real: what a test of files needs from end to end.

import { pino } from 'pino'

import { returnPathOf } from '../../../server/channels/email/bounces/address.ts'
import { filesOf } from '../../../server/channels/email/email-files.ts'
import { emailChannel } from '../../../server/channels/email/email.ts'
import { smtpProvider } from '../../../server/channels/email/smtp.ts'
import { laneOf } from '../../../server/channels/registry.ts'
import { environmentSettings } from '../../../server/config/environment.ts'
import type { Db } from '../../../server/db/db.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { openLanes } from '../../../server/queue/open-queues.ts'
import type { LaneName } from '../../../server/queue/queues.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { fetchLane } from '../../../server/send/attachments/fetch.ts'
import { readSend } from '../../../server/send/parse-send.ts'
import { openSender } from '../../../server/send/send-module.ts'
import { preferencesLinkBuilder } from '../../../server/users/link-pages/preferences-link.ts'
import { unsubscribeLinkBuilder } from '../../../server/users/link-pages/unsubscribe-link.ts'
import { smtpPeer, type Peer } from '../../channels/email/smtp-peer.ts'
import { SEAL } from '../../support/seal.ts'
import { PROVIDERS, testKit, type TestKit } from '../test-context.ts'

export const ENV = 'env'

export interface Mailing extends AsyncDisposable {
  readonly kit: TestKit
  readonly peer: Peer
  readonly lanes: ReturnType<typeof openLanes>
  send(attachments: readonly object[], over?: object): Promise<{ status: number; trackingId: string }>
  /** Until nothing is due in the lanes of mails. */
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

/** @param only - lanes that work. Default: all that mails need */
export async function mailing(
  db: Db,
  env: Readonly<Record<string, string>> = {},
  only?: readonly LaneName[]
): Promise<Mailing> {
  await ensureEnvironment(db, SEAL, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const kit = testKit(db, { NOTIF_ALLOW_PRIVATE: '127.0.0.1', ...env })
  const peer = await smtpPeer()
  const lanes = openLanes(db, { clock: Date.now, log: pino({ level: 'silent' }), poll: 50 })
  const provider = smtpProvider({ connections: kit.config.emailConnections, url: peer.url })
  const sender = openSender(kit, PROVIDERS)
  const works = [
    fetchLane(kit),
    laneOf(
      emailChannel({
        ...kit,
        files: filesOf(db),
        link: unsubscribeLinkBuilder(SEAL, kit.config),
        preferencesLink: preferencesLinkBuilder(SEAL, kit.config),
        provider,
        returnPath: returnPathOf(SEAL, kit.config)
      })
    ),
    sender.schedule,
    sender.digest
  ]
  lanes.add(...works.filter(({ name }) => only?.includes(name) ?? true))
  lanes.start()
  const acceptor = openAcceptor(kit, PROVIDERS)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  const body = {
    email: { html: '<p>Files</p>', subject: 'Files' },
    to: { email: 'a@x.test', id: 'u1' },
    type: 't'
  }
  return {
    async [Symbol.asyncDispose]() {
      await lanes.stop(1000)
      await kit.renderer.close()
      await peer[Symbol.asyncDispose]()
    },
    async counts() {
      const [row] = await db.control<{ files: number; pieces: number }[]>`
        select (select count(*) from attachments where bucket >= 0)::int as files,
          (select count(*) from attachment_parts where bucket >= 0)::int as pieces`
      const waiting = await db.control<
        { lane: string }[]
      >`select lane from outbox where bucket >= 0 order by id`
      const dead = await db.control<{ code: string; detail: string }[]>`
        select code, detail from dead_letters where bucket >= 0 order by id`
      return { ...row!, dead: [...dead], waiting: waiting.map(one => one.lane) }
    },
    kit,
    lanes,
    async pass(seconds) {
      await db.control`update outbox set run_at = run_at - make_interval(secs => ${seconds}) where bucket >= 0`
    },
    peer,
    async send(attachments, over = {}) {
      const wanted = { ...body, options: { email: { attachments } }, ...over }
      const read = readSend(wanted, kit.config, Date.now(), () => [])
      const answer = await acceptor.accept({ ...read, claim: undefined, environment })
      return { status: answer.status, ...(answer.body as { trackingId: string }) }
    },
    async settle() {
      await lanes.idle('SCHEDULE')
      await lanes.idle('DIGEST')
      await lanes.idle('FETCH')
      await lanes.idle('EMAIL')
    }
  }
}
