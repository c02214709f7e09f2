// STOP from a number that no user has: it applies to every later send that names the number.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { kitClient } from '../../inbox/live/test-node.ts'
import { asBackEnd, CLIENT, hashOf } from '../../security/app.ts'
import { isLockAwaited } from '../../support/db.ts'
import { failFirstTwoInserts } from '../../support/fixtures.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'
import { until } from '../../support/process.ts'
import { identify, inWorld, NUMBER, type World } from './phone-server.ts'

const SMS = { sms: { message: 'Hello' } }

const texts = ({ peer }: World): number => peer.accepted.filter(({ kind }) => kind === 'sms').length

const answered = async (world: World, text: string): Promise<void> => {
  const { status } = await world.report('inbound', { from: NUMBER, kind: 'inbound', ref: text, text })
  assert.equal(status, 200)
}

const attempts = ({ app }: World) =>
  app.db.control<{ outcome: string; code: string | null }[]>`
    select outcome, code from attempts where bucket >= 0 and channel = 'SMS' order by id`

test(
  'sends nothing to a number without a user after STOP, and sends again after START',
  { timeout: 60_000 },
  () =>
    inWorld('webhook', async world => {
      await answered(world, 'STOP')
      for (const id of ['amara', 'bo']) await world.send({ ...SMS, to: { id, number: NUMBER } })
      assert.equal(texts(world), 0)
      assert.deepEqual(
        (await attempts(world)).map(({ code, outcome }) => [outcome, code]),
        [
          ['gone', 'stopped'],
          ['gone', 'stopped']
        ]
      )
      const { text } = await world.send(SMS)
      const { trackingId } = JSON.parse(text) as { trackingId: string }
      const explained = await world.app.ask(`/${CLIENT}/logs/${trackingId}/explain`, { headers: asBackEnd })
      assert.match(explained.text, /opted out of messages/)
      const dead = await world.app.db.control`select from dead_letters where bucket >= 0`
      assert.equal(dead.count, 0)
      // Another number, and another channel to the same number.
      await world.send({ ...SMS, to: { id: 'amara', number: '+12025551001' } })
      await world.send({ call: { message: 'Hello' } })
      assert.deepEqual(
        world.peer.accepted.map(({ kind }) => kind),
        ['sms', 'call']
      )
      await answered(world, 'START')
      await world.send(SMS)
      assert.equal(texts(world), 2)
    })
)

test('applies STOP to messages that wait in the queue', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    const { control } = world.app.db
    await control`
      create function later() returns trigger language plpgsql as 'begin
        new.run_at := now() + interval ''1 hour''; return new; end'`
    await control`create trigger later before insert on outbox for each row execute function later()`
    await world.send(SMS)
    await answered(world, 'STOP')
    await control`update outbox set run_at = now() where bucket >= 0`
    world.app.queues.wake(['SMS'])
    await world.app.queues.idle('SMS')
    assert.equal(texts(world), 0)
    assert.deepEqual(
      (await attempts(world)).map(({ code }) => code),
      ['stopped']
    )
  })
)

test('follows the preferences of a user who has the number, also after STOP', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    await identify(world)
    await answered(world, 'STOP')
    await world.send(SMS)
    assert.equal(texts(world), 0)
    await world.app.db.control`delete from preferences where bucket >= 0 and channel = 'SMS'`
    await world.send(SMS)
    assert.equal(texts(world), 1)
  })
)

test('sends no answer to STOP, and notifies the open pages of the user', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    await identify(world)
    const page = kitClient(world.app, 'amara', { clientId: CLIENT, userHash: hashOf('amara') })
    await page.frames.route('inbox/head')
    await world.send({ sms: { autoReply: { message: 'Thanks' }, message: 'Hello' } })
    await answered(world, 'STOP')
    await page.frames.route('inbox/preferences')
    await world.app.queues.idle('SMS')
    assert.equal(texts(world), 1)
    page.close()
  })
)

test(
  'does not change the preferences of a user who gives up the number at the same time',
  { timeout: 60_000 },
  () =>
    inWorld('webhook', async world => {
      await identify(world)
      const { control } = world.app.db
      let stopped: Promise<void> | undefined
      await control.begin(async tx => {
        await tx`update users set number = '+12025551999' where bucket >= 0 and id = 'amara'`
        stopped = answered(world, 'STOP')
        await until(() => isLockAwaited(control), 'STOP waits for the user')
      })
      await stopped
      const off = await control`select from preferences where bucket >= 0 and channel = 'SMS'`
      assert.equal(off.count, 0)
    })
)

const skip = plainPostgresOnly('a trigger makes its first inserts fail')
test('repeats a transaction that another one aborts', { skip, timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    await identify(world)
    const { control } = world.app.db
    await failFirstTwoInserts(control, 'preferences')
    await answered(world, 'STOP')
    const off =
      await control`select from preferences where bucket >= 0 and channel = 'SMS' and delivery = 'off'`
    assert.equal(off.count, 1)
  })
)
