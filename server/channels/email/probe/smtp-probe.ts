// Whether the mail server takes a connection, encrypts it and lets us in, without a mail.

import { createTransport } from 'nodemailer'

import type { SmtpFault } from '../smtp.ts'
import type { Probe } from './probe.ts'

/** Milliseconds for each of connection and greeting. */
const PATIENCE = 10_000

async function faultOf(url: string, requireTLS: boolean): Promise<SmtpFault | undefined> {
  const transport = createTransport({
    connectionTimeout: PATIENCE,
    dnsTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    requireTLS,
    socketTimeout: PATIENCE,
    url
  })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error as SmtpFault
  } finally {
    transport.close()
  }
}

const WHY: Readonly<Record<string, string>> = {
  EAUTH: 'refuses the user or the password',
  ECONNECTION: 'cannot be reached',
  EDNS: 'has no address in the DNS',
  ENOAUTH: 'wants a user and a password',
  ESOCKET: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
  ETLS: 'cannot agree on encryption with us'
}

/** What Node calls a certificate that has expired, is of another host, or is signed by nobody whom we know. */
const ABOUT_CERTIFICATE = /CERT|LEAF_SIGNATURE/

/** @param url - as in NOTIF_SMTP_URL */
export async function probeSmtp(url: string): Promise<Probe> {
  const fault = await faultOf(url, false)
  if (fault) {
    const { code = 'ESMTP', originalCode = code, responseCode } = fault
    const said = responseCode === undefined ? originalCode : `${code}, ${responseCode}`
    const why = ABOUT_CERTIFICATE.test(originalCode) ? 'has a certificate that does not hold' : WHY[code]
    const words = `The mail server ${why ?? 'did not let us in'} (${said}).`
    return { probe: 'smtp', state: 'failed', words }
  }
  const { password, protocol } = new URL(url)
  const clear = protocol === 'smtp:' && (await faultOf(url, true)) !== undefined
  if (!clear) return { probe: 'smtp', state: 'ok', words: 'The mail server lets us in, encrypted.' }
  const open = 'The mail server lets us in, without encryption'
  return password === ''
    ? { probe: 'smtp', state: 'ok', words: `${open}.` }
    : { probe: 'smtp', state: 'warning', words: `${open}: whoever listens can read the password.` }
}
