// Limits of what a front end with valid credentials can store and request.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { asBackEnd, asUser, CLIENT, startApp, type Answer, type TestApp } from './app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const user = `/${CLIENT}/users/u1`
const ask = (path: string, method: string, body: unknown): Promise<Answer> =>
  app.ask(path, { body: JSON.stringify(body), headers: asUser('u1'), method })

test('keeps the 200 devices of a user that were seen last', async () => {
  const tokens = (from: number) =>
    Array.from({ length: 100 }, (_, i) => ({
      device: { device_id: `d${from + i}` },
      token: `token ${from + i}`,
      type: 'FCM'
    }))
  let last: Answer | undefined
  for (const from of [0, 100, 200, 300]) last = await ask(user, 'POST', { pushTokens: tokens(from) })
  assert.equal(last!.status, 200)
  const kept = (last!.json['pushTokens'] as { token: string }[]).map(({ token }) => token)
  assert.equal(kept.length, 200)
  assert.ok(kept.every(token => Number(token.slice(6)) >= 200))
  assert.equal((await ask(user, 'POST', { pushTokens: [...tokens(0), ...tokens(100)] })).status, 422)
})

test('keeps 100 replies of an inbox item', async () => {
  const body = JSON.stringify({ inapp: { title: 'x' }, to: { id: 'u1' }, type: 'x' })
  const { json } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  const trackingIds = [json['trackingId']]
  let last: Answer | undefined
  for (let i = 0; i < 105; i++) {
    const reply = { date: '2026-11-20T00:00:00Z', message: `m${i}` }
    last = await ask(`${user}/inbox`, 'PATCH', { reply, trackingIds })
    assert.equal(last.status, 200)
  }
  const page = await app.ask(`${user}/inbox`, { headers: asUser('u1') })
  const [item] = page.json['items'] as { replies: unknown[] }[]
  assert.equal(item!.replies.length, 100)
})

test('limits requests with wrong credentials, but not with right ones', async () => {
  await using slow = await startApp({ NOTIF_REQUESTS_PER_SECOND: '5' })
  const { routes } = slow
  let at = 0
  const guess = async (): Promise<number> => {
    const doors = routes.filter(({ access }) => access !== 'anyone')
    const { method, path } = doors[at++ % doors.length]!
    const address = path.replace(':clientId', CLIENT).replaceAll(/:\w+/g, 'x')
    return (await slow.ask(address, { headers: { authorization: `Basic ${at}` }, method })).status
  }
  const guesses = await Promise.all(Array.from({ length: 40 }, guess))
  // Two seconds may have been touched.
  assert.ok(guesses.filter(status => status === 401).length <= 10, guesses.join())
  assert.ok(guesses.includes(429))
  for (let i = 0; i < 20; i++) {
    const { status } = await slow.ask(`/${CLIENT}/notifications`, { headers: asBackEnd })
    assert.equal(status, 200)
  }
})
