// The unsubscribe link in an email: it unsubscribes its user from emails of its type, and authorizes nothing else.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import PostalMime from 'postal-mime'

import { createUnsubscribeToken } from '../../../server/users/link-pages/link-token.ts'
import { unsubscribeRoutes } from '../../../server/users/link-pages/unsubscribe-route.ts'
import type { Received } from '../../channels/email/smtp-peer.ts'
import { CLIENT, serve } from '../../http/serve.ts'
import { mailing } from '../../send/attachments/mailing.ts'
import { testKit, type TestKit } from '../../send/test-context.ts'
import { testDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'

const serving = async () => {
  const kits: TestKit[] = []
  const served = await serve(db => {
    kits.push(testKit(db))
    return unsubscribeRoutes(kits[0]!, TEST_ENCRYPTION)
  })
  return { ...served, context: kits[0]! }
}
const about = { envId: CLIENT, notificationId: '<b>type</b>', subNotificationId: 'sub', userId: 'u1' }
const choices = async (s: Awaited<ReturnType<typeof serving>>) => [
  ...(await s.db.control`
    select env_id, user_id, notification_id, sub_id, channel, delivery from preferences where bucket >= 0
    order by sub_id`)
]

test('unsubscribes by the button and by mail programs, but not by opening the page', async () => {
  await using s = await serving()
  const path = `/unsubscribe/${createUnsubscribeToken(TEST_ENCRYPTION, about)}`
  const page = await s.fetch(path)
  const html = await page.text()
  assert.equal(page.status, 200)
  assert.match(html, /<form method="post"><button>Unsubscribe/)
  assert.ok(html.includes('&lt;b&gt;type&lt; b&gt;') && !html.includes('<b>'))
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/)
  assert.deepEqual(await choices(s), [])
  assert.deepEqual([s.context.chosen, s.context.woken.size], [[], 0])
  for (const _ of [1, 2]) {
    const done = await s.fetch(path, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      method: 'POST'
    })
    assert.equal(done.status, 200)
  }
  const row = {
    channel: 'EMAIL',
    delivery: 'off',
    env_id: CLIENT,
    notification_id: '<b>type</b>',
    user_id: 'u1'
  }
  assert.deepEqual(await choices(s), [
    { ...row, sub_id: '' },
    { ...row, sub_id: 'sub' }
  ])
  // Open pages are notified, and waiting digests are revisited.
  assert.deepEqual(s.context.chosen, ['u1', 'u1'])
  assert.ok(s.context.woken.has('DIGEST'))
})

test('accepts any form of a mail program, and shows a title as text', async () => {
  await using s = await serving()
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  for (const body of [form, undefined]) {
    const token = createUnsubscribeToken(TEST_ENCRYPTION, {
      ...about,
      notificationId: "$& $'",
      userId: body ? 'form' : 'none'
    })
    const done = await s.fetch(`/unsubscribe/${token}`, { ...(body && { body }), method: 'POST' })
    assert.ok((await done.text()).includes('no longer receive “$&amp; $&#39;” emails'))
  }
  assert.deepEqual(s.context.chosen, ['form', 'none'])
})

test('renders the page in the language of the reader', async () => {
  await using s = await serving()
  const path = `/unsubscribe/${createUnsubscribeToken(TEST_ENCRYPTION, about)}`
  const read = async (language: string) =>
    (await s.fetch(path, { headers: { 'accept-language': language } })).text()
  assert.match(await read('de-AT,en;q=0.5'), /lang="de" dir="ltr"[^]*Abbestellen/)
  assert.match(await read('fr, ar;q=0.8'), /lang="ar" dir="rtl"/)
  assert.match(await read('constructor'), /lang="en"/)
})

test('rejects tokens that are not valid, and never redirects', async () => {
  await using s = await serving()
  const good = createUnsubscribeToken(TEST_ENCRYPTION, about)
  const bytes = Buffer.from(good, 'base64url')
  const altered = [...bytes.keys()].map(i => {
    const copy = Buffer.from(bytes)
    copy[i]! ^= 1
    return copy.toString('base64url')
  })
  const elsewhere = TEST_ENCRYPTION.encrypt(JSON.stringify(about), 'another place').toString('base64url')
  const deleted = createUnsubscribeToken(TEST_ENCRYPTION, { ...about, envId: 'nobody' })
  const wrong = [...altered, randomBytes(80).toString('base64url'), 'x', elsewhere, deleted]
  for (const token of wrong) {
    const answer = await s.fetch(`/unsubscribe/${token}`, { method: 'POST' })
    assert.equal(answer.status, 404, token)
  }
  assert.deepEqual(await choices(s), [])
  const answer = await s.fetch(`/unsubscribe/${good}?to=https://evil.example&redirect=//evil.example`, {
    method: 'POST',
    redirect: 'manual'
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('location'), null)
  assert.ok(!(await answer.text()).includes('evil'))
})

test('puts a link into the headers of each email, and where the template has its placeholder', async () => {
  await using t = await testDb()
  await using m = await mailing(t.db, { NOTIF_PUBLIC_URL: 'https://n.example/base/' })
  const html = '<a href="{{notificationapi:unsubscribe_url}}">end</a>'
  await m.send([], { email: { html, subject: 's' } })
  await m.settle()
  const mail = await PostalMime.parse(m.peer.received[0]!.raw)
  const header = (name: string) => mail.headers.find(one => one.key === name)?.value
  const link = /^<(https:\/\/n\.example\/base\/unsubscribe\/[\w-]+)>$/.exec(
    header('list-unsubscribe') ?? ''
  )?.[1]
  assert.ok(link)
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.ok(mail.html!.includes(`href="${link}"`))
  assert.ok(!link.includes(Buffer.from('u1').toString('base64url')))
})

test('leaves a link out of the headers that is longer than a header line may be', async () => {
  await using t = await testDb()
  await using m = await mailing(t.db, { NOTIF_PUBLIC_URL: 'https://n.example' })
  const html = '<a href="{{notificationapi:unsubscribe_url}}">end</a>'
  await m.send([], { email: { html, subject: 's' }, to: { email: 'a@x.test', id: '漢'.repeat(255) } })
  await m.settle()
  const [{ raw }] = m.peer.received as [Received]
  assert.ok(!/[^\r\n]{999}/.test(raw), 'no line is too long')
  const mail = await PostalMime.parse(raw)
  assert.ok(!mail.headers.some(({ key }) => key.startsWith('list-')))
  assert.match(mail.html!, /href="https:\/\/n\.example\/unsubscribe\/[\w-]{1000,}"/)
})
