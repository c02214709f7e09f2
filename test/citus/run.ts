// `npm run test:citus`: starts a Citus cluster of a coordinator and two workers, and runs tests of the server on it.
//
// Arguments choose test files; `all` means every test of `npm test` that has a database. They run with NOTIF_CITUS_ROUTE=coordinator,
// and with `owner` if that is an argument. Without arguments, both routes run, `owner` with the files about it.

import { join } from 'node:path'

import { runNodeFiles } from '../suite/node-files.ts'
import { printHeading, ROOT } from '../suite/program.ts'
import { describeFailure, type Results } from '../suite/results.ts'
import { findEngine, installEngine, NO_ENGINE, startCluster } from '../support/citus-engine.ts'
import { findDatabaseTests, hasOneGroup, MAIN, OWNER } from './files.ts'

const CONCURRENCY = 2

type Route = 'coordinator' | 'owner'

interface Plan {
  readonly route: Route
  readonly files: readonly string[]
}

function planOf(args: readonly string[]): readonly Plan[] {
  const names = args.filter(arg => arg !== 'owner')
  const isOwner = names.length < args.length
  const route = isOwner ? 'owner' : 'coordinator'
  if (names.includes('all')) return [{ files: findDatabaseTests(), route }]
  if (names.length > 0) return [{ files: names, route }]
  const owner: Plan = { files: OWNER, route: 'owner' }
  return isOwner ? [owner] : [{ files: MAIN, route }, owner]
}

const isAboutFaults = (file: string): boolean => /^test\/citus\/(?:faults|owners)\.test\.ts$/.test(file)

async function main(args: readonly string[], engine: string): Promise<number> {
  printHeading(`starting a Citus cluster with ${engine}`)
  await installEngine(engine)
  const cluster = await startCluster(engine, 2)
  const ending = new AbortController()
  // After the cluster has stopped.
  process.once('exit', () => ending.abort())
  try {
    process.env['DATABASE_URL'] = cluster.url
    process.env['NOTIF_CITUS_ENGINE'] = engine
    process.env['TEST_CITUS'] = '1'
    // Files that are named run with all their cases.
    if (args.every(arg => arg === 'all' || arg === 'owner')) process.env['TEST_FEW'] = '1'
    process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/compiled')
    const run = (some: readonly string[]): Promise<Results> =>
      runNodeFiles(
        some.map(file => join(ROOT, file)),
        CONCURRENCY,
        ending.signal
      )
    const results: Results[] = []
    for (const { files, route } of planOf(args)) {
      printHeading(`NOTIF_CITUS_ROUTE=${route}`)
      process.env['TEST_CITUS_ROUTE'] = route
      delete process.env['TEST_CITUS_SHARDS']
      // One after another, because they have a cluster of their own and measure how soon requests are refused.
      for (const file of files.filter(isAboutFaults)) results.push(await run([file]))
      results.push(await run(files.filter(file => !isAboutFaults(file) && !hasOneGroup(file))))
      process.env['TEST_CITUS_SHARDS'] = '1'
      results.push(await run(files.filter(hasOneGroup)))
    }
    const unsteady = results.flatMap(part => part.unsteady ?? [])
    const failures = results.flatMap(part => part.failures)
    const passed = results.reduce((sum, part) => sum + part.passed, 0)
    for (const failure of unsteady)
      printHeading(`unsteady, passed the second time: ${describeFailure(failure)}`)
    for (const failure of failures) printHeading(`failed: ${describeFailure(failure)}`)
    process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
    return failures.length === 0 ? 0 : 1
  } finally {
    cluster.stop()
  }
}

const engine = findEngine()
if (engine === undefined) process.stdout.write(`skipped: ${NO_ENGINE}\n`)
else process.exitCode = await main(process.argv.slice(2), engine)
