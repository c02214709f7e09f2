// Bounces with a real mail server: postfix accepts an email, the next hop refuses it later, and postfix posts its own report.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { asBackEnd, CLIENT, startApp, type TestApp } from '../../../security/app.ts'
import { freePort } from '../../../support/port.ts'
import { smtpPeer } from '../smtp-peer.ts'
import { startPostfix, whyNoPostfix } from './postfix.ts'

const DOMAIN = 'bounces.notif.test'
const missing = whyNoPostfix()
if (missing !== undefined) process.stderr.write(`skipped: the way round through a real postfix, ${missing}\n`)

const send = async (app: TestApp, to: object): Promise<string> => {
  const email = { html: '<p>Hello</p>', subject: 'Hello' }
  const body = JSON.stringify({ email, to, type: 'hello' })
  const { json } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  return String(json['trackingId'])
}

const readReceipts = async (app: TestApp, id: string) => {
  const { json } = await app.ask(`/${CLIENT}/logs/${id}/explain`, { headers: asBackEnd })
  const [story] = json['channels'] as {
    receipts?: { outcome: string; detail: string }[]
    explanation: string
  }[]
  return story!
}

test(
  'marks the address of an email that postfix cannot deliver, and of no other',
  { skip: missing ?? false, timeout: 60_000 },
  async () => {
    const port = await freePort()
    await using hop = await smtpPeer()
    await using app = await startApp({
      NOTIF_BOUNCE_DOMAIN: DOMAIN,
      NOTIF_SMTP_URL: `smtp://127.0.0.1:${port}`
    })
    await using postfix = await startPostfix({
      domain: DOMAIN,
      hop: new URL(hop.url),
      port,
      report: `${app.url}/callbacks/bounce`
    })
    const good = await send(app, { email: 'amara@example.org', id: 'amara' })
    const bad = await send(app, { email: 'rcpt-550@example.org', id: 'bad' })
    while (!(await readReceipts(app, bad)).receipts) {
      if (/status=(deferred|bounced|undeliverable).*relay=notif-bounce/.test(postfix.log()))
        assert.fail(postfix.log())
      await pause(50)
    }
    const [receipt, ...more] = (await readReceipts(app, bad)).receipts!
    assert.deepEqual(more, [])
    assert.equal(receipt?.outcome, 'undelivered')
    assert.match(receipt.detail, /550 Scripted 550/)
    assert.match(
      (await readReceipts(app, bad)).explanation,
      /The provider accepted it .* The network reported .* could not deliver it/
    )
    const { json } = await app.ask(`/${CLIENT}/users/bad`, { headers: asBackEnd })
    assert.equal((json['emailBounce'] as { address: string }).address, 'rcpt-550@example.org')

    assert.equal((await readReceipts(app, good)).receipts, undefined)
    assert.deepEqual(
      hop.received.map(mail => mail.to),
      [['amara@example.org']]
    )
    assert.match(hop.received[0]!.from, /^bounce\+[0-9a-f]{54}@bounces\.notif\.test$/)
    assert.match(postfix.log(), /notif-bounce.*status=sent/)
  }
)
