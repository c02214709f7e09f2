// Drains graphile-worker with a handler that does nothing, as its own performance test sets it up; prints jobs a second
// and bytes of write-ahead log for each.
//
// DATABASE_URL=... node graphile-worker.mjs ROWS

import { Logger, makeWorkerUtils, run } from 'graphile-worker'

const BATCH = 500
/** Of its own test: more of them take turns at the same thread. */
const CONCURRENT = 24

const rows = Number(process.argv[2])
const connectionString = process.env.DATABASE_URL
const logger = new Logger(() => () => {})
const utils = await makeWorkerUtils({ connectionString, logger })

async function walPosition() {
  const { rows: found } = await utils.withPgClient(client =>
    client.query(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`)
  )
  return found[0].at
}

async function drain(jobs) {
  await utils.withPgClient(client =>
    client.query(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec,
           json_build_object('identifier', 'hello', 'payload', json_build_object('to', 'user-' || n || '@example.com')))
         from generate_series(1, $1::int) n))`,
      [jobs]
    )
  )
  await utils.withPgClient(client => client.query('vacuum analyze graphile_worker._private_jobs'))
  const before = await walPosition()
  let done = 0
  const all = Promise.withResolvers()
  const start = performance.now()
  const runner = await run({
    connectionString,
    logger,
    noHandleSignals: true,
    preset: {
      worker: {
        completeJobBatchDelay: 0,
        concurrentJobs: CONCURRENT,
        failJobBatchDelay: 0,
        localQueue: { size: BATCH },
        maxPoolSize: 10
      }
    },
    taskList: {
      hello: async () => {
        if (++done === jobs) all.resolve()
      }
    }
  })
  await all.promise
  // Its last reports are written before it has stopped.
  await runner.stop()
  const seconds = (performance.now() - start) / 1000
  const { rows: left } = await utils.withPgClient(client =>
    client.query('select 1 from graphile_worker._private_jobs limit 1')
  )
  if (left.length > 0) throw new Error('graphile-worker left jobs behind.')
  return { perSecond: jobs / seconds, walPerRow: ((await walPosition()) - before) / jobs }
}

await utils.migrate()
await drain(2000)
console.log(JSON.stringify(await drain(rows)))
await utils.release()
