// Every recipient knows a valid address for bounces. The cost of forged bounces to it is limited.

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

/** A report about many recipients that returns the email. */
const GOOD = [
  `${HEAD}${PART}`,
  ...Array.from(
    { length: 1000 },
    (_, i) => `Final-Recipient: rfc822; ${i}@example.org\r\nAction: failed\r\n\r\n`
  ),
  `--b\r\nContent-Type: message/rfc822\r\n\r\n${full('A line of what was sent.\r\n')}--b--\r\n`
].join('')

/** Milliseconds of the fastest of some runs, because other processes only add to it. */
async function measureMs(text: string): Promise<number> {
  const raw = Buffer.from(text)
  let least = Infinity
  for (let tries = 0; tries < 8; tries += 1) {
    const started = performance.now()
    await readReports(raw)
    least = Math.min(least, performance.now() - started)
  }
  return least
}

test('reads crafted bounces quickly, because they block all requests meanwhile', async () => {
  const mails = {
    addresses: `To: ${full('a:b;')}\r\n${HEAD}`,
    borders: `${HEAD}\r\n${full('--b \t x\r\n')}`,
    fields: full('a: b\r\n') + HEAD,
    groups: HEAD + PART + full('a: b\r\n   \r\n'),
    parameters: `Content-Type: multipart/report${full('; boundary=     ')}`,
    parts: `${HEAD}\r\n${full('--b\r\n\r\n')}`,
    returned: `${HEAD}\r\n${full('--b\r\nContent-Type: message/rfc822\r\n\r\n')}`
  }
  const good = await measureMs(GOOD)
  for (const [name, text] of Object.entries(mails)) {
    const times = (await measureMs(text)) / good
    assert.ok(times < 10, `${name}: ${times.toFixed(1)} times a good report`)
  }
})

test('reads a megabyte of blank lines in milliseconds', async () => {
  const costMs = await measureMs(HEAD + full('\n'))
  assert.ok(costMs < 500, `${costMs} ms`)
})

test('stores a limited number of reports for one send', async () => {
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
  const answer = await handIn(Array.from({ length: 20 }, (_, i) => `other-${i}@example.org`))
  assert.equal((answer.json['heard'] as unknown[]).length, 5)
  // A report about the recipient of the send is stored nevertheless.
  assert.deepEqual((await handIn(['a@example.org'])).json['heard'], ['undelivered'])
})
