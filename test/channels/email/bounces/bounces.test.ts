// Mail that comes back: who a report is about, whether it lasts, and what the next send says. Forged ones change nothing.

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
const pathOf = createReturnPaths(TEST_ENCRYPTION, { bounceDomain: DOMAIN })
const read = (text: string) => readReports(Buffer.from(text))
const RCPT = 'Ünï+tag@example.org'

describe('a report', () => {
  for (const [name, text] of Object.entries({ EXCHANGE, GMAIL, POSTFIX })) {
    test(`of ${name} names the recipient, the code and the words`, async () => {
      const [one, ...more] = (await read(about(text, 'x@y.test', 'amara@example.org'))) ?? []
      assert.deepEqual(more, [])
      assert.equal(one?.action, 'failed')
      assert.deepEqual(one.recipients, ['amara@example.org'])
      assert.match(one.status, /^5\.1\.(1|10)$/)
      assert.match(one.detail, /^550[ -]5\.1\.1.*(mailbox|spaces\.|lookup)$/)
    })
  }

  test('a delay is none of the failures', async () => {
    const [one] = (await read(about(DELAYED, 'x@y.test', RCPT))) ?? []
    assert.equal(one?.action, 'delayed')
    assert.equal(one.status, '4.4.1')
    assert.match(one.detail, /timed out$/)
  })

  test('answers of people and of their programs, and no mail at all, are none', async () => {
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

  test('a part cut short is read as far as it goes', async () => {
    const text = about(POSTFIX, 'x@y.test', RCPT)
    for (let end = 0; end < text.length; end += 37) await read(text.slice(0, end))
  })
})

test('only what is about the mailbox counts against the address', () => {
  const said = (status: string, detail = '') => isAboutAddress({ detail, status })
  for (const status of ['5.1.1', '5.1.10', '5.1.2', '5.2.1', '5.4.4', '5.0.0'])
    assert.ok(said(status), status)
  for (const status of ['5.1.8', '5.2.2', '5.2.3', '5.3.4', '5.6.0', '5.7.1', '4.2.1']) {
    assert.ok(!said(status), status)
  }
  assert.ok(said('', '550 user unknown'))
  assert.ok(!said('', '550 relay not permitted'))
  assert.ok(!said('5.0.0', '550 blocked by a list of spam senders'))
})

describe('the return path', () => {
  const id = uuidv7(0xabcd)
  const made = pathOf(id, RCPT)!

  test('says its send and its recipient to us alone, within what an address may be', () => {
    const found = findReturnPath(TEST_ENCRYPTION, `To: <${made.toUpperCase()}>`)
    assert.equal(found?.sendId, id)
    assert.ok(found.isFor(RCPT) && found.isFor(RCPT.toUpperCase()))
    assert.ok(!found.isFor('copy@example.org'))
    assert.ok(made.indexOf('@') <= 64 && /^[\x21-\x7e]+$/.test(made) && !made.includes('tag'))
    assert.equal(createReturnPaths(TEST_ENCRYPTION, { bounceDomain: undefined })(id, RCPT), undefined)
  })

  test('is not believed with a letter changed, with another key, or for another send', () => {
    const [, token = ''] = /\+([0-9a-f]+)@/.exec(made) ?? []
    for (let i = 0; i < token.length; i += 1) {
      const other = token[i] === '0' ? '1' : '0'
      assert.equal(
        findReturnPath(TEST_ENCRYPTION, made.replace(token, token.slice(0, i) + other + token.slice(i + 1))),
        undefined
      )
    }
    const elsewhere = createEncryption('another key that is long enough to be one')
    assert.equal(findReturnPath(elsewhere, made), undefined)
    assert.equal(findReturnPath(TEST_ENCRYPTION, made.replace(token, token.slice(2))), undefined)
    const renewed = createEncryption('another key that is long enough to be one', TEST_KEY)
    assert.equal(findReturnPath(renewed, made)?.sendId, id)
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

const storyOf = async (app: TestApp, trackingId: unknown) => {
  const { json } = await app.ask(`/${CLIENT}/logs/${trackingId}/explain`, { headers: asBackEnd })
  return (json['channels'] as Record<string, unknown>[])[0]!
}

const bounceOf = async (app: TestApp, id: string) => {
  const { json } = await app.ask(`/${CLIENT}/users/${id}`, { headers: asBackEnd })
  return json['emailBounce'] as Record<string, string> | undefined
}

describe('a mail that comes back', { timeout: 60_000 }, () => {
  test('marks the address, which the next send says, until there is another or the back end says it works', async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url })
    await ask(app, 'users/amara', { email: 'Amara@example.org' })
    const sent = await mail(app, { id: 'amara' }, { email: { ccAddresses: ['copy@example.org'] } })
    const { from } = peer.received[0]!
    assert.match(from, new RegExp(`^bounce\\+[0-9a-f]{54}@${DOMAIN}$`))

    // About a copy, a delay, a failure of another kind: kept, and no mark.
    for (const [text, rcpt] of [
      [POSTFIX, 'copy@example.org'],
      [DELAYED, 'amara@example.org'],
      [EXPIRED, 'amara@example.org']
    ] as const) {
      const heard = await handIn(app, about(text, from, rcpt))
      assert.equal(heard.status, 200, heard.text)
      assert.equal((heard.json['heard'] as string[]).length, 1)
      assert.equal(await bounceOf(app, 'amara'), undefined)
    }
    // Nothing of these is ours.
    const forged = from.replace(/[0-9a-f]{2}@/, from.includes('00@') ? '11@' : '00@')
    for (const text of [
      about(POSTFIX, forged, 'amara@example.org'),
      about(OUT_OF_OFFICE, from, 'amara@example.org')
    ]) {
      const heard = await handIn(app, text)
      assert.deepEqual([heard.status, heard.json['heard']], [200, []])
      assert.ok(heard.json['ignored'])
    }
    assert.equal(await bounceOf(app, 'amara'), undefined)
    assert.equal((await mail(app, { id: 'amara' })).status, 200)

    const other = peer.received.at(-1)!.from
    const { json } = await handIn(app, about(EXCHANGE, other, 'amara@EXAMPLE.org'))
    assert.deepEqual(json['heard'], ['undelivered'])
    const marked = await bounceOf(app, 'amara')
    assert.equal(marked?.['address'], 'amara@example.org')
    assert.equal(marked['code'], '5.1.10')
    assert.match(marked['detail']!, /RecipientNotFound/)

    const refused = await mail(app, { id: 'amara' })
    assert.equal(refused.status, 202)
    assert.match(
      String(refused.json['messages']),
      /EMAIL was discarded: an email to the address .* bounced on .*5\.1\.10/
    )
    const explained = await storyOf(app, refused.json['trackingId'])
    assert.equal(explained['decision'], 'address-bounced')
    assert.deepEqual(refused.json['messages'], [explained['explanation']])
    const first = await storyOf(app, sent.json['trackingId'])
    assert.deepEqual(
      (first['receipts'] as { outcome: string; code: string }[]).map(one => `${one.outcome} ${one.code}`),
      ['undelivered 5.1.1', 'delayed 4.4.1', 'undelivered 4.4.7']
    )
    // A send with another address goes out.
    assert.equal((await mail(app, { email: 'work@example.org', id: 'amara' })).status, 200)

    // The same address again changes nothing, however it is written, and a page cannot say that it works.
    await ask(app, 'users/amara', { email: 'AMARA@example.org', emailBounce: null }, asUser('amara'))
    assert.ok(await bounceOf(app, 'amara'))
    await ask(app, 'users/amara', { emailBounce: null })
    assert.equal(await bounceOf(app, 'amara'), undefined)
    // An old report that comes again is none.
    assert.deepEqual((await handIn(app, about(EXCHANGE, other, 'amara@EXAMPLE.org'))).json['heard'], [])
    assert.equal((await mail(app, { id: 'amara' })).status, 200)

    await handIn(app, about(GMAIL, peer.received.at(-1)!.from, 'amara@example.org'))
    assert.ok(await bounceOf(app, 'amara'))
    await ask(app, 'users/amara', { email: 'new@example.org' })
    assert.equal(await bounceOf(app, 'amara'), undefined)
  })

  test('with a returned mail as large as mails may be is heard, and nothing of that is kept', async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url })
    await ask(app, 'users/amara', { email: 'amara@example.org' })
    await mail(app, { id: 'amara' })
    const text = about(POSTFIX, peer.received[0]!.from, 'amara@example.org')
    const end = '--4Rz1x2.1/mx.example.net--'
    const returned = `${'QUFB'.repeat(19)}\r\n`.repeat(340_000)
    assert.ok(returned.length > 25 * 1024 * 1024 && text.includes(end))
    const heard = await handIn(app, text.replace(end, `${returned}${end}`))
    assert.deepEqual([heard.status, heard.json['heard']], [200, ['undelivered']])
    assert.equal((await bounceOf(app, 'amara'))?.['code'], '5.1.1')
    // What others wrote says nothing: of an address only the head counts.
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
    test(`${marks ? 'marks' : 'does not mark'} the address ${days} days after a send that the log has forgotten`, async () => {
      await using peer = await smtpPeer()
      let aheadMs = 0
      await using app = await startApp(
        { NOTIF_BOUNCE_DOMAIN: DOMAIN, NOTIF_SMTP_URL: peer.url },
        () => Date.now() + aheadMs
      )
      // Of the same bucket: the id of a send tells them apart all the same.
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
      assert.equal((await bounceOf(app, 'amara'))?.['address'], marks ? 'amara@example.org' : undefined)
      assert.equal(await bounceOf(app, encodeURIComponent(namesake)), undefined)

      // Nobody has the address any more.
      await ask(app, 'users/amara', { email: 'new@example.org' })
      assert.deepEqual((await handIn(app, report)).json['heard'], [])
      assert.equal(await bounceOf(app, 'amara'), undefined)
    })
  }

  test('refused at once it marks as well, unless our own relay refuses', async () => {
    await using peer = await smtpPeer()
    await using app = await startApp({ NOTIF_SMTP_URL: peer.url })
    await mail(app, { email: 'rcpt-550@example.org', id: 'bad' })
    await mail(app, { email: 'rcpt-554@example.org', id: 'policy' })
    await mail(app, { email: 'data-550@example.org', id: 'content' })
    assert.equal((await bounceOf(app, 'bad'))?.['code'], '550')
    assert.equal(await bounceOf(app, 'policy'), undefined)
    assert.equal(await bounceOf(app, 'content'), undefined)
    assert.equal((await mail(app, { email: 'RCPT-550@example.org', id: 'bad' })).status, 202)
  })
})
