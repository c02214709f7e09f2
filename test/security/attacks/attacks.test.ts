// Tries every attack of attacks.ts on a running server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { asBackEnd, asUser, CLIENT, startApp, type TestApp } from '../app.ts'
import { ATTACKS } from './attacks.ts'
import { post, VICTIM } from './attempt.ts'

let app: TestApp
before(async () => {
  app = await startApp()
  const send = { inapp: { title: 'Secret of the victim' }, to: { id: VICTIM }, type: 'news' }
  assert.equal((await app.ask(`/${CLIENT}/sender`, post(send))).status, 200)
  const identity = { email: 'victim@example.com' }
  assert.equal((await app.ask(`/${CLIENT}/users/${VICTIM}`, post(identity))).status, 200)
})
after(() => app[Symbol.asyncDispose]())

for (const [name, attacks] of Object.entries(ATTACKS)) {
  describe(name, () => {
    for (const [attack, run] of attacks) test(attack, { timeout: 60_000 }, () => run(app))
  })
}

test('the server is well, and the victim has their notification, after all attacks', async () => {
  assert.equal((await app.ask('/readyz')).status, 200)
  const inbox = await app.ask(`/${CLIENT}/users/${VICTIM}/inbox`, { headers: asUser(VICTIM) })
  assert.match(inbox.text, /Secret of the victim/)
  assert.equal((await app.ask(`/${CLIENT}/users`, { headers: asBackEnd })).status, 200)
  assert.doesNotMatch(app.log(), /"level":(50|60)/)
})
