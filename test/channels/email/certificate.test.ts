// An invalid certificate of the mail server is named as such, and not as a missing connection.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createServer } from 'node:tls'

import type { Delivery } from '../../../server/channels/channel.ts'
import type { EmailMessage } from '../../../server/channels/email/email.ts'
import { probeSmtp } from '../../../server/channels/email/probe.ts'
import { openSmtpProvider } from '../../../server/channels/email/smtp.ts'
import { TLS } from '../../support/tls.ts'

const MAIL: EmailMessage = {
  attachments: [],
  bcc: [],
  cc: [],
  from: { address: 'us@company.test', name: '' },
  messageId: '<1@company.test>',
  replyTo: [],
  size: 500,
  subject: 'Hello',
  text: 'Hello\n',
  to: { address: 'a@x.test', name: '' }
}

test('names the certificate in the probe and in the outcome of an email', async () => {
  const server = createServer(TLS, socket => socket.on('error', () => {})).on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `smtps://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = openSmtpProvider({ connections: 1, url })
  try {
    assert.deepEqual(await probeSmtp(url), {
      probe: 'smtp',
      state: 'failed',
      detail: 'The mail server has an invalid certificate (DEPTH_ZERO_SELF_SIGNED_CERT).'
    })
    const signal = AbortSignal.timeout(5000)
    const outcome = await provider.send(MAIL, { id: 'x' } as Delivery, { number: 1, signal })
    assert.partialDeepStrictEqual(outcome, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', kind: 'pause' })
  } finally {
    await provider.close()
    server.close()
  }
})
