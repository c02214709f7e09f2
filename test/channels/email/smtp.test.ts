// The SMTP provider against a real server: the outcome of each answer, of silence and of lost connections.

import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'

import PostalMime from 'postal-mime'

import type { Delivery } from '../../../server/channels/channel.ts'
import type { EmailMessage } from '../../../server/channels/email/email.ts'
import { toOutcome, openSmtpProvider } from '../../../server/channels/email/smtp.ts'
import { smtpPeer } from './smtp-peer.ts'

const DELIVERY = { id: 'x' } as Delivery
const call = (milliseconds = 5000) => ({ number: 1, signal: AbortSignal.timeout(milliseconds) })

const mail = (to: string, over: Partial<EmailMessage> = {}): EmailMessage => ({
  attachments: [],
  bcc: [],
  cc: [],
  from: { address: 'us@company.test', name: 'Ferry' },
  html: '<p>Hello</p>',
  messageId: '<0192-track@company.test>',
  replyTo: [],
  size: 500,
  subject: 'Hello',
  text: 'Hello',
  to: { address: to, name: '' },
  ...over
})

describe('smtp', { timeout: 30_000 }, () => {
  test('maps each answer to its outcome', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 3, url: peer.url })
    const expected: Record<string, [string, string?]> = {
      'data-421@x.test': ['pause', '421'],
      'data-451@x.test': ['retry', '451'],
      'data-552@x.test': ['dead', '552'],
      'data-554@x.test': ['dead', '554'],
      'ok@x.test': ['sent'],
      'rcpt-421@x.test': ['pause', '421'],
      'rcpt-450@x.test': ['retry', '450'],
      'rcpt-452@x.test': ['retry', '452'],
      'rcpt-503@x.test': ['retry', '503'],
      'rcpt-550@x.test': ['dead', '550'],
      'rcpt-553@x.test': ['dead', '553']
    }
    for (const [to, [kind, code]] of Object.entries(expected)) {
      const outcome = await provider.send(mail(to), DELIVERY, call())
      assert.deepEqual([outcome.kind, 'code' in outcome ? outcome.code : undefined], [kind, code], to)
    }
    await provider.close()
    assert.equal(peer.received.length, 1)
  })

  test('delivers an email once to each address, with BCC in the envelope only', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    const message = mail('to@x.test', {
      attachments: [
        {
          content: Buffer.from('Fähre\n').toString('base64'),
          contentType: 'text/plain',
          filename: 'Plan für Mai.txt'
        }
      ],
      bcc: [{ address: 'secret@x.test', name: 'Hidden, Harry' }],
      cc: [{ address: 'cc@x.test', name: 'Ångström, "Ann" <x@y.test>' }],
      from: { address: 'us@company.test', name: 'Brücke, "Sohn" & 日本' },
      html: '<p>Grüße 🚢</p>\n.\n<p>dot</p>',
      replyTo: [{ address: 'reply@x.test', name: 'Répondre' }],
      subject: 'Ünïcode 🚢 subject',
      text: 'Grüße 🚢\r\n.\r\ndot'
    })
    assert.equal((await provider.send(message, DELIVERY, call())).kind, 'sent')
    await provider.close()
    const [one] = peer.received
    assert.deepEqual(one!.to, ['to@x.test', 'cc@x.test', 'secret@x.test'])
    assert.equal(one!.from, 'us@company.test')
    assert.doesNotMatch(one!.raw, /secret@x\.test|Hidden/)
    const parsed = await PostalMime.parse(one!.raw)
    assert.equal(parsed.messageId, '<0192-track@company.test>')
    assert.equal(parsed.subject, 'Ünïcode 🚢 subject')
    assert.equal(parsed.from!.name, 'Brücke, "Sohn" & 日本')
    assert.deepEqual(parsed.cc, [{ address: 'cc@x.test', name: 'Ångström, "Ann" <x@y.test>' }])
    assert.deepEqual(parsed.replyTo, [{ address: 'reply@x.test', name: 'Répondre' }])
    assert.match(parsed.html!, /Grüße 🚢/)
    assert.match(parsed.text!, /Grüße 🚢\r?\n\.\r?\ndot/)
    assert.equal(parsed.attachments[0]!.filename, 'Plan für Mai.txt')
    assert.equal(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer).toString(), 'Fähre\n')
  })

  test('sends no second copy while the main recipient is retried', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    const copies = { bcc: [{ address: 'b@x.test', name: '' }], cc: [{ address: 'c@x.test', name: '' }] }
    const first = await provider.send(mail('rcpt-450@bücher.test', copies), DELIVERY, call())
    assert.ok(first.kind === 'retry', first.kind)
    assert.deepEqual(first.deliveredTo, ['c@x.test', 'b@x.test'])
    const { deliveredTo } = first
    assert.equal(
      (await provider.send(mail('to@x.test', { ...copies, deliveredTo }), DELIVERY, call())).kind,
      'sent'
    )
    await provider.close()
    assert.deepEqual(
      peer.received.map(({ to }) => to),
      [['c@x.test', 'b@x.test'], ['to@x.test']]
    )
    assert.match(peer.received[1]!.raw, /^Cc: c@x\.test/m)
  })

  test('names a refused copy, and reports the email as sent', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    const cc = ['rcpt-550@x.test', 'c@x.test'].map(address => ({ address, name: '' }))
    const outcome = await provider.send(mail('to@x.test', { cc }), DELIVERY, call())
    await provider.close()
    assert.ok(outcome.kind === 'sent' && outcome.code === 'copies-refused', JSON.stringify(outcome))
    assert.match(outcome.detail!, /^rcpt-550@x\.test: .*550/)
  })

  test('does not count a temporary refusal of a recipient as a failure of the server', () => {
    const alone = (message: string, command = 'RCPT TO') => {
      const outcome = toOutcome({ command, message, responseCode: Number(message.slice(0, 3)) })
      return outcome.kind === 'retry' && outcome.isIsolated === true
    }
    for (const text of [
      '450 4.2.0 <u@x.test>: Recipient address rejected: Greylisted',
      '451 4.7.1 Greylisting in action, please come back later',
      '451 Grey-listed, try again',
      '450 4.1.1 <u@x.test>: Recipient address rejected: unverified address',
      '452 4.2.2 The mailbox is full'
    ])
      assert.ok(alone(text), text)
    for (const text of [
      '451 4.3.0 Temporary lookup failure',
      '452 4.3.1 Insufficient system storage',
      '450 4.1.2 <u@x.test>: Recipient address rejected: Domain not found',
      '450 4.1.8 Sender address rejected: Domain not found',
      '450 4.7.1 Client host rejected: cannot find your hostname',
      '451 Try again'
    ])
      assert.ok(!alone(text), text)
    assert.ok(!alone('450 4.2.0 Greylisted', 'MAIL FROM'))
  })

  test('cannot be made to add headers or recipients, or to read files', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    await provider.send(
      mail('to@x.test', {
        from: { address: 'us@company.test', name: 'x\r\nBcc: evil@x.test' },
        html: { path: '/etc/hostname' } as never,
        subject: 'x\r\nBcc: evil@x.test'
      }),
      DELIVERY,
      call()
    )
    await provider.send(mail('to@x.test, evil@x.test'), DELIVERY, call())
    await provider.send(
      mail('ok@x.test', {
        attachments: [{ content: '', filename: 'x\r\nX-Evil: 1', path: '/etc/hostname' } as never]
      }),
      DELIVERY,
      call()
    )
    await provider.send(mail('to@x.test', { subject: 'x\r\nBcc: evil@x.test' }), DELIVERY, call())
    await provider.close()
    for (const { raw, to } of peer.received) {
      assert.ok(!to.includes('evil@x.test'))
      assert.doesNotMatch(raw, /^(?:Bcc|X-Evil):/im)
    }
    assert.equal(peer.received.at(-1)!.to.length, 1)
  })

  test('pauses the queue without a server, for refused connections and for refused logins', async () => {
    const closed = createServer()
    await new Promise<void>(resolve => {
      closed.listen(0, '127.0.0.1', resolve)
    })
    const { port } = closed.address() as AddressInfo
    await new Promise(resolve => {
      closed.close(resolve)
    })
    const nobody = openSmtpProvider({ connections: 1, url: `smtp://127.0.0.1:${port}` })
    assert.equal((await nobody.send(mail('a@x.test'), DELIVERY, call())).kind, 'pause')
    await nobody.close()

    await using peer = await smtpPeer({ credentials: 'us:wrong' })
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    for (const [refuse, code] of [
      [{ connect: 554 }, '554'],
      [{ connect: 421 }, '421'],
      [{ auth: 535 }, 'EAUTH'],
      [{ auth: 454 }, 'EAUTH']
    ] as const) {
      peer.refuse = refuse
      const outcome = await provider.send(mail('a@x.test'), DELIVERY, call())
      assert.deepEqual(
        [outcome.kind, 'code' in outcome && outcome.code],
        ['pause', code],
        JSON.stringify(refuse)
      )
    }
    peer.refuse = undefined
    assert.equal((await provider.send(mail('a@x.test'), DELIVERY, call())).kind, 'sent')
    await provider.close()
  })

  test('is uncertain about silence or a lost connection after the last dot only', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 2, idleTimeoutMs: 200, url: peer.url })
    const kinds = []
    for (const to of ['hang@x.test', 'reset@x.test', 'cut@x.test']) {
      kinds.push((await provider.send(mail(to), DELIVERY, call(2000))).kind)
    }
    assert.deepEqual(kinds, ['uncertain', 'uncertain', 'pause'])
    assert.equal((await provider.send(mail('ok@x.test'), DELIVERY, call())).kind, 'sent')
    await provider.close()
  })

  test('reports an email as too large before it sends the content', async () => {
    await using peer = await smtpPeer({ size: 1000 })
    const provider = openSmtpProvider({ connections: 1, url: peer.url })
    const outcome = await provider.send(mail('a@x.test', { size: 2000 }), DELIVERY, call())
    assert.equal(outcome.kind, 'dead')
    await provider.close()
  })

  test('reuses a limited number of connections', async () => {
    await using peer = await smtpPeer()
    const provider = openSmtpProvider({ connections: 3, url: peer.url })
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => provider.send(mail(`u${n}@x.test`), DELIVERY, call()))
    )
    assert.ok(outcomes.every(outcome => outcome.kind === 'sent'))
    assert.ok(peer.connections <= 3, `${peer.connections} connections`)
    await provider.close()
  })

  test('decides the outcome of a lost connection by the progress of the session', () => {
    assert.equal(toOutcome({ code: 'EABORT', message: 'x' }).kind, 'pause')
    assert.equal(toOutcome({ code: 'EABORT', isHandedOver: true, message: 'x' }).kind, 'uncertain')
    assert.equal(toOutcome({ code: 'EDNS', message: 'x' }).kind, 'pause')
    assert.equal(toOutcome({ code: 'ETLS', command: 'STARTTLS', message: 'x' }).kind, 'pause')
    assert.equal(toOutcome({ code: 'EENVELOPE', message: 'No recipients defined' }).kind, 'dead')
  })
})
