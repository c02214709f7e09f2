// `npm run test:citus`: starts a Citus cluster of a coordinator and two workers, and runs tests of the server on it.
//
// Arguments choose test files; `all` means every test of `npm test` that has a database. They run with each NOTIF_CITUS_ROUTE, or with
// the one that is an argument.

import { join } from 'node:path'

import { runNodeFiles } from '../suite/node-files.ts'
import { printHeading, ROOT } from '../suite/program.ts'
import { describeFailure, type Results } from '../suite/results.ts'
import { findEngine, installEngine, NO_ENGINE, startCluster } from '../support/citus-engine.ts'
import { findDatabaseTests, hasOneGroup, MAIN } from './files.ts'

const CONCURRENCY = 2

const ROUTES = ['coordinator', 'owner'] as const

const isAboutFaults = (file: string): boolean => /^test\/citus\/(?:faults|owners)\.test\.ts$/.test(file)

async function main(given: readonly string[], engine: string): Promise<number> {
  const chosen = ROUTES.filter(route => given.includes(route))
  const args = given.filter(arg => !chosen.some(route => route === arg))
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
    if (args.length === 0 || args.includes('all')) process.env['TEST_FEW'] = '1'
    process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/compiled')
    const files = args.includes('all') ? findDatabaseTests() : args.length > 0 ? args : MAIN
    const run = (some: readonly string[]): Promise<Results> =>
      runNodeFiles(
        some.map(file => join(ROOT, file)),
        CONCURRENCY,
        ending.signal
      )
    const results: Results[] = []
    for (const route of chosen.length > 0 ? chosen : ROUTES) {
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
