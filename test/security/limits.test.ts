// Limits of what a front end with valid credentials can store and request.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'

import { io } from 'socket.io-client'
import { WebSocket } from 'ws'

import { asAdmin, asBackEnd, asUser, CLIENT, hashOf, startApp, type Answer, type TestApp } from './app.ts'

const SLOW = {
  NOTIF_DEMO: '0',
  NOTIF_METRICS_TOKEN: 'token-of-the-metrics-55bb',
  NOTIF_REQUESTS_PER_SECOND: '5'
}

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
  await using slow = await startApp(SLOW)
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

for (const path of ['/metrics', '/sandbox', '/sandbox/messages/x/html']) {
  test(`limits wrong tokens at ${path}, but not right ones`, async () => {
    await using slow = await startApp(SLOW)
    const guess = async (n: number): Promise<number> => {
      const answer = await slow.ask(path, { headers: { authorization: `Bearer guess-${n}` } })
      if (answer.status === 429) assert.match(answer.headers['retry-after']!, /^\d+$/)
      return answer.status
    }
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)))
    assert.ok(guesses.filter(status => status === 401).length <= 10, guesses.join())
    assert.ok(guesses.includes(429))
    for (let i = 0; i < 20; i++) {
      assert.ok([200, 404].includes((await slow.ask(path, { headers: asAdmin })).status))
    }
  })
}

test('limits wrong credentials of sockets, but not right ones', { timeout: 30_000 }, async () => {
  await using slow = await startApp(SLOW)
  const hello = async (userHash: string): Promise<string> => {
    const socket = new WebSocket(`ws://127.0.0.1:${slow.port}/?kit=1`)
    await once(socket, 'open')
    const payload = { clientId: CLIENT, protocol: 1, userHash, userId: 'u1' }
    socket.send(JSON.stringify({ payload, route: 'inbox/hello' }))
    const [data] = await Promise.race([once(socket, 'message'), once(socket, 'close')])
    socket.terminate()
    return typeof data === 'number' ? `closed ${data}` : JSON.parse(String(data)).route
  }
  const legacy = async (): Promise<string> => {
    const query = `envId=${CLIENT}&userId=u1&userIdHash=wrong`
    const socket = new WebSocket(`ws://127.0.0.1:${slow.port}/?${query}`)
    const [code] = await once(socket, 'close')
    return `closed ${code}`
  }
  const socketIo = (): Promise<string> =>
    new Promise(resolve => {
      const auth = { clientId: CLIENT, protocol: 1, userHash: 'wrong', userId: 'u1' }
      const socket = io(slow.url, { auth, forceNew: true, reconnection: false, transports: ['websocket'] })
      socket.on('connect_error', ({ message }) => {
        socket.close()
        resolve(message)
      })
    })
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => [() => hello('wrong'), legacy, socketIo][n % 3]!())
  )
  const limited = guesses.filter(text => text === 'closed 1013' || text.startsWith('Too many'))
  assert.ok(limited.length >= 30, guesses.join())
  assert.equal(new Set(limited).size, 2)
  for (let i = 0; i < 10; i++) {
    assert.doesNotMatch(await hello(hashOf('u1')), /closed|refused/)
  }
})
