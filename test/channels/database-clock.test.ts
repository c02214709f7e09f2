// Stored times are those of the database; signatures for and of providers use the time of the system.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { inWorld } from './sms-call/phone-server.ts'

const HOUR = 3_600_000

for (const name of ['vonage', 'webhook'] as const) {
  test(
    `accepts callbacks of ${name} and signs for it if the clock of the database is an hour ahead`,
    { timeout: 60_000 },
    () =>
      inWorld(
        name,
        async world => {
          await world.send({ sms: { message: 'Hello' } })
          assert.deepEqual(world.peer.faults, [])
          const report = { kind: 'sms', ref: world.peer.accepted[0]!.ref } as const
          const path = String(world.peer.accepted[0]!.statusUrl).split('/').slice(5).join('/')
          assert.equal((await world.report(path, report)).status, 200)
          const [receipt] = await world.app.db.control`
          select from receipts where bucket >= 0 and uuid_time(id) > now() + interval '55 minutes'`
          assert.ok(receipt, 'what is stored has the time of the database')
        },
        () => Date.now() + HOUR
      )
  )
}
