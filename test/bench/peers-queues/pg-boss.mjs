// Drains pg-boss by its own fetch and complete, whose loop over them would sleep between batches; prints
// jobs a second and bytes of write-ahead log for each.
//
// DATABASE_URL=... node pg-boss.mjs ROWS

import { PgBoss } from 'pg-boss'

const BATCH = 500
const QUEUE = 'hello'

const rows = Number(process.argv[2])
const boss = new PgBoss({ connectionString: process.env.DATABASE_URL, schedule: false, supervise: false })
boss.on('error', error => {
  throw error
})

async function walPosition() {
  const { rows: found } = await boss
    .getDb()
    .executeSql(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`)
  return found[0].at
}

async function fill(jobs) {
  for (let n = 0; n < jobs; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, jobs - n) }, (_, i) => ({
      data: { to: `user-${n + i}@example.com` }
    }))
    await boss.insert(QUEUE, batch)
  }
  await boss.getDb().executeSql('vacuum analyze pgboss.job')
}

async function drain(jobs) {
  await fill(jobs)
  const before = await walPosition()
  const start = performance.now()
  let done = 0
  for (;;) {
    const batch = await boss.fetch(QUEUE, { batchSize: BATCH })
    if (batch.length === 0) break
    await boss.complete(
      QUEUE,
      batch.map(job => job.id)
    )
    done += batch.length
  }
  const seconds = (performance.now() - start) / 1000
  if (done !== jobs) throw new Error(`pg-boss gave ${done} of ${jobs} jobs.`)
  return { perSecond: jobs / seconds, walPerRow: ((await walPosition()) - before) / jobs }
}

await boss.start()
await boss.createQueue(QUEUE)
await drain(2000)
console.log(JSON.stringify(await drain(rows)))
await boss.stop({ graceful: true })
