// `npm run test:citus`: starts a Citus cluster of a coordinator and two workers, and runs test files of the server on it.
//
// NOTIF_CITUS_ENGINE is a program that is called as `start FOLDER 2`, prints the address of the coordinator as its last line, and
// ends with `stop FOLDER`. Arguments choose test files.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runNodeFiles } from '../suite/node-files.ts'
import { ROOT } from '../suite/program.ts'
import { describeFailure } from '../suite/results.ts'

/** Files whose every test holds on Citus. Others lock rows of several shards, create triggers, or call functions of one group. */
const FILES = [
  'test/citus/main-job.test.ts',
  'test/client/operations.test.ts',
  'test/inbox/route.test.ts',
  'test/logs/route.test.ts',
  'test/send/route.test.ts'
]

const CONCURRENCY = 2

const engine = process.env['NOTIF_CITUS_ENGINE'] ?? join(ROOT, '../shared/engines/citus/cluster.sh')
if (!existsSync(engine)) {
  process.stdout.write(
    'skipped: tests on Citus. Set NOTIF_CITUS_ENGINE to a program that starts a cluster.\n'
  )
} else {
  const folder = mkdtempSync(join(tmpdir(), 'notif-citus-'))
  const call = (...args: string[]): string => execFileSync(engine, args, { encoding: 'utf8' })
  try {
    process.env['DATABASE_URL'] = call('start', folder, '2').trim().split('\n').at(-1)
    const files = process.argv.length > 2 ? process.argv.slice(2) : FILES
    const { failures, passed } = await runNodeFiles(
      files.map(file => join(ROOT, file)),
      CONCURRENCY
    )
    for (const failure of failures) process.stdout.write(`failed: ${describeFailure(failure)}\n`)
    process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
    process.exitCode = failures.length === 0 ? 0 : 1
  } finally {
    call('stop', folder)
    rmSync(folder, { force: true, recursive: true })
  }
}
