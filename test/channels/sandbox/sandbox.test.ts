// The sandbox over HTTP: messages as JSON for back ends, a page to look at them, and untrusted HTML isolated in a frame.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { openEmailSandbox, openSandbox } from '../../../server/channels/sandbox/provider.ts'
import { sandboxRoutes } from '../../../server/channels/sandbox/route.ts'
import { sha256 } from '../../../server/core/hash.ts'
import { placementHash, bucketOf, uuidv7 } from '../../../server/core/id.ts'
import type { Db } from '../../../server/db/db.ts'
import { openAudit } from '../../../server/http/audit/audit.ts'
import type { HostCheck } from '../../../server/http/host-check.ts'
import { ADMIN_TOKEN, CLIENT, OTHER, OTHER_SECRET, SECRET, serve, type Served } from '../../http/serve.ts'
import { waiting } from '../queued-delivery.ts'

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
})
const BACK_END = { headers: basic(CLIENT, SECRET) }

export async function keep(db: Db, user: string, subject: string, html: string): Promise<string> {
  const place = placementHash(CLIENT, user)
  const id = uuidv7(place)
  const delivery = {
    body: { notificationId: 'news', template: null, to: `${user}@x.test` },
    bucket: bucketOf(CLIENT, user),
    envId: CLIENT,
    id,
    send: {},
    sendId: id,
    userId: user
  }
  await waiting(db, 'EMAIL', delivery)
  await openEmailSandbox(db).send(
    {
      attachments: [{ content: 'SGVsbG8=', filename: 'a "b".txt' }],
      bcc: [{ address: 'bcc@x.test', name: '' }],
      cc: [],
      from: { address: 'ferry@company.test', name: 'Ferry <b>' },
      html,
      messageId: `<${id}@company.test>`,
      replyTo: [],
      size: 1,
      subject,
      text: 'plain',
      to: { address: `${user}@x.test`, name: '' }
    },
    delivery,
    { number: 1, signal: AbortSignal.timeout(1000) }
  )
  return id
}

describe('sandbox', () => {
  let closed: Served
  let open: Served
  before(async () => {
    const routes = (isOpenHost: HostCheck | undefined) => (db: Db) =>
      sandboxRoutes({
        adminTokenHash: sha256(ADMIN_TOKEN),
        audit: openAudit(db, Date.now),
        clientId: CLIENT,
        db,
        isOpenHost,
        maxPageBytes: 8_000_000
      })
    ;[closed, open] = await Promise.all([serve(routes(undefined)), serve(routes(() => true))])
  })
  after(() => Promise.all([closed, open].map(one => one[Symbol.asyncDispose]())))

  test('returns whole messages to back ends, filtered and in pages', async () => {
    for (const user of ['amara', 'mei', 'amara']) await keep(closed.db, user, `To ${user}`, '<p>x</p>')
    const all = await (await closed.fetch(`/${CLIENT}/sandbox/messages`, BACK_END)).json()
    assert.equal(all.messages.length, 3)
    const [newest] = all.messages
    assert.equal(newest.to, 'amara@x.test')
    assert.equal(newest.subject, 'To amara')
    assert.equal(newest.type, 'news')
    assert.deepEqual(newest.bcc, ['bcc@x.test'])
    assert.deepEqual(newest.attachments, [{ bytes: 5, filename: 'a "b".txt' }])
    assert.match(newest.raw, /^From: /m)
    const header = newest.headers.find((one: { name: string }) => one.name === 'Message-ID')
    assert.equal(header.value, `<${newest.trackingId}@company.test>`)
    assert.ok(Math.abs(Date.parse(newest.date) - Date.now()) < 60_000)

    const first = await (
      await closed.fetch(`/${CLIENT}/sandbox/messages?user=amara&count=1`, BACK_END)
    ).json()
    assert.equal(first.messages.length, 1)
    const second = await (
      await closed.fetch(`/${CLIENT}/sandbox/messages?user=amara&count=1&cursor=${first.next}`, BACK_END)
    ).json()
    assert.deepEqual([second.messages.length, second.next], [1, undefined])
    assert.notEqual(second.messages[0].id, first.messages[0].id)
    const one = await closed.fetch(`/${CLIENT}/sandbox/messages?trackingId=${newest.id}`, BACK_END)
    assert.equal((await one.json()).messages.length, 1)
    const none = await closed.fetch(`/${CLIENT}/sandbox/messages?channel=SMS`, BACK_END)
    assert.deepEqual(await none.json(), { messages: [] })
  })

  test('ends a page of large messages early, and continues on the next page', async () => {
    await using large = await serve(db =>
      sandboxRoutes({
        adminTokenHash: sha256(ADMIN_TOKEN),
        audit: openAudit(db, Date.now),
        clientId: CLIENT,
        db,
        isOpenHost: undefined,
        maxPageBytes: 80_000
      })
    )
    const html = `<p>${'x'.repeat(9_000)}</p>`
    for (let n = 0; n < 12; n += 1) await keep(large.db, 'amara', `Mail ${n}`, html)
    const subjects: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`
      const answer = await large.fetch(`/${CLIENT}/sandbox/messages?count=200${at}`, BACK_END)
      const text = await answer.text()
      assert.ok(text.length < 90_000, `${text.length} bytes`)
      const { messages, next } = JSON.parse(text)
      subjects.push(...messages.map((one: { subject: string }) => one.subject))
      cursor = next
    }
    assert.deepEqual(
      subjects,
      Array.from({ length: 12 }, (_, n) => `Mail ${11 - n}`)
    )
  })

  test('names invalid filters, and returns nothing to other environments', async () => {
    for (const query of ['cursor=x', 'count=0', 'count=1e9', 'channel=FAX', 'trackingId=%00']) {
      const answer = await closed.fetch(`/${CLIENT}/sandbox/messages?${query}`, BACK_END)
      assert.equal(answer.status, 422, query)
      assert.equal((await answer.json()).errors[0].pointer, `#/${query.split('=')[0]}`)
    }
    const other = await closed.fetch(`/${OTHER}/sandbox/messages`, { headers: basic(OTHER, OTHER_SECRET) })
    assert.deepEqual(await other.json(), { messages: [] })
    const id = await keep(open.db, 'mei', 'To mei', '<p>x</p>')
    for (const path of [`/sandbox?m=${id}&env=`, `/sandbox/messages/${id}/html?env=`]) {
      assert.equal((await open.fetch(path + CLIENT)).status, 200)
      assert.equal((await open.fetch(path + OTHER)).status, 404, path)
    }
    assert.equal((await closed.fetch(`/${CLIENT}/sandbox/messages`)).status, 401)
  })

  test('requires the admin token for the page unless it is open', async () => {
    const id = await keep(closed.db, 'mei', 'Secret', '<p>x</p>')
    for (const path of ['/sandbox', `/sandbox?m=${id}`, `/sandbox/messages/${id}/html`]) {
      const refused = await closed.fetch(path)
      assert.equal(refused.status, 401, path)
      assert.match(refused.headers.get('www-authenticate')!, /^Basic /)
      assert.doesNotMatch(await refused.text(), /Secret/)
      assert.equal((await closed.fetch(path, { headers: basic('any', 'wrong') })).status, 401)
      assert.equal((await closed.fetch(path, { headers: basic('any', ADMIN_TOKEN) })).status, 200)
      assert.equal(
        (await closed.fetch(path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).status,
        200
      )
    }
    assert.equal((await open.fetch('/sandbox')).status, 200)
  })

  test('escapes messages on the page, and isolates their HTML', async () => {
    const evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    const id = await keep(open.db, 'mei', evil, `<html><head></head><body>${evil}</body></html>`)
    for (const view of ['html', 'text', 'headers', 'raw']) {
      const page = await open.fetch(`/sandbox?m=${id}&view=${view}`)
      assert.equal(page.status, 200)
      const text = await page.text()
      assert.doesNotMatch(text, /<script>|<img/)
      assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/)
    }
    const part = await open.fetch(`/sandbox/messages/${id}/html`)
    const policy = part.headers.get('content-security-policy')!
    assert.match(policy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/)
    assert.doesNotMatch(policy, /script-src|allow-scripts|allow-same-origin|https:/)
    assert.match(
      (await open.fetch(`/sandbox/messages/${id}/html?images=1`)).headers.get('content-security-policy')!,
      /https:/
    )
    assert.match(await part.text(), /<head><base target="_blank">/)
  })

  test('shows text messages and calls as bubbles, with their size', async () => {
    const text = 'Ab €<img src=x onerror=alert(1)>'
    for (const [channel, says] of [
      ['SMS', '1 segment, GSM-7'],
      ['CALL', `spoken in en-US, ${text.length} characters`]
    ] as const) {
      const id = uuidv7(placementHash(CLIENT, 'amara'))
      const user = { bucket: bucketOf(CLIENT, 'amara'), envId: CLIENT, userId: 'amara' }
      const body = { notificationId: 'news', template: null, to: '+12025550123' }
      const message = { language: 'en-US', mediaUrls: ['https://x.test/a.png'], text, to: '+12025550123' }
      const call = { number: 1, signal: AbortSignal.timeout(1000) }
      const delivery = { ...user, body, id, send: {}, sendId: id }
      await waiting(open.db, channel, delivery)
      await openSandbox(open.db, channel).send(message, delivery, call)
      const page = await (await open.fetch(`/sandbox?m=${id}&view=headers`)).text()
      assert.match(page, /to \+12025550123/)
      assert.ok(page.includes(says), page)
      assert.ok(page.includes('Ab €&lt;img') && !page.includes('<img'))
      assert.ok(page.includes('href="https://x.test/a.png"'))
      const listed = await open.fetch(`/${CLIENT}/sandbox/messages?trackingId=${id}`, BACK_END)
      assert.equal((await listed.json()).messages[0].text, text)
    }
  })

  test('answers invalid addresses with 4xx, not with 500', async () => {
    for (const path of [
      '/sandbox?m=x',
      '/sandbox?before=%00',
      '/sandbox?view=evil',
      `/sandbox?m=${uuidv7(1)}`,
      '/sandbox/messages/x/html',
      `/sandbox/messages/${uuidv7(5)}/html`
    ]) {
      const { status } = await open.fetch(path)
      assert.ok(status === 404 || status === 422, `${path}: ${status}`)
    }
    assert.equal((await open.fetch('/sandbox?user=%00nobody')).status < 500, true)
  })
})
