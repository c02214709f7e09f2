// How fast queued mails leave over SMTP, beside nodemailer with as many connections and the mails already made.
//
// Ours claims, reads the send, renders, makes the plain text, hands over, and writes what came of it to the log.

import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'

import { channelJobs } from '../../server/channels/registry.ts'
import { environmentSettings } from '../../server/config/environment-settings.ts'
import type { Db } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { openQueues } from '../../server/queue/open-queues.ts'
import type { QueueMetrics } from '../../server/queue/queue-job.ts'
import { openAcceptor } from '../../server/send/accept/accept.ts'
import { parseSend } from '../../server/send/parse-send.ts'
import { smtpPeer, type Received } from '../channels/email/smtp-peer.ts'
import { RECORDS } from '../queue/test-queue.ts'
import { PROVIDERS, testKit, type TestKit } from '../send/test-context.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { peer } from './child.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'

const CONNECTIONS = 5
const MAILS = 2000
const WARM = 500
/** About 3 kB, as a mail of a product is. */
const HTML = `<h1>Hello {{ name }}</h1>${'<p style="margin: 0 0 12px">Jonas commented on <a href="https://maps.example/7">Harbour map</a>.</p>'.repeat(30)}`
const SUBJECT = '{{ name }}, there is a new comment'

const environment = { id: 'bench', secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }

const kitOf = (db: Db, smtp: string): TestKit =>
  testKit(db, {
    NOTIF_EMAIL_CONNECTIONS: String(CONNECTIONS),
    NOTIF_PUBLIC_URL: 'https://notif.example',
    NOTIF_SMTP_URL: smtp,
    NOTIF_WEB_PUSH: '0'
  })

async function fill(context: TestKit, mails: number): Promise<void> {
  const acceptor = openAcceptor(context, PROVIDERS)
  await Promise.all(
    Array.from({ length: mails }, async (_, i) => {
      const body = {
        email: { html: HTML, subject: SUBJECT },
        parameters: { name: `User ${i}` },
        to: { email: `user${i}@bench.example`, id: `user${i}` },
        type: 'bench_comment'
      }
      const read = parseSend(body, Date.now(), () => [])
      return acceptor.accept({ ...read, claim: undefined, environment })
    })
  )
  await context.db.groups[0]!.sql.unsafe('vacuum analyze outbox, sends')
}

/** What one side came to in one round. */
interface Sent {
  readonly perSecond: number
  /** Milliseconds of this process for one mail, which hardly depend on what else the machine does. */
  readonly cpu: number
}

async function timed(mails: number, work: () => Promise<void>): Promise<Sent> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const perSecond = mails / ((performance.now() - start) / 1000)
  const { system, user } = process.cpuUsage(before)
  return { cpu: (system + user) / 1000 / mails, perSecond }
}

/** From queued rows to the log of what came of them. */
async function ours(context: TestKit, mails: number): Promise<Sent> {
  await fill(context, mails)
  let sent = 0
  const metrics: QueueMetrics = {
    recordFenced() {},
    recordAttempt({ outcome }) {
      if (outcome === 'sent') sent += 1
    }
  }
  const queues = openQueues(context.db, { ...RECORDS, clock: Date.now, log: context.log, metrics })
  const vapid = { privateKey: '', publicKey: '' }
  queues.add(
    ...channelJobs({ ...context, encryption: TEST_ENCRYPTION, vapid }).filter(
      ({ queue }) => queue === 'EMAIL'
    )
  )
  const result = await timed(mails, async () => {
    queues.start()
    await queues.idle('EMAIL')
  })
  await queues.stop(1000)
  if (sent !== mails) throw new Error(`${sent} of ${mails} mails were sent.`)
  return result
}

/** What the library is given for each mail, made before. */
interface Mail {
  readonly from: { readonly address: string; readonly name: string }
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
  readonly subject: string
  readonly text: string
}

/** The library alone. More wait than are under way, so that no connection is ever idle. */
async function bare(url: string, mails: number, mail: Mail): Promise<Sent> {
  const transport = createTransport({ maxConnections: CONNECTIONS, maxMessages: 1000, pool: true, url })
  let next = 0
  const one = async (): Promise<void> => {
    for (let i = next++; i < mails; i = next++) {
      await transport.sendMail({ ...mail, to: `user${i}@bench.example` })
    }
  }
  const result = await timed(mails, async () => {
    await Promise.all(Array.from({ length: 2 * CONNECTIONS }, one))
  })
  transport.close()
  return result
}

/** One of our mails, taken apart; what the library makes of it has the same parts and about as many bytes. */
async function example(db: Db): Promise<Mail> {
  await using taker = await smtpPeer()
  await ours(kitOf(db, taker.url), 1)
  const [{ raw }] = taker.received as [Received]
  const mail = await PostalMime.parse(raw)
  const headers = mail.headers.filter(({ key }) => key.startsWith('list-'))
  const made: Mail = {
    from: { address: mail.from!.address!, name: mail.from!.name },
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    html: mail.html!,
    subject: mail.subject!,
    text: mail.text!
  }
  await bare(taker.url, 1, made)
  const more = taker.received[1]!.raw.length - raw.length
  if (Math.abs(more) > raw.length / 50) throw new Error(`The library sends ${more} bytes more than we do.`)
  return made
}

export async function email({ rounds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const { db } = database
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: 'bench',
    origins: [],
    secret: 's',
    secureMode: undefined
  })
  const mail = await example(db)
  await using taker = await peer('smtp')
  const url = `smtp://127.0.0.1:${taker.port}`
  const context = kitOf(db, url)
  await ours(context, WARM)
  await bare(url, WARM, mail)
  say(`warmed up by ${2 * WARM} mails`)
  const cpu: Record<'mine' | 'library', number[]> = { library: [], mine: [] }
  const rateOf = async (side: keyof typeof cpu, run: Promise<Sent>): Promise<number> => {
    const sent = await run
    cpu[side].push(sent.cpu)
    return sent.perSecond
  }
  const rates = await inTurns(
    rounds,
    () => rateOf('mine', ours(context, MAILS)),
    () => rateOf('library', bare(url, MAILS, mail))
  )
  return [
    {
      better: 'above',
      ceiling: { name: 'bare nodemailer', value: rates.ceiling },
      facts: {
        connections: CONNECTIONS,
        cpuMs: median(cpu.mine),
        libraryCpuMs: median(cpu.library),
        mails: MAILS
      },
      floor: 0.8,
      goal: 0.9,
      name: 'e-mail, from queued row to log',
      ours: rates.ours,
      ratio: rates.ratio,
      unit: 'mails/s'
    }
  ]
}
