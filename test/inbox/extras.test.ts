// Buttons, progress and appearance of notifications, from the request of the back end to the inbox.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { InboxPage, Notif } from '#protocol'

import { asBackEnd, asUser, CLIENT, startApp, type TestApp } from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const ask = (method: string, path: string, body: unknown) =>
  app.ask(`/${CLIENT}${path}`, { body: JSON.stringify(body), headers: asBackEnd, method })

async function newest(userId: string): Promise<Notif> {
  const { json } = await app.ask(`/${CLIENT}/users/${userId}/inbox`, { headers: asUser(userId) })
  return (json as unknown as InboxPage).items[0]!
}

test('a template has buttons, and its type an appearance', async () => {
  const INAPP_WEB = {
    actions: [{ id: 'open', label: 'Open {{ map }}', url: '/maps/{{ id }}' }],
    title: '{{ map }} is ready'
  }
  const put = await ask('PUT', '/notifications/map_ready', {
    icon: 'stack',
    imageShape: 'square',
    templates: { INAPP_WEB },
    tone: 4
  })
  assert.equal(put.status, 201, put.text)
  assert.equal(put.json['icon'], 'stack')
  const sent = await ask('POST', '/sender', {
    parameters: { id: 7, map: 'Harbour' },
    to: { id: 'ada' },
    type: 'map_ready'
  })
  assert.equal(sent.status, 200, sent.text)
  assert.deepEqual(sent.json['messages'], [])
  const { actions, icon, imageShape, tone } = await newest('ada')
  assert.deepEqual(
    { actions, icon, imageShape, tone },
    {
      actions: [{ id: 'open', label: 'Open Harbour', url: '/maps/7' }],
      icon: 'stack',
      imageShape: 'square',
      tone: 4
    }
  )
})

test('a send has content of its own, and wrong content is refused by name', async () => {
  const inapp = { progress: { value: 0.5 }, title: 'Report' }
  assert.equal((await ask('POST', '/sender', { inapp, to: { id: 'bob' }, type: 'report' })).status, 200)
  assert.deepEqual((await newest('bob')).progress, { state: 'running', value: 0.5 })
  const wrong = { ...inapp, actions: [{ id: 'a', label: 'A', url: 'vbscript:x' }] }
  const refused = await ask('POST', '/sender', { inapp: wrong, to: { id: 'bob' }, type: 'report' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /#\/inapp\/actions\/0\/url/)
})

test('a notification without them has no new field', async () => {
  const sent = await ask('POST', '/sender', { inapp: { title: 'T' }, to: { id: 'cy' }, type: 'plain' })
  assert.equal(sent.status, 200)
  assert.deepEqual(Object.keys(await newest('cy')).toSorted(), ['date', 'id', 'rev', 'title', 'type'])
})
