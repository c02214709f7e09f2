// Every limit of a send, at its exact boundary.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createFileLoader } from '../../server/channels/email/email-files.ts'
import { createEmailChannel } from '../../server/channels/email/email.ts'
import { Problem } from '../../server/http/problem.ts'
import { base64LineBytes } from '../../server/send/attachments/attachment.ts'
import { parseSend } from '../../server/send/parse-send.ts'
import { findTooLarge } from '../../server/send/plan/message-limits.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { testConfig } from '../http/serve.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000

/** The faults of a send by the pointers of its fields, or the warnings of a valid one. */
function read(more: object): readonly string[] {
  try {
    return parseSend({ to: { id: 'u' }, type: 't', ...more }, NOW, () => []).warnings
  } catch (error) {
    if (error instanceof Problem) return [`${error.status}`, ...error.errors.map(({ pointer }) => pointer)]
    throw error
  }
}

const tags = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
const later = (ms: number) => ({ schedule: new Date(NOW + ms).toISOString() })
const collapse = (collapseId: string) => ({ options: { apn: { collapseId } } })
const ttl = (value: unknown) => ({ options: { fcm: { android: { ttl: value } } } })
const files = (...contents: string[]) => ({
  options: { email: { attachments: contents.map(content => ({ content, filename: 'a' })) } }
})

const AT = {
  collapse: '#/options/apn/collapseId',
  ttl: '#/options/fcm/android/ttl'
}

test('parameters above 150 KB cause a warning, and above 256 KiB a refusal', () => {
  assert.deepEqual(read({ parameters: tags(150_000) }), [])
  const [warning, ...rest] = read({ parameters: tags(150_001) })
  assert.match(warning!, /^#\/parameters: the parameters have 150001 bytes; more than 150000 may fail/)
  assert.deepEqual(rest, [])
  assert.match(read({ mergeTags: tags(150_001) }).join(), /^#\/mergeTags: /)
  assert.match(read({ parameters: tags(262_144) }).join(), /^#\/parameters: /)
  assert.deepEqual(read({ parameters: tags(262_145) }), ['413', '#/parameters'])
})

test('collapseId has at most 64 bytes', () => {
  assert.deepEqual(read(collapse('x'.repeat(64))), [])
  assert.deepEqual(read(collapse('é'.repeat(32))), [])
  assert.deepEqual(read(collapse('😀'.repeat(16))), [])
  assert.deepEqual(read(collapse('x'.repeat(65))), ['422', AT.collapse])
  assert.deepEqual(read(collapse(`${'é'.repeat(32)}x`)), ['422', AT.collapse])
})

test('ttl is at most four weeks, as number and as text', () => {
  const weeks = 4 * 7 * 86_400
  for (const form of [Number, String]) {
    assert.deepEqual(read(ttl(form(weeks))), [])
    assert.deepEqual(read(ttl(form(weeks + 1))), ['422', AT.ttl])
  }
})

test('a schedule is at most 366 days ahead', () => {
  assert.deepEqual(read(later(366 * DAY)), [])
  assert.deepEqual(read(later(366 * DAY + 1)), ['422', '#/schedule'])
})

test('attachments count together, in their encoded size', () => {
  assert.equal(base64LineBytes(76), 78)
  assert.equal(base64LineBytes(77), 81)
  const file = 'A'.repeat(76 * 100)
  const found = (emailMaxBytes: number, ...contents: string[]) => {
    const send = { ...files(...contents), to: { id: 'u' }, type: 't' }
    return findTooLarge('EMAIL', send, { templates: new Map() }, null, { emailMaxBytes })
  }
  assert.equal(found(2 * 78 * 100, file, file), undefined)
  assert.deepEqual(found(2 * 78 * 100 - 1, file, file), {
    decision: 'attachment-too-large',
    detail: 'The files have 15600 bytes when encoded for an email; at most 15599 are allowed.'
  })
  const most = Math.floor(((26_214_400 / 78) * 76) / 4) * 4
  assert.equal(found(26_214_400, 'A'.repeat(most)), undefined)
  assert.equal(found(26_214_400, 'A'.repeat(most + 76))?.decision, 'attachment-too-large')
})

test('the limit of an email counts its text and its attachments, to the byte', async () => {
  const make = async (bytes?: number) => {
    const config = testConfig(bytes === undefined ? {} : { NOTIF_EMAIL_MAX_BYTES: String(bytes) })
    const renderer = createRenderer(config)
    const provider = { send: () => assert.fail('sent') }
    const types = { ensure: () => assert.fail(), forget() {}, get: async () => undefined }
    const channel = createEmailChannel({
      config,
      loadFiles: createFileLoader({ of: () => assert.fail() }),
      buildUnsubscribeLink: () => undefined,
      buildPreferencesLink: () => undefined,
      provider,
      renderer,
      buildReturnPath: () => undefined,
      types
    })
    const content = Buffer.alloc(30_000, 1).toString('base64')
    const send = {
      email: { html: `<p>${'é'.repeat(1000)}</p>`, subject: 'S' },
      options: { email: { attachments: [{ content, filename: 'a' }] } },
      to: { id: 'u' },
      type: 't'
    }
    const body = { notificationId: 't', template: null, to: 'a@b.example' }
    try {
      const delivery = { body, bucket: 0, envId: 'e', id: 'i', send, sendId: 's', userId: 'u' }
      return await channel.buildMessage(delivery as unknown as Parameters<typeof channel.buildMessage>[0])
    } finally {
      await renderer.close()
    }
  }
  const email = await make()
  assert.ok(email.ok)
  const { size } = email.message
  assert.ok(size > 41_000, 'files weigh what they weigh in base64')
  assert.equal((await make(size)).ok, true)
  const refused = await make(size - 1)
  assert.ok(!refused.ok)
  assert.equal(refused.code, 'too-large')
})
