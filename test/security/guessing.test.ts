// Whoever guesses at credentials is told 429 after a few; whoever has right ones behind the same address never is.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { WebSocket } from 'ws'

import { plainClient, socketIoClient, until } from '../live/node.ts'
import { asAdmin, asBackEnd, asUser, basic, CLIENT, hashOf, startApp } from './app.ts'

const LIMIT = '5'
const USER = 'u1'
const WRONG = hashOf('somebody else')
const INBOX = `/${CLIENT}/users/${USER}/inbox`

const helloOf = (userHash: string) => ({ clientId: CLIENT, protocol: 1, userHash, userId: USER })

test('requests', async () => {
  await using app = await startApp({ NOTIF_FAILED_PROOFS_PER_MINUTE: LIMIT })
  const guess = (path = INBOX) =>
    app.ask(path, { headers: basic(`${CLIENT}:${USER}:${WRONG}`), method: 'GET' })
  // Who says nothing does not guess.
  for (let i = 0; i < 20; i++) assert.equal((await app.ask(INBOX)).status, 401)
  for (let i = 0; i < Number(LIMIT); i++) assert.equal((await guess()).status, 401)
  for (const path of [INBOX, `/${CLIENT}/schedule`, '/environments']) {
    const refused = await guess(path)
    assert.equal(refused.status, 429, path)
    const again = Number(refused.headers['retry-after'])
    assert.ok(again >= 1 && again <= 60, `${again}`)
    assert.match(String(refused.headers['ratelimit-policy']), /"failed proofs";q=5;w=60/)
  }
  assert.equal((await app.ask(INBOX, { headers: asUser(USER) })).status, 200)
  assert.equal((await app.ask(`/${CLIENT}/notifications`, { headers: asBackEnd })).status, 200)
  assert.equal((await app.ask('/environments', { headers: asAdmin })).status, 200)
})

test('sockets of every kind', { timeout: 30_000 }, async () => {
  await using app = await startApp({ NOTIF_FAILED_PROOFS_PER_MINUTE: LIMIT })
  const kit = (userHash: string) => {
    const client = plainClient(app, '/ws?kit=1')
    client.socket.once('open', () => client.say('inbox/hello', helloOf(userHash)))
    return client
  }
  const addressOf = (userHash: string) =>
    `/?${new URLSearchParams({ envId: CLIENT, userId: USER, userIdHash: userHash })}`
  const socketIo = (userHash: string) => socketIoClient(app, '', {}, { auth: helloOf(userHash) })

  for (let i = 0; i < Number(LIMIT); i++) assert.equal((await kit(WRONG).closed).code, 4401)
  // Come later, instead of never again.
  assert.equal((await kit(WRONG).closed).code, 1013)
  const guesser = socketIo(WRONG)
  // Its line is closed without a word: a refusal would be the end of it, and this one it takes for a pause.
  await new Promise<void>(resolve => guesser.socket.io.once('close', () => resolve()))
  assert.deepEqual(guesser.frames.all, [])
  guesser.close()
  const vendor = new WebSocket(`${app.url.replace('http', 'ws')}${addressOf(WRONG)}`)
  const answer = await new Promise<{ status: number | undefined; again: number }>((resolve, reject) => {
    vendor.on('open', () => reject(new Error('It was opened.')))
    vendor.on('error', () => {})
    vendor.on('unexpected-response', (_request, { headers, statusCode }) =>
      resolve({ again: Number(headers['retry-after']), status: statusCode })
    )
  })
  assert.equal(answer.status, 429)
  assert.ok(answer.again >= 1 && answer.again <= 60)
  vendor.terminate()

  const right = hashOf(USER)
  const clients = [kit(right), socketIo(right), plainClient(app, addressOf(right))]
  await until(() => app.sockets() === 3)
  for (const client of clients) client.close()
  await until(() => app.sockets() === 0)
})
