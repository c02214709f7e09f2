// Sends many emails with the largest allowed files through a server process, and measures its memory.

import { readFileSync, writeFileSync } from 'node:fs'

import { createClient } from '../../../server/client/index.ts'
import { smtpPeer } from '../../channels/email/smtp-peer.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../../process/send-and-read.ts'
import { startServer, until } from '../../support/process.ts'
import { fileHost } from './host.ts'

const PIECE = 65_536
/** 18.25 MiB, which base64 encodes to nearly the 25 MiB of an email. */
export const FILE_BYTES = 292 * PIECE

/** A back end that sends its emails faster than they can be delivered. */
const SENDERS = 20

export interface Flooded {
  /** Bytes of resident memory: before, and the most while the mails went through. */
  readonly before: number
  readonly most: number
  /** Bytes that the mail server read. */
  readonly mailed: number
  readonly milliseconds: number
}

/** In bytes. */
const memoryOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8')
  )!
  return Number(kilobytes) * 1024
}

/**
 * @param mails - handed in as fast as they are taken
 * @param bytes - of the file of each, in pieces of 64 KiB
 * @param say - receives the number of arrived emails, once a second
 */
export async function flood(
  databaseUrl: string,
  mails: number,
  bytes = FILE_BYTES,
  env: Readonly<Record<string, string>> = {},
  say: (arrived: number) => void = () => {}
): Promise<Flooded> {
  await using host = await fileHost()
  await using peer = await smtpPeer({ discard: true })
  const settings = { ...OWN_KEYS, NOTIF_ALLOW_PRIVATE: '127.0.0.1', NOTIF_SMTP_URL: peer.url, ...env }
  await using server = await startServer({ databaseUrl, env: settings })
  const client = createClient({ baseURL: server.base, clientId: CLIENT, clientSecret: SECRET })
  const send = (n: number, pieces: number) =>
    client.send({
      email: { html: '<p>The plan</p>', subject: 'Plan' },
      options: { email: { attachments: [{ filename: 'plan.pdf', url: `${host.url}/drip/${pieces}?${n}` }] } },
      to: { email: `u${n}@x.test`, id: `u${n}` },
      type: 'plan'
    })
  // Warms up the code that the first emails load.
  for (let n = 0; n < 20; n++) await send(n, 1)
  await until(() => peer.arrived === 20, 'the first mails')
  const before = memoryOf(server.pid, 'VmRSS')
  // Resets the peak (man 5 proc).
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  const mailed = peer.bytes
  const began = performance.now()
  let next = 0
  const sender = async (): Promise<void> => {
    for (let n = next++; n < mails; n = next++) await send(n, Math.floor(bytes / PIECE))
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  let reportedAt = began
  const isDone = (): boolean => {
    if (performance.now() - reportedAt > 1000) {
      reportedAt = performance.now()
      say(peer.arrived - 20)
    }
    return peer.arrived === 20 + mails
  }
  await until(isDone, `${mails} mails`, 60_000 + mails * 10_000)
  const result = {
    before,
    mailed: peer.bytes - mailed,
    milliseconds: performance.now() - began,
    most: memoryOf(server.pid, 'VmHWM')
  }
  await server.end('SIGTERM')
  return result
}
