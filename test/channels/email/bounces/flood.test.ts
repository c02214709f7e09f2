// Whoever got one mail of ours knows an address that is believed. What they can do with it is bounded.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createReturnPaths } from '../../../../server/channels/email/bounces/address.ts'
import { readReports } from '../../../../server/channels/email/bounces/report.ts'
import { MAX_REPORTS } from '../../../../server/channels/email/bounces/route.ts'
import { asBackEnd, CLIENT, startApp } from '../../../security/app.ts'
import { TEST_ENCRYPTION } from '../../../support/test-encryption.ts'

const HEAD = 'Content-Type: multipart/report; boundary="b"\r\n'
const PART = '\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n'
const BYTES = 1024 * 1024
const full = (unit: string): string => unit.repeat(Math.floor(BYTES / unit.length))

/** One that says what became of many, and returns what was sent. */
const GOOD = [
  `${HEAD}${PART}`,
  ...Array.from(
    { length: 1000 },
    (_, i) => `Final-Recipient: rfc822; ${i}@example.org\r\nAction: failed\r\n\r\n`
  ),
  `--b\r\nContent-Type: message/rfc822\r\n\r\n${full('A line of what was sent.\r\n')}--b--\r\n`
].join('')

/** Milliseconds of the quickest of some tries: what else the machine does only adds to it. */
async function costOf(text: string): Promise<number> {
  const raw = Buffer.from(text)
  let least = Infinity
  for (let tries = 0; tries < 8; tries += 1) {
    const started = performance.now()
    await readReports(raw)
    least = Math.min(least, performance.now() - started)
  }
  return least
}

test('a mail made to be slow to read is not: this thread serves all others, too', async () => {
  const mails = {
    addresses: `To: ${full('a:b;')}\r\n${HEAD}`,
    borders: `${HEAD}\r\n${full('--b \t x\r\n')}`,
    fields: full('a: b\r\n') + HEAD,
    groups: HEAD + PART + full('a: b\r\n   \r\n'),
    parameters: `Content-Type: multipart/report${full('; boundary=     ')}`,
    parts: `${HEAD}\r\n${full('--b\r\n\r\n')}`,
    returned: `${HEAD}\r\n${full('--b\r\nContent-Type: message/rfc822\r\n\r\n')}`
  }
  const good = await costOf(GOOD)
  for (const [name, text] of Object.entries(mails)) {
    const times = (await costOf(text)) / good
    assert.ok(times < 10, `${name}: ${times.toFixed(1)} times a good report`)
  }
})

test('a megabyte of blank lines costs milliseconds, though a whole parser takes half a minute for it', async () => {
  const costMs = await costOf(HEAD + full('\n'))
  assert.ok(costMs < 500, `${costMs} ms`)
})

test('a send keeps so many words of mail servers as the operator says, not as many as somebody likes to write', async () => {
  await using app = await startApp()
  const email = { html: 'x', subject: 'x' }
  const body = JSON.stringify({ email, to: { email: 'a@example.org', id: 'a' }, type: 'x' })
  const { json } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  const trackingId = String(json['trackingId'])
  const address = createReturnPaths(TEST_ENCRYPTION, { bounceDomain: 'x.test' })(trackingId, 'a@example.org')!
  const report = (recipients: readonly string[]): string =>
    `To: ${address}\r\n${HEAD}${PART}${recipients
      .map(one => `Final-Recipient: rfc822; ${one}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`)
      .join('')}--b--\r\n`
  const handIn = (recipients: readonly string[]) =>
    app.ask('/callbacks/bounce', { body: report(recipients), method: 'POST' })
  await app.db.control`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, provider_ref)
    select s.bucket, gen_random_uuid(), s.env_id, s.user_id, s.id, 'EMAIL', 'undelivered', 'r' || n from sends s, generate_series(1, ${MAX_REPORTS - 5}) n`
  const heard = await handIn(Array.from({ length: 20 }, (_, i) => `other-${i}@example.org`))
  assert.equal((heard.json['heard'] as unknown[]).length, 5)
  // That of its own recipient is heard all the same.
  assert.deepEqual((await handIn(['a@example.org'])).json['heard'], ['undelivered'])
})
