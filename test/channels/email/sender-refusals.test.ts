// A mail server that refuses the sender or the account: emails wait, the queue says why, and others are not held up.

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { pino } from 'pino'

import { healthRoutes } from '../../../server/admin/health.ts'
import type { Delivery } from '../../../server/channels/channel.ts'
import type { EmailMessage } from '../../../server/channels/email/email.ts'
import { trackSenderRefusals, SENDER_REFUSED } from '../../../server/channels/email/sender-refusals.ts'
import { openSmtpProvider, toOutcome } from '../../../server/channels/email/smtp.ts'
import type { Outcome } from '../../../server/queue/outcome.ts'
import { serve } from '../../http/serve.ts'
import { deadIn, deliver, newRow, openTestQueues, passTime, put, waitingIn } from '../../queue/test-queue.ts'
import { testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { smtpPeer } from './smtp-peer.ts'

const bare = (address: string) => ({ address, name: '' })
const mail = (to: string, from = 'ferry@x.test'): EmailMessage => ({
  attachments: [],
  bcc: [],
  cc: [],
  from: bare(from),
  messageId: `<${to}>`,
  replyTo: [],
  size: 100,
  subject: 'Boarding',
  text: 'now',
  to: bare(to)
})

const REFUSED = '553 5.7.1 sender rejected'

test('emails wait for a broken account, with one warning and a line in readiness', async () => {
  await using t = await testDb()
  await using peer = await smtpPeer()
  peer.refuse = { sender: () => REFUSED }
  const lines: { readonly event: string; readonly code?: string }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    }
  })
  let now = 0
  await using queues = openTestQueues(t.db, { clock: () => Date.now() + now, log: pino(stream) as never })
  const provider = openSmtpProvider({ connections: 2, url: peer.url })
  queues.add(
    deliver((row, call) => provider.send(mail(`${row.userId}@x.test`), { id: row.id } as Delivery, call))
  )
  await using server = await serve(() => healthRoutes(t.db, { draining: () => false, paused: queues.paused }))
  await put(
    t.db,
    Array.from({ length: 6 }, (_, n) => newRow(`u${n}`))
  )
  queues.start()
  await until(() => queues.paused().length > 0, 'the queue is paused')
  const afterPause = async (): Promise<void> => {
    await queues.idle('EMAIL')
    await passTime(t.db, 3600)
    now += 3_600_000
    await queues.idle('EMAIL')
  }
  // More pauses than a message has attempts.
  for (let n = 0; n < 10; n++) await afterPause()
  assert.equal((await deadIn(t.db)).length, 0)
  const waiting = await waitingIn(t.db)
  assert.deepEqual(
    waiting.map(row => row.attempts_left),
    [8, 8, 8, 8, 8, 8]
  )
  const readiness = (await (await server.fetch('/readyz')).json()) as { paused: { code: string }[] }
  assert.deepEqual(
    readiness.paused.map(({ code }) => code),
    [SENDER_REFUSED]
  )
  const pauses = lines.filter(({ event }) => event === 'queue_paused')
  assert.deepEqual(
    pauses.map(({ code }) => code),
    [SENDER_REFUSED]
  )
  peer.refuse = undefined
  await afterPause()
  assert.equal(peer.received.length, 6)
  assert.deepEqual(queues.paused(), [])
  await provider.close()
})

test('warns once about dead letters with the same code', async () => {
  await using t = await testDb()
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  await using queues = openTestQueues(t.db, { log: pino(stream) as never })
  queues.add(deliver(async row => ({ code: row.userId.slice(0, 3), detail: 'a@x.test', kind: 'dead' })))
  await put(
    t.db,
    ['550-a', '550-b', '552-a', '550-c'].map(user => newRow(user))
  )
  queues.start()
  await queues.idle('EMAIL')
  assert.equal((await deadIn(t.db)).length, 4)
  const warnings = lines.filter(line => line.includes('delivery_died'))
  assert.deepEqual(warnings.map(line => JSON.parse(line).code).toSorted(), ['550', '552'])
  assert.doesNotMatch(lines.join(''), /a@x\.test/)
})

test('tells a refused sender or account from a refused recipient or content', () => {
  const kindOf = (command: string, message: string): string => {
    const outcome = toOutcome({ command, message, responseCode: Number(message.slice(0, 3)) })
    return outcome.code === SENDER_REFUSED ? outcome.kind : `${outcome.kind} ${outcome.code}`
  }
  for (const [command, message] of [
    ['MAIL FROM', REFUSED],
    ['MAIL FROM', '550 Sender not allowed'],
    ['MAIL FROM', '554 5.7.1 Account suspended'],
    ['MAIL FROM', '451 4.7.1 Your account is temporarily blocked'],
    ['RCPT TO', '553 5.7.1 <us@x.test>: Sender address rejected: not owned by user us'],
    ['RCPT TO', '550 5.1.8 Bad sender'],
    ['DATA', '554 Message rejected: Email address is not verified.'],
    ['DATA', '550 The from address does not match a verified Sender Identity.'],
    ['DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
    ['DATA', '550 5.4.5 Daily user sending limit exceeded.']
  ] as const) {
    assert.equal(kindOf(command, message), 'pause', message)
  }
  for (const [command, message, outcome] of [
    ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', 'dead 552'],
    ['MAIL FROM', '550 5.6.7 The address needs SMTPUTF8', 'dead 550'],
    ['RCPT TO', '550 5.2.1 The email account that you tried to reach is disabled', 'dead 550'],
    ['RCPT TO', '550 5.1.1 No such user', 'dead 550'],
    ['RCPT TO', '550 5.7.1 Recipient not allowed', 'dead 550'],
    ['DATA', '554 5.7.1 Message looks like spam', 'dead 554']
  ] as const) {
    assert.equal(kindOf(command, message), outcome, message)
  }
})

test('while the account works, a foreign sender is retried and pauses nothing', async () => {
  await using peer = await smtpPeer()
  peer.refuse = { sender: address => (address === 'foreign@x.test' ? REFUSED : '') }
  const provider = openSmtpProvider({ connections: 1, url: peer.url })
  const send = async (from: string): Promise<Outcome['kind']> => {
    const call = { number: 1, signal: AbortSignal.timeout(5000) }
    return (await provider.send(mail('a@x.test', from), { id: 'x' } as Delivery, call)).kind
  }
  assert.equal(await send('foreign@x.test'), 'pause', 'nothing tells it from a broken account')
  assert.equal(await send('ferry@x.test'), 'sent')
  assert.equal(await send('foreign@x.test'), 'retry')
  assert.equal(await send('foreign@x.test'), 'retry')
  await provider.close()
})

test('an account that breaks an hour later pauses the queue again', () => {
  let now = 0
  const refusals = trackSenderRefusals(() => now)
  const refused: Outcome = { code: SENDER_REFUSED, detail: 'no', kind: 'pause' }
  const sent: Outcome = { kind: 'sent' }
  assert.deepEqual(refusals.observe(refused), refused)
  assert.deepEqual(refusals.observe(sent), sent)
  assert.equal(refusals.observe(refused).kind, 'retry')
  now = 3_600_001
  assert.equal(refusals.observe(refused).kind, 'pause')
  assert.equal(refusals.observe(refused).kind, 'pause')
})
