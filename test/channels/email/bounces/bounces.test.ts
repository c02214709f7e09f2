// Bounces: the recipient of a report, permanent failures, the effect on the next send, and forged reports.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'

import { findReturnPath, createReturnPaths } from '../../../../server/channels/email/bounces/address.ts'
import { isAboutAddress } from '../../../../server/channels/email/bounces/classify.ts'
import { readReports } from '../../../../server/channels/email/bounces/report.ts'
import { bucketOf, placementHash, uuidv7 } from '../../../../server/core/id.ts'
import { createEncryption } from '../../../../server/environments/encryption/encryption.ts'
import { asBackEnd, asUser, CLIENT, startApp, type TestApp } from '../../../security/app.ts'
import { TEST_ENCRYPTION, TEST_KEY } from '../../../support/test-encryption.ts'
import { smtpPeer } from '../smtp-peer.ts'
import { about, DELAYED, EXCHANGE, EXPIRED, GMAIL, OUT_OF_OFFICE, POSTFIX, READ } from './reports.ts'

const DOMAIN = 'bounces.example.com'
const buildReturnPath = createReturnPaths(TEST_ENCRYPTION, { bounceDomain: DOMAIN })
const read = (text: string) => readReports(Buffer.from(text))
const RCPT = 'Ünï+tag@example.org'

describe('a delivery status report', () => {
  for (const [name, text] of Object.entries({ EXCHANGE, GMAIL, POSTFIX })) {
    test(`of ${name} yields the recipient, the code and the text`, async () => {
      const [one, ...more] = (await read(about(text, 'x@y.test', 'amara@example.org'))) ?? []
      assert.deepEqual(more, [])
      assert.equal(one?.action, 'failed')
      assert.deepEqual(one.recipients, ['amara@example.org'])
      assert.match(one.status, /^5\.1\.(1|10)$/)
      assert.match(one.detail, /^550[ -]5\.1\.1.*(mailbox|spaces\.|lookup)$/)
    })
  }

  test('is no failure if it reports a delay', async () => {
    const [one] = (await read(about(DELAYED, 'x@y.test', RCPT))) ?? []
    assert.equal(one?.action, 'delayed')
    assert.equal(one.status, '4.4.1')
    assert.match(one.detail, /timed out$/)
  })

  test('is not found in replies, automatic replies and other bytes', async () => {
    for (const text of [
      OUT_OF_OFFICE,
      READ,
      '',
      'x',
      POSTFIX.replace('multipart/report', 'multipart/mixed')
    ]) {
      assert.equal(await read(about(text, 'x@y.test', RCPT)), undefined, text.slice(0, 80))
    }
    for (let n = 0; n < 20; n += 1) assert.equal(await readReports(randomBytes(500)), undefined)
  })

  test('is read to its end if it is cut off', async () => {
    const text = about(POSTFIX, 'x@y.test', RCPT)
    for (let end = 0; end < text.length; end += 37) await read(text.slice(0, end))
  })
})

test('marks an address only for refusals about the mailbox', () => {
  const isMarked = (status: string, detail = '') => isAboutAddress({ detail, status })
  for (const status of ['5.1.1', '5.1.10', '5.1.2', '5.2.1', '5.4.4', '5.0.0'])
    assert.ok(isMarked(status), status)
  for (const status of ['5.1.8', '5.2.2', '5.2.3', '5.3.4', '5.6.0', '5.7.1', '4.2.1']) {
    assert.ok(!isMarked(status), status)
  }
  assert.ok(isMarked('', '550 user unknown'))
  assert.ok(!isMarked('', '550 relay not permitted'))
  assert.ok(!isMarked('5.0.0', '550 blocked by a list of spam senders'))
})

describe('the return path', () => {
  const id = uuidv7(0xabcd)
  const returnPath = buildReturnPath(id, RCPT)!

  test('names its send and its recipient to this server only, within the length of a local part', () => {
    const found = findReturnPath(TEST_ENCRYPTION, `To: <${returnPath.toUpperCase()}>`)
    assert.equal(found?.sendId, id)
    assert.ok(found.isFor(RCPT) && found.isFor(RCPT.toUpperCase()))
    assert.ok(!found.isFor('copy@example.org'))
    assert.ok(
      returnPath.indexOf('@') <= 64 && /^[\x21-\x7e]+$/.test(returnPath) && !returnPath.includes('tag')
    )
    assert.equal(createReturnPaths(TEST_ENCRYPTION, { bounceDomain: undefined })(id, RCPT), undefined)
  })

  test('is rejected with a changed character, with another key, and for another send', () => {
    const [, token = ''] = /\+([0-9a-f]+)@/.exec(returnPath) ?? []
    for (let i = 0; i < token.length; i += 1) {
      const other = token[i] === '0' ? '1' : '0'
      assert.equal(
        findReturnPath(
          TEST_ENCRYPTION,
          returnPath.replace(token, token.slice(0, i) + other + token.slice(i + 1))
        ),
        undefined
      )
    }
    const elsewhere = createEncryption('another key that is long enough to be one')
    assert.equal(findReturnPath(elsewhere, returnPath), undefined)
    assert.equal(findReturnPath(TEST_ENCRYPTION, returnPath.replace(token, token.slice(2))), undefined)
    const renewed = createEncryption('another key that is long enough to be one', TEST_KEY)
    assert.equal(findReturnPath(renewed, returnPath)?.sendId, id)
  })
})

const ask = (app: TestApp, path: string, body: object, headers = asBackEnd) =>
  app.ask(`/${CLIENT}/${path}`, { body: JSON.stringify(body), headers, method: 'POST' })

async function mail(app: TestApp, to: { id: string; email?: string }, options?: object) {
  const email = { html: '<p>Hello</p>', subject: 'Hello' }
  const answer = await ask(app, 'sender', { email, to, type: 'hello', ...(options && { options }) })
  await app.queues.idle('EMAIL')
  return answer
}

const handIn = (app: TestApp, text: string) =>
  app.ask('/callbacks/bounce', {
    body: Buffer.from(text),
    headers: { 'content-type': 'message/rfc822' },
    method: 'POST'
  })

const readReceipts = async (app: TestApp, trackingId: unknown) => {
  const { json } = await app.ask(`/${CLIENT}/logs/${trackingId}/explain`, { headers: asBackEnd })
  return (json['channels'] as Record<string, unknown>[])[0]!
}

const readMark = async (app: TestApp, id: string) => {
  const { json } = await app.ask(`/${CLIENT}/users/${id}`, { headers: asBackEnd })
  return json['emailBounce'] as Record<string, string> | undefined
}

describe('a bounce', { timeout: 60_000 }, () => {
  test('marks the address until the user gets another one or the back end removes the mark', async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url })
    await ask(app, 'users/amara', { email: 'Amara@example.org' })
    const sent = await mail(app, { id: 'amara' }, { email: { ccAddresses: ['copy@example.org'] } })
    const { from } = peer.received[0]!
    assert.match(from, new RegExp(`^bounce\\+[0-9a-f]{54}@${DOMAIN}$`))

    // Reports about a copy, a delay and another failure are stored without a mark.
    for (const [text, rcpt] of [
      [POSTFIX, 'copy@example.org'],
      [DELAYED, 'amara@example.org'],
      [EXPIRED, 'amara@example.org']
    ] as const) {
      const answer = await handIn(app, about(text, from, rcpt))
      assert.equal(answer.status, 200, answer.text)
      assert.equal((answer.json['heard'] as string[]).length, 1)
      assert.equal(await readMark(app, 'amara'), undefined)
    }
    // None of these has a valid return path.
    const forged = from.replace(/[0-9a-f]{2}@/, from.includes('00@') ? '11@' : '00@')
    for (const text of [
      about(POSTFIX, forged, 'amara@example.org'),
      about(OUT_OF_OFFICE, from, 'amara@example.org')
    ]) {
      const answer = await handIn(app, text)
      assert.deepEqual([answer.status, answer.json['heard']], [200, []])
      assert.ok(answer.json['ignored'])
    }
    assert.equal(await readMark(app, 'amara'), undefined)
    assert.equal((await mail(app, { id: 'amara' })).status, 200)

    const other = peer.received.at(-1)!.from
    const { json } = await handIn(app, about(EXCHANGE, other, 'amara@EXAMPLE.org'))
    assert.deepEqual(json['heard'], ['undelivered'])
    const marked = await readMark(app, 'amara')
    assert.equal(marked?.['address'], 'amara@example.org')
    assert.equal(marked['code'], '5.1.10')
    assert.match(marked['detail']!, /RecipientNotFound/)

    const refused = await mail(app, { id: 'amara' })
    assert.equal(refused.status, 202)
    assert.match(
      String(refused.json['messages']),
      /EMAIL was discarded: an email to the address .* bounced on .*5\.1\.10/
    )
    const explained = await readReceipts(app, refused.json['trackingId'])
    assert.equal(explained['decision'], 'address-bounced')
    assert.deepEqual(refused.json['messages'], [explained['explanation']])
    const first = await readReceipts(app, sent.json['trackingId'])
    assert.deepEqual(
      (first['receipts'] as { outcome: string; code: string }[]).map(one => `${one.outcome} ${one.code}`),
      ['undelivered 5.1.1', 'delayed 4.4.1', 'undelivered 4.4.7']
    )
    // A send to another address is sent.
    assert.equal((await mail(app, { email: 'work@example.org', id: 'amara' })).status, 200)

    // The same address in another case keeps the mark, and a front end cannot remove it.
    await ask(app, 'users/amara', { email: 'AMARA@example.org', emailBounce: null }, asUser('amara'))
    assert.ok(await readMark(app, 'amara'))
    await ask(app, 'users/amara', { emailBounce: null })
    assert.equal(await readMark(app, 'amara'), undefined)
    // A repeated old report is ignored.
    assert.deepEqual((await handIn(app, about(EXCHANGE, other, 'amara@EXAMPLE.org'))).json['heard'], [])
    assert.equal((await mail(app, { id: 'amara' })).status, 200)

    await handIn(app, about(GMAIL, peer.received.at(-1)!.from, 'amara@example.org'))
    assert.ok(await readMark(app, 'amara'))
    await ask(app, 'users/amara', { email: 'new@example.org' })
    assert.equal(await readMark(app, 'amara'), undefined)
  })

  test('is handled if it contains a returned email of the maximum size, which is not stored', async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url })
    await ask(app, 'users/amara', { email: 'amara@example.org' })
    await mail(app, { id: 'amara' })
    const text = about(POSTFIX, peer.received[0]!.from, 'amara@example.org')
    const end = '--4Rz1x2.1/mx.example.net--'
    const returned = `${'QUFB'.repeat(19)}\r\n`.repeat(340_000)
    assert.ok(returned.length > 25 * 1024 * 1024 && text.includes(end))
    const answer = await handIn(app, text.replace(end, `${returned}${end}`))
    assert.deepEqual([answer.status, answer.json['heard']], [200, ['undelivered']])
    assert.equal((await readMark(app, 'amara'))?.['code'], '5.1.1')
    // An address counts in the headers only.
    const own = peer.received[0]!.from
    const quoted = `${text.replaceAll(own, 'nobody@example.org')}\r\n${own}\r\n`
    assert.match(String((await handIn(app, quoted)).json['ignored']), /no return path of this server/)
    const few = await handIn(app, 'From: x\r\n\r\n')
    assert.equal(few.status, 200, 'the connection still serves')
  })

  for (const [days, marks] of [
    [13, true],
    [15, false]
  ] as const) {
    test(`${marks ? 'marks' : 'does not mark'} the address ${days} days after a send that the log has deleted`, async () => {
      await using peer = await smtpPeer()
      let aheadMs = 0
      await using app = await startApp(
        { NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url },
        () => Date.now() + aheadMs
      )
      // Another user of the same bucket: the placement hash in the id of the send differs.
      const namesake = Array.from({ length: 20_000 }, (_, i) => `namesake ${i}`).find(
        id =>
          bucketOf(CLIENT, id) === bucketOf(CLIENT, 'amara') &&
          placementHash(CLIENT, id) !== placementHash(CLIENT, 'amara')
      )!
      for (const id of ['amara', namesake]) {
        await ask(app, `users/${encodeURIComponent(id)}`, { email: 'Amara@example.org' })
      }
      await mail(app, { id: 'amara' })
      await app.db.control`delete from sends`
      aheadMs = days * 86_400_000
      const report = about(POSTFIX, peer.received[0]!.from, 'amara@example.org')
      const { json } = await handIn(app, report)
      assert.deepEqual(json['heard'], marks ? ['undelivered'] : [])
      assert.equal((await readMark(app, 'amara'))?.['address'], marks ? 'amara@example.org' : undefined)
      assert.equal(await readMark(app, encodeURIComponent(namesake)), undefined)

      // No user has the address any more.
      await ask(app, 'users/amara', { email: 'new@example.org' })
      assert.deepEqual((await handIn(app, report)).json['heard'], [])
      assert.equal(await readMark(app, 'amara'), undefined)
    })
  }

  test("marks the address of an email that is refused immediately, unless the operator's relay refuses it", async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_SMTP_URL: peer.url })
    await mail(app, { email: 'rcpt-550@example.org', id: 'bad' })
    await mail(app, { email: 'rcpt-554@example.org', id: 'policy' })
    await mail(app, { email: 'data-550@example.org', id: 'content' })
    assert.equal((await readMark(app, 'bad'))?.['code'], '550')
    assert.equal(await readMark(app, 'policy'), undefined)
    assert.equal(await readMark(app, 'content'), undefined)
    assert.equal((await mail(app, { email: 'RCPT-550@example.org', id: 'bad' })).status, 202)
  })
})
