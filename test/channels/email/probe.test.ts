// The probes of email with real mail servers and a real DNS server, and DKIM signatures.

import assert from 'node:assert/strict'
import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { describe, test } from 'node:test'

import type { Delivery } from '../../../server/channels/channel.ts'
import type { EmailMessage } from '../../../server/channels/email/email.ts'
import { probeDkim, probeSmtp } from '../../../server/channels/email/probe.ts'
import { openSmtpProvider } from '../../../server/channels/email/smtp.ts'
import { startProbes } from '../../../server/channels/email/start-probes.ts'
import { readConfig } from '../../../server/config/config.ts'
import { launch, until } from '../../support/process.ts'
import { smtpPeer } from './smtp-peer.ts'

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' }
  })
const { privateKey, publicKey } = pair()
const own = publicKey.toString('base64')
const KEY = { domainName: 'company.test', keySelector: 's1', privateKey }
const NAME = 's1._domainkey.company.test'

/** Starts a DNS server with one TXT record or none. @param refuse - answers SERVFAIL */
async function dnsPeer(record: string | undefined, refuse = false) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const end = query.indexOf(0, 12) + 5
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(refuse ? 0x8182 : record === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(record === undefined ? 0 : 1, 6)
    head.fill(0, 8)
    // Longer than one chunk of a TXT record.
    const pieces = (record?.match(/[^]{1,200}/g) ?? []).map(text => Buffer.from(text))
    const data = Buffer.concat(pieces.flatMap(piece => [Buffer.from([piece.length]), piece]))
    const answer = Buffer.alloc(12)
    answer.writeUInt16BE(0xc00c, 0)
    answer.writeUInt16BE(16, 2)
    answer.writeUInt16BE(1, 4)
    answer.writeUInt16BE(data.length, 10)
    const parts = record === undefined ? [] : [answer, data]
    socket.send(Buffer.concat([head, query.subarray(12, end), ...parts]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    [Symbol.dispose]: () => socket.close(),
    resolve: (name: string) => resolver.resolveTxt(name)
  }
}

describe('the probe of the DKIM record', () => {
  const probeRecord = async (record: string | undefined, refuse = false) => {
    using dns = await dnsPeer(record, refuse)
    return await probeDkim(KEY, dns.resolve)
  }

  test('accepts the key in several chunks and with white space', async () => {
    const { state } = await probeRecord(`v=DKIM1; k=rsa; p=${own.slice(0, 90)} ${own.slice(90)}`)
    assert.equal(state, 'ok')
  })

  test('names a missing, different, revoked, empty or unreadable record', async () => {
    for (const [record, detail] of [
      [
        undefined,
        new RegExp(
          `The TXT record ${NAME} is missing.*v=DKIM1; k=rsa; p=${own.slice(0, 20)}`.replaceAll('+', '\\+')
        )
      ],
      [`v=DKIM1; p=${pair().publicKey.toString('base64')}`, /another key than NOTIF_DKIM_KEY/],
      ['v=DKIM1; p=', /revokes its key/],
      ['hello', /contains no key/]
    ] as const) {
      const probe = await probeRecord(record)
      assert.equal(probe.state, 'warning', record)
      assert.match(probe.detail, detail)
    }
    assert.match(
      (await probeRecord(undefined, true)).detail,
      /could not be read \(ESERVFAIL\), so the DKIM key is not checked/
    )
  })
})

describe('the probe of the mail server', { timeout: 60_000 }, () => {
  test('reports the login, or why it fails', async () => {
    await using peer = await smtpPeer()
    assert.equal((await probeSmtp(peer.url)).state, 'ok')
    assert.match((await probeSmtp(peer.url)).detail, /without encryption\.$/)
    await using locked = await smtpPeer({ credentials: 'user:secret' })
    const open = await probeSmtp(locked.url)
    assert.equal(open.state, 'warning')
    assert.match(open.detail, /the password can be read/)
    locked.refuse = { auth: 535 }
    const refused = await probeSmtp(locked.url)
    assert.deepEqual(refused, {
      probe: 'smtp',
      state: 'failed',
      detail: 'The mail server rejects the user or the password (EAUTH, 535).'
    })
    assert.equal(peer.received.length + locked.received.length, 0)
    const stopped = await smtpPeer()
    await stopped[Symbol.asyncDispose]()
    assert.match((await probeSmtp(stopped.url)).detail, /cannot be reached \(ECONNREFUSED\)/)
  })

  test('writes the result to the log and to /readyz, and delays nothing', async () => {
    await using peer = await smtpPeer()
    using dns = await dnsPeer(undefined)
    const read = readConfig({
      NOTIF_DKIM_DOMAIN: 'company.test',
      NOTIF_DKIM_KEY: privateKey.replaceAll('\n', String.raw`\n`),
      NOTIF_DKIM_SELECTOR: 's1',
      NOTIF_SMTP_URL: peer.url
    })
    assert.ok('config' in read)
    const lines = Promise.withResolvers<void>()
    const logged: string[] = []
    const note = (level: string) => (_: unknown, words: unknown) => {
      logged.push(`${level}: ${String(words)}`)
      if (logged.length === 2) lines.resolve()
    }
    const log = { error: note('error'), info: note('info'), warn: note('warn') }
    const probes = startProbes({ config: read.config, log: log as never, resolve: dns.resolve })
    const states = () => probes.results().map(({ probe, state }) => `${probe} ${state}`)
    assert.deepEqual(states(), [])
    await lines.promise
    assert.deepEqual(states(), ['smtp ok', 'dkim warning'])
    assert.match(
      logged.join('\n'),
      /^info: Connected to the mail server.*\nwarn: The TXT record .* is missing/
    )
    peer.refuse = { connect: 554 }
    probes.repeat()
    await until(() => states()[0] === 'smtp failed', 'the mail server is asked again')
    assert.deepEqual(logged.slice(2), ['error: The mail server rejects the login (EPROTOCOL, 554).'])
    probes.close()
  })

  test('runs again at an interval, and logs changed results', async () => {
    await using peer = await smtpPeer()
    const read = readConfig({ NOTIF_SMTP_URL: peer.url })
    assert.ok('config' in read)
    const logged: unknown[] = []
    const note = (_: unknown, words: unknown) => logged.push(words)
    const log = { error: note, info: note, warn: note }
    const probes = startProbes({ config: read.config, intervalMs: 20, log: log as never })
    const state = () => probes.results()[0]?.state
    await until(() => state() === 'ok', 'the first answer')
    const connectionCount = peer.connections
    await until(() => peer.connections > connectionCount + 3, 'more questions')
    peer.refuse = { connect: 554 }
    await until(() => state() === 'failed', 'another answer')
    probes.close()
    assert.equal(logged.length, 2, logged.join('\n'))
  })

  test('runs again soon after a failure, so /readyz does not name a repaired fault for a day', async () => {
    await using peer = await smtpPeer()
    const read = readConfig({ NOTIF_SMTP_URL: peer.url })
    assert.ok('config' in read)
    peer.refuse = { connect: 554 }
    const log = { error() {}, info() {}, warn() {} }
    const probes = startProbes({ config: read.config, failedIntervalMs: 20, log: log as never })
    const state = () => probes.results()[0]?.state
    await until(() => state() === 'failed', 'the first answer')
    peer.refuse = undefined
    await until(() => state() === 'ok', 'the answer after the repair')
    probes.close()
  })

  test('fails --check if the mail server refuses the login', async () => {
    await using peer = await smtpPeer({ credentials: 'user:secret' })
    for (const auth of [undefined, 535] as const) {
      peer.refuse = auth && { auth }
      await using server = launch({ args: ['--check'], env: { NOTIF_SMTP_URL: peer.url } })
      const { code } = await server.ended
      assert.equal(code, auth === undefined ? 0 : 1, server.output())
      assert.match(
        server.output(),
        auth ? /failed: The mail server rejects/ : /warning: .* without encryption/
      )
      assert.ok(!server.output().includes('secret'))
    }
  })
})

test('requires all three settings of the DKIM key, and a supported kind of key', () => {
  const problems = (env: Readonly<Record<string, string>>) => {
    const read = readConfig(env)
    return 'problems' in read ? read.problems.map(one => one.env) : []
  }
  assert.deepEqual(problems({ NOTIF_DKIM_KEY: privateKey }), ['NOTIF_DKIM_DOMAIN', 'NOTIF_DKIM_SELECTOR'])
  const ed = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const rest = { NOTIF_DKIM_DOMAIN: 'company.test', NOTIF_DKIM_SELECTOR: 's1' }
  assert.deepEqual(problems({ ...rest, NOTIF_DKIM_KEY: ed }), ['NOTIF_DKIM_KEY'])
  assert.deepEqual(problems({ ...rest, NOTIF_DKIM_KEY: 'x' }), ['NOTIF_DKIM_KEY'])
  assert.deepEqual(problems({ ...rest, NOTIF_DKIM_KEY: privateKey }), [])
})

/** Header fields in the form that is signed (RFC 6376, 3.4.2). */
const relaxed = (field: string): string => {
  const [, name = '', value = ''] = /^([^:]+):([^]*)$/.exec(field) ?? []
  return `${name.trim().toLowerCase()}:${value.replaceAll(/\s+/g, ' ').trim()}`
}

test('signs emails so that the published key verifies them', async () => {
  await using peer = await smtpPeer()
  const mail: EmailMessage = {
    attachments: [],
    bcc: [],
    cc: [],
    from: { address: 'us@company.test', name: 'Fähre' },
    messageId: '<1@company.test>',
    replyTo: [],
    size: 500,
    subject: 'Grüße',
    text: 'Hello\n',
    to: { address: 'a@x.test', name: '' }
  }
  for (const dkim of [KEY, undefined]) {
    const provider = openSmtpProvider({ connections: 1, url: peer.url, ...(dkim && { dkim }) })
    await provider.send(mail, { id: 'x' } as Delivery, { number: 1, signal: AbortSignal.timeout(5000) })
    await provider.close()
  }
  const [signed, bare] = peer.received.map(({ raw }) => raw)
  assert.ok(!/^DKIM-Signature:/m.test(bare!))
  const head = signed!
    .slice(0, signed!.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const signature = head.find(field => field.startsWith('DKIM-Signature:'))!
  const tag = (name: string): string =>
    new RegExp(`[; ]${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? ''
  assert.deepEqual([tag('d'), tag('s'), tag('a')], ['company.test', 's1', 'rsa-sha256'])
  const named = tag('h')
    .split(':')
    .map(name => head.find(field => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)))
  const empty = relaxed(signature.replace(/([; ]b=)[^;]*/, '$1'))
  const text = [...named.filter(field => field !== undefined).map(relaxed), empty].join('\r\n')
  const key = createPublicKey({ format: 'der', key: publicKey, type: 'spki' })
  assert.ok(createVerify('sha256').update(text).verify(key, tag('b'), 'base64'))
})
