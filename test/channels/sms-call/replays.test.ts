// Recorded callbacks of the providers of SMS and calls change nothing when they are sent again.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { deleteExpiredCallbacks } from '../../../server/channels/sms-call/replays.sql.ts'
import { PHONE_PROVIDERS } from '../../../server/config/phone.ts'
import { contents } from '../../security/app.ts'
import { openTestNode } from '../../support/test-node.ts'
import { readSpeech } from './phone-peer.ts'
import { REPORTS, type Posted } from './phone-reports.ts'
import { identify, inWorld, NUMBER, PUBLIC, type World } from './phone-server.ts'

const callbackPath = (url: string | undefined): string => String(url).split('/').slice(5).join('/')

/** Whether the user has turned SMS off. */
const isStopped = async ({ app }: World): Promise<boolean> => {
  const rows = await app.db.control`
    select from preferences where bucket >= 0 and channel = 'SMS' and delivery = 'off'`
  return rows.count > 0
}

for (const name of PHONE_PROVIDERS) {
  describe(`over ${name}`, { timeout: 60_000 }, () => {
    const sign = (path: string, said: Parameters<(typeof REPORTS)[typeof name]>[1]): Posted =>
      REPORTS[name](`${PUBLIC}/callbacks/${name}/${path}`, said)

    test('a recorded STOP does not turn messages off again after START, also on another node', () =>
      inWorld(name, async world => {
        await identify(world)
        const stop = sign('inbound', { from: NUMBER, kind: 'inbound', ref: '1', text: 'STOP' })
        const start = sign('inbound', { from: NUMBER, kind: 'inbound', ref: '2', text: 'START' })
        assert.equal((await world.post('inbound', stop)).status, 200)
        assert.equal(await isStopped(world), true)
        assert.equal((await world.post('inbound', start)).status, 200)
        assert.equal(await isStopped(world), false)
        await using other = await openTestNode(world.app.db, world.peer.env)
        other.serve()
        const before = await contents(world.app)
        const replay = await fetch(`${other.base}/callbacks/${name}/inbound`, { ...stop, method: 'POST' })
        assert.equal(replay.status, 200)
        assert.equal((await world.post('inbound', stop)).status, 200)
        assert.deepEqual(await contents(world.app), before)
        // The user may stop again.
        await world.report('inbound', { from: NUMBER, kind: 'inbound', ref: '3', text: 'STOP' })
        assert.equal(await isStopped(world), true)
      }))

    test('a recorded receipt changes nothing, also with another body if the provider does not sign it', () =>
      inWorld(name, async world => {
        await world.send({ sms: { message: 'Hello' } })
        const { ref, statusUrl } = world.peer.accepted[0]!
        const path = callbackPath(statusUrl)
        const good = sign(path, { kind: 'sms', ref })
        assert.equal((await world.post(path, good)).status, 200)
        const before = await contents(world.app)
        assert.equal((await world.post(path, good)).status, 200)
        if (name === 'plivo') {
          const forged = sign(path, { good: false, kind: 'sms', ref })
          const answer = await world.post(path, { body: forged.body, headers: good.headers })
          assert.equal(answer.status, 200)
        }
        assert.deepEqual(await contents(world.app), before)
      }))
  })
}

test('a callback whose work failed is not a replay', { timeout: 60_000 }, () =>
  inWorld('twilio', async world => {
    await identify(world)
    const stop = REPORTS.twilio(`${PUBLIC}/callbacks/twilio/inbound`, {
      from: NUMBER,
      kind: 'inbound',
      ref: '1',
      text: 'STOP'
    })
    const { control } = world.app.db
    await control`alter table stopped_numbers rename to away`
    assert.ok((await world.post('inbound', stop)).status >= 500)
    await control`alter table away rename to stopped_numbers`
    assert.equal((await world.post('inbound', stop)).status, 200)
    assert.equal(await isStopped(world), true)
  })
)

test(
  'Plivo may repeat a request for the text of a call for a minute, and later gets no text',
  { timeout: 60_000 },
  () =>
    inWorld('plivo', async world => {
      await world.send({ call: { message: 'Your code is 4711' } })
      const path = callbackPath(world.peer.accepted[0]!.answerUrl)
      const recorded = REPORTS.plivo(`${PUBLIC}/callbacks/plivo/${path}`, { kind: 'call', ref: 'r' })
      for (let i = 0; i < 2; i++)
        assert.equal(readSpeech((await world.post(path, recorded)).text), 'Your code is 4711')
      await world.app.db.control`update handled_callbacks set handled_at = now() - interval '61 seconds'`
      const late = await world.post(path, recorded)
      assert.equal(late.status, 200)
      assert.doesNotMatch(late.text, /4711/)
      // A new request has another nonce.
      assert.equal(
        readSpeech((await world.report(path, { kind: 'call', ref: 'r' })).text),
        'Your code is 4711'
      )
    })
)

test('house-keeping deletes only what has expired', { timeout: 60_000 }, () =>
  inWorld('twilio', async world => {
    const { control } = world.app.db
    await world.report('inbound', { from: NUMBER, kind: 'inbound', ref: '1', text: 'STOP' })
    await control`
      insert into handled_callbacks (hash, expires_at)
      select sha256(i::text::bytea), now() - interval '1 second' from generate_series(1, 1500) i`
    assert.equal(await deleteExpiredCallbacks(world.app.db), 1000)
    assert.equal(await deleteExpiredCallbacks(world.app.db), 500)
    assert.equal(await deleteExpiredCallbacks(world.app.db), 0)
    const [row] = await control<{ days: number }[]>`
      select extract(day from expires_at - now())::integer as days from handled_callbacks`
    assert.ok(row!.days >= 399)
  })
)
