// A node whose clock is wrong by days writes the time of the database.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createClient } from '../../server/client/index.ts'
import { testDb } from '../support/db.ts'
import { startServer, until } from '../support/process.ts'

const DAY = 86_400_000

/** Moves every clock that JavaScript has for the time of day. */
const moved = (ms: number): string =>
  `--import data:text/javascript,${encodeURIComponent(`
    const real = Date.now
    Date.now = () => real() + ${ms}
    globalThis.Date = class extends Date {
      constructor(...parts) { parts.length === 0 ? super(Date.now()) : super(...parts) }
    }`)}`

for (const days of [-3, 3]) {
  test(`logs the right time of sends and attempts if the clock of the node is ${days} days off`, async () => {
    await using t = await testDb()
    await using server = await startServer({
      databaseUrl: t.url,
      env: { NODE_OPTIONS: moved(days * DAY) }
    })
    const { clientId, clientSecret } = server.keys
    const notif = createClient({ baseURL: server.base, clientId: clientId!, clientSecret: clientSecret! })
    await notif.send({
      email: { html: '<p>Hello</p>', subject: 'Hello' },
      to: { email: 'amara@example.com', id: 'amara' },
      type: 'hello'
    })
    const sql = t.db.control
    await until(async () => (await sql`select from attempts`).length > 0, 'the try is logged')
    const written = await sql<{ name: string; minutes: number }[]>`
      select name, abs(extract(epoch from now() - uuid_time(id))::float8) / 60 as minutes from (
        select 'sends' as name, id from sends union all select 'attempts', id from attempts) rows`
    assert.deepEqual(written.map(({ name }) => name).toSorted(), ['attempts', 'sends'])
    for (const { name, minutes } of written) assert.ok(minutes < 6, `${name}: ${minutes} minutes`)
  })
}
