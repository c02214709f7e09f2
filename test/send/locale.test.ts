// Variants of templates by language, from the REST call to the email and the inbox, on the real server.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
  const templates = {
    'EMAIL/plain': { subject: 'Plain', text: 'Plain' },
    'EMAIL@de': { html: '<p>{{ when | date: "%-d. %B %H:%M" }}</p>', subject: 'Hallo {{ user.id }}' },
    EMAIL: { html: '<p>{{ when | date: "%B %-d, %H:%M" }}</p>', subject: 'Hello {{ user.id }}' },
    INAPP_WEB: { title: 'Hello {{ when | date: "%H:%M" }}' },
    'INAPP_WEB@de': { title: 'Hallo {{ when | date: "%H:%M" }}' },
    'inapp@de_at': { title: 'Servus {{ when | date: "%H:%M" }}' }
  }
  const { status, text } = await call('PUT', '/notifications/greeting', { templates })
  assert.equal(status, 201, text)
})
after(() => app[Symbol.asyncDispose]())

const call = (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = asBackEnd
) =>
  app.ask(`/${CLIENT}${path}`, { headers, method, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function mailFor(trackingId: unknown): Promise<Record<string, string>> {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const { json } = await call('GET', `/sandbox/messages?trackingId=${String(trackingId)}`)
    const [mail] = json['messages'] as Record<string, string>[]
    if (mail) return mail
  }
  return assert.fail('no mail came')
}

async function greet(id: string, more: object = {}) {
  const parameters = { when: '2026-01-20T03:30:00Z' }
  const to = { email: `${id}@example.com`, id }
  const { json, status, text } = await call('POST', '/sender', { parameters, to, type: 'greeting', ...more })
  assert.ok(status < 300, text)
  const inbox = await call('GET', `/users/${id}/inbox`, undefined, asUser(id))
  const [item] = (inbox.json['items'] ?? []) as { title: string }[]
  const mail = await mailFor(json['trackingId'])
  return {
    html: mail['html']!,
    messages: json['messages'] as string[],
    subject: mail['subject'],
    title: item?.title
  }
}

test('uses the variant of the stored language, and the stored time zone for dates', async () => {
  await call('POST', '/users/ida', { locale: 'de_AT', timezone: 'Europe/Vienna' }, asUser('ida'))
  const kept = await call('GET', '/users/ida', undefined, asUser('ida'))
  assert.equal(kept.json['locale'], 'de-AT')
  const { html, subject, title } = await greet('ida')
  assert.equal(title, 'Servus 04:30')
  assert.equal(subject, 'Hallo ida')
  assert.match(html, /<html lang="de-AT">[^]*<p>20\. Jänner 04:30<\/p>/)
})

test('uses the default template without a language, or without a variant of it', async () => {
  const plain = await greet('ann')
  assert.deepEqual([plain.title, plain.subject], ['Hello 03:30', 'Hello ann'])
  assert.match(plain.html, /<html><head>[^]*<p>January 20, 03:30<\/p>/)
  await call('POST', '/users/fleur', { locale: 'fr' }, asUser('fleur'))
  assert.equal((await greet('fleur')).title, 'Hello 03:30')
})

test('values of the send override stored ones, and the id of a template overrides the language', async () => {
  await call('POST', '/users/uwe', { locale: 'en' }, asUser('uwe'))
  const to = { email: 'uwe@example.com', id: 'uwe', locale: 'de-CH' }
  const german = await greet('uwe', { to })
  assert.deepEqual([german.title, german.subject], ['Hallo 03:30', 'Hallo uwe'])
  const named = await greet('uwe', { templateId: 'plain', to })
  assert.equal(named.subject, 'Plain')
  assert.deepEqual(named.messages, [
    'INAPP_WEB: the template "plain" does not exist, so the default template was used.'
  ])
})

test('a variant is stored, read and deleted separately', async () => {
  const path = '/notifications/greeting/templates/SMS'
  const german = { message: 'Hallo' }
  assert.equal((await call('PUT', `${path}?locale=DE`, german)).status, 201)
  assert.deepEqual((await call('GET', `${path}?locale=de`)).json, german)
  assert.equal((await call('GET', path)).status, 404)
  assert.equal((await call('PUT', `${path}/short?locale=de`, german)).status, 201)
  assert.deepEqual((await call('GET', `${path}/short@de`)).json, german)
  const { json } = await call('GET', '/notifications/greeting')
  assert.ok(['SMS@de', 'SMS/short@de', 'INAPP_WEB@de-AT'].every(key => key in (json['templates'] as object)))
  assert.equal((await call('DELETE', `${path}?locale=de`)).status, 204)
  assert.equal((await call('DELETE', `${path}?locale=de`)).status, 404)
  const wrong = await call('PUT', `${path}?locale=german`, german)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Expected a language tag/)
  assert.equal((await call('PUT', `${path}/short@fr?locale=de`, german)).status, 400)
})

test('refuses an invalid language with its pointer', async () => {
  const user = await call('POST', '/users/x', { locale: 'german' }, asUser('x'))
  assert.deepEqual(
    [user.status, (user.json['errors'] as { pointer: string }[])[0]?.pointer],
    [422, '#/locale']
  )
  const body = { inapp: { title: 'x' }, to: { id: 'x', locale: 'de--' }, type: 'greeting' }
  const send = await call('POST', '/sender', body)
  assert.equal((send.json['errors'] as { pointer: string }[])[0]?.pointer, '#/to/locale')
  const type = await call('PUT', '/notifications/bad', { templates: { 'INAPP_WEB@german-': { title: 'x' } } })
  assert.equal((type.json['errors'] as { pointer: string }[])[0]?.pointer, '#/templates/INAPP_WEB@german-')
  await call('POST', '/users/ida2', { locale: 'de' }, asUser('ida2'))
  await call('POST', '/users/ida2', { locale: null }, asUser('ida2'))
  assert.equal((await call('GET', '/users/ida2', undefined, asUser('ida2'))).json['locale'], undefined)
})

test('a preview uses the variant of its user', async () => {
  const body = {
    channels: ['INAPP_WEB', 'EMAIL'],
    parameters: { when: '2026-01-20T03:30:00Z' },
    to: { locale: 'de-AT', timezone: 'Europe/Vienna' }
  }
  const { json } = await call('POST', '/notifications/greeting/preview', body)
  const [mail, item] = json['previews'] as { template: string; fields: Record<string, string> }[]
  assert.deepEqual([mail!.template, item!.template, item!.fields['title']], ['@de', '@de-AT', 'Servus 04:30'])
  assert.match(mail!.fields['html']!, /lang="de-AT"/)
})

test('uses the time zone of the environment for users without one, in dates and simulations', async () => {
  const headers = basic(`${OTHER}:${OTHER_SECRET}`)
  const ask = async (
    method: string,
    path: string,
    given: object,
    as: Readonly<Record<string, string>> = headers
  ) => {
    const { json, status, text } = await app.ask(path, { body: JSON.stringify(given), headers: as, method })
    assert.ok(status < 300, text)
    return json
  }
  await ask('PATCH', `/environments/${OTHER}`, { defaultTimezone: 'Asia/Kathmandu' }, asAdmin)
  const send = {
    inapp: { title: '{{ when | date: "%H:%M" }}' },
    parameters: { when: '2026-01-20T03:30:00Z' },
    type: 'zoned'
  }
  await ask('POST', `/${OTHER}/users/own`, { timezone: 'Asia/Tokyo' })
  for (const [to, time] of [
    [{ id: 'none' }, '09:15'],
    [{ id: 'own' }, '12:30'],
    [{ id: 'own', timezone: 'UTC' }, '03:30']
  ] as const) {
    await ask('POST', `/${OTHER}/sender`, { ...send, to })
    const { json } = await app.ask(`/${OTHER}/users/${to.id}/inbox`, { headers })
    assert.equal((json['items'] as { title: string }[])[0]?.title, time)
    const simulated = await ask('POST', `/${OTHER}/simulate`, { render: true, send: { ...send, to } })
    const [channel] = simulated['channels'] as { content: { title: string } }[]
    assert.equal(channel?.content.title, time)
  }
})
