// Whoever got one mail of ours knows an address that is believed. What they can do with it is bounded.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { reportsOf } from '../../../server/channels/bounce/report.ts'
import { returnPathOf } from '../../../server/channels/bounce/address.ts'
import { asBackEnd, CLIENT, startApp } from '../../security/app.ts'
import { SEAL } from '../../support/seal.ts'

const HEAD = 'Content-Type: multipart/report; boundary="b"\r\n'
const PART = '\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n'
const BYTES = 1024 * 1024
const full = (unit: string): string => unit.repeat(Math.floor(BYTES / unit.length))

test('a mail made to be slow to read is not: this thread serves all others, too', async () => {
  const mails = {
    addresses: `To: ${full('a:b;')}\r\n${HEAD}`,
    fields: full('a: b\r\n') + HEAD,
    groups: HEAD + PART + full('a: b\r\n   \r\n'),
    parts: `${HEAD}\r\n${full('--b\r\n\r\n')}`,
    returned: `${HEAD}\r\n${full('--b\r\nContent-Type: message/rfc822\r\n\r\n')}`
  }
  for (const [name, text] of Object.entries(mails)) {
    const raw = Buffer.from(text)
    const started = performance.now()
    await reportsOf(raw)
    const took = performance.now() - started
    assert.ok(took < 300, `${name}: ${Math.round(took)} ms`)
  }
})

test('a send keeps some hundred words of mail servers, not as many as somebody likes to write', async () => {
  await using app = await startApp()
  const email = { html: 'x', subject: 'x' }
  const body = JSON.stringify({ email, to: { email: 'a@example.org', id: 'a' }, type: 'x' })
  const { json } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  const trackingId = String(json['trackingId'])
  const address = returnPathOf(SEAL, { bounceDomain: 'x.test' })(trackingId, 'a@example.org')!
  const report = (recipients: readonly string[]): string =>
    `To: ${address}\r\n${HEAD}${PART}${recipients
      .map(one => `Final-Recipient: rfc822; ${one}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`)
      .join('')}--b--\r\n`
  const handIn = (recipients: readonly string[]) =>
    app.ask('/callbacks/bounce', { body: report(recipients), method: 'POST' })
  await app.db.control`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, provider_ref)
    select s.bucket, gen_random_uuid(), s.env_id, s.user_id, s.id, 'EMAIL', 'undelivered', 'r' || n from sends s, generate_series(1, 295) n`
  const heard = await handIn(Array.from({ length: 20 }, (_, i) => `other-${i}@example.org`))
  assert.equal((heard.json['heard'] as unknown[]).length, 5)
  // That of its own recipient is heard all the same.
  assert.deepEqual((await handIn(['a@example.org'])).json['heard'], ['undelivered'])
})
