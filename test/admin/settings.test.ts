// Operators see every setting without its secret, and what is wrong with them; an environment knows its first steps.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { ServerSettings } from '../../server/client/queues.ts'
import type { FirstStep } from '../../server/client/status.ts'
import {
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  SECRET,
  startApp
} from '../security/app.ts'

test('lists settings with value, default and warnings, and no secret', async () => {
  await using app = await startApp({
    NOTIF_PUBLIC_URL: 'http://notify.example.com',
    NOTIF_SMTP_URL: 'smtp://user:pass-4711@127.0.0.1:1'
  })
  assert.equal((await app.ask('/settings', { headers: asBackEnd })).status, 401)
  const answer = await app.ask('/settings', { headers: asAdmin })
  assert.equal(answer.status, 200)
  const { settings, warnings } = answer.json as unknown as ServerSettings
  assert.ok(!answer.text.includes(SECRET) && !answer.text.includes('4711'))
  const find = (name: string) => settings.find(setting => setting.name === name)!
  const { isSecret, source, value } = find('NOTIF_CLIENT_SECRET')
  assert.deepEqual({ isSecret, source, value }, { isSecret: true, source: 'set', value: '[secret]' })
  assert.equal(find('PORT').default, '3000')
  assert.equal(find('NOTIF_LOG_LEVEL').source, 'default')
  assert.deepEqual(
    warnings.filter(({ name }) => name === 'NOTIF_PUBLIC_URL').map(({ detail }) => /not https/.test(detail)),
    [true]
  )
})

test('says which first steps of an environment are done', async () => {
  await using app = await startApp()
  const read = async (clientId = CLIENT, headers = asBackEnd): Promise<FirstStep[]> => {
    const answer = await app.ask(`/${clientId}/first-steps`, { headers })
    assert.equal(answer.status, 200, answer.text)
    return answer.json['steps'] as FirstStep[]
  }
  const done = (steps: readonly FirstStep[]): string[] =>
    steps.filter(({ isDone }) => isDone).map(({ id }) => id)
  assert.deepEqual(done(await read()), [])
  const send = {
    email: { html: 'x', subject: 'x' },
    inapp: { title: 'x' },
    to: { email: 'a@example.com', id: 'a' },
    type: 'new_comment'
  }
  const sent = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify(send),
    headers: asBackEnd,
    method: 'POST'
  })
  await app.queues.idle('EMAIL')
  const steps = await read()
  // The send created its type.
  assert.deepEqual(done(steps).toSorted(), ['delivery', 'send', 'type'])
  assert.equal(steps.find(({ id }) => id === 'send')!.trackingId, sent.json['trackingId'])
  await app.ask(`/${CLIENT}/users/a`, { body: '{}', headers: asUser('a'), method: 'POST' })
  assert.ok(done(await read()).includes('inbox'))
  assert.deepEqual(done(await read(OTHER, basic(`${OTHER}:${OTHER_SECRET}`))), [])
})
