// Runs the tests: `npm test` the quick tier, `npm run test:full` the rest, each with a real Postgres and a real Chromium.
//
// Arguments choose parts of a tier by name (types, lint, format, build, elements, server, e2e, clocks), or test files by their paths.

import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { runUnderClocks } from './suite/clocks.ts'
import { runElementFiles } from './suite/element-files.ts'
import { runNodeFiles } from './suite/node-files.ts'
import { BIN, check, printHeading, ROOT } from './suite/program.ts'
import { describeFailure, WHOLE, type Failure, type Results } from './suite/results.ts'
import { CLOCKED, isInTier, isListed, type Tier } from './suite/tiers.ts'
import { printSlowest } from './suite/timings.ts'
import { findOrInstallChromium } from './support/chromium.ts'
import { NO_DISK_WAITS, openPostgres } from './support/postgres.ts'
import { SEED } from './support/random.ts'

const MINUTE_MS = 60_000

/** A run that takes longer hangs. */
const RUN_TIMEOUT_MS = 50 * MINUTE_MS

/** More tests than these that pass only the second time are a fault of the tests or of the code. */
const MAX_UNSTEADY = 3

interface Part {
  readonly name: string
  run(): Promise<Results>
}

/** One more than cores, because a test often waits for its database. */
const CONCURRENCY = availableParallelism() + 1

const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules'] }).toSorted()

const absolute = (files: readonly string[]): string[] => files.map(file => join(ROOT, file))

const isOf = (folder: string, file: string): boolean => file.startsWith(`test/${folder}/`)

function partsOf(tier: Tier): Part[] {
  const files = find('test/**/*.test.ts').filter(file => isInTier(file, tier))
  const server = files.filter(file => !isOf('e2e', file) && !isOf('elements', file))
  const e2e = files.filter(file => isOf('e2e', file))
  const parts: Part[] = [
    { name: 'server', run: () => runNodeFiles(absolute(server), CONCURRENCY) },
    { name: 'e2e', run: () => runNodeFiles(absolute(e2e), 1) }
  ]
  if (tier === 'full') {
    const clocked = find('test/**/*.test.ts').filter(file => isListed(CLOCKED, file))
    return [...parts, { name: 'clocks', run: () => runUnderClocks(clocked, CONCURRENCY) }]
  }
  return [
    { name: 'types', run: () => check('tsc', ['-b']) },
    { name: 'lint', run: () => check('oxlint', ['--deny-warnings']) },
    { name: 'format', run: () => check('oxfmt', ['--check', '.']) },
    { name: 'build', run: () => check('vite', ['build', '--logLevel', 'error']) },
    { name: 'elements', run: runElementFiles },
    ...parts
  ]
}

function chosenParts(tier: Tier, args: readonly string[]): Part[] {
  const parts = partsOf(tier)
  if (args.length === 0) return parts
  const isPart = (arg: string): boolean => parts.some(({ name }) => name === arg)
  const files = args.filter(arg => !isPart(arg)).flatMap(find)
  const elements = files.filter(file => isOf('elements', file))
  const others = files.filter(file => !elements.includes(file))
  const chosen = parts.filter(({ name }) => args.includes(name))
  if (elements.length > 0) chosen.push({ name: 'files', run: () => runElementFiles(absolute(elements)) })
  if (others.length > 0)
    chosen.push({ name: 'files', run: () => runNodeFiles(absolute(others), CONCURRENCY) })
  return chosen
}

async function main(tier: Tier, args: readonly string[]): Promise<number> {
  const parts = chosenParts(tier, args)
  if (parts.length === 0) throw new Error(`No part and no test file has the name ${args.join(' or ')}.`)
  // Programs that tests start find ours first: the Node that runs the server, not the machine's.
  process.env['PATH'] = [BIN, dirname(process.execPath), process.env['PATH']].join(delimiter)
  // Hundreds of processes load the same modules: stripping types and compiling would take most of a second of each.
  process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/compiled')
  // Files that are named run with all their cases.
  if (tier === 'quick' && parts.some(({ name }) => name === 'server')) process.env['TEST_FEW'] = '1'
  const browser = parts.some(({ name }) => ['clocks', 'server', 'elements', 'e2e', 'files'].includes(name))
  if (browser) process.env['CHROMIUM_PATH'] = findOrInstallChromium(printHeading)
  await using database = process.env['DATABASE_URL'] ? undefined : await openPostgres(NO_DISK_WAITS)
  if (database) process.env['DATABASE_URL'] = database.url

  const results: string[] = []
  const failures: Failure[] = []
  const unsteady: Failure[] = []
  const seconds = new Map<string, number>()
  let passed = 0
  let running = ''
  const end = (): number => {
    printSlowest(seconds)
    if (unsteady.length > MAX_UNSTEADY) {
      const why = `${unsteady.length} tests passed only the second time, at most ${MAX_UNSTEADY} may`
      failures.push({ test: WHOLE, where: 'the run', why })
    }
    // Last, because the end of a long log is read first.
    for (const failure of unsteady)
      printHeading(`unsteady, passed the second time: ${describeFailure(failure)}`)
    for (const failure of failures) printHeading(`failed: ${describeFailure(failure)}`)
    printHeading(results.join('\n   '))
    process.stdout.write(`   TEST_SEED=${SEED} repeats what was generated\n`)
    process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
    return failures.length === 0 ? 0 : 1
  }
  const timeout = setTimeout(() => {
    const why = `the run has taken ${RUN_TIMEOUT_MS / MINUTE_MS} minutes`
    failures.push({ test: WHOLE, where: running, why })
    process.exit(end())
  }, RUN_TIMEOUT_MS)

  try {
    for (const { name, run } of parts) {
      running = name
      printHeading(name)
      const started = Date.now()
      const found = await run()
      const none = found.passed + found.failures.length === 0
      const failed = none ? [{ test: WHOLE, where: name, why: 'no tests ran' }] : found.failures
      passed += found.passed
      failures.push(...failed)
      unsteady.push(...(found.unsteady ?? []))
      for (const [file, value] of found.seconds ?? []) seconds.set(file, value)
      const took = Math.round((Date.now() - started) / 1000)
      results.push(`${name}: ${found.passed} passed, ${failed.length} failed, ${took} s`)
    }
  } finally {
    clearTimeout(timeout)
  }
  return end()
}

const [tier, ...args] = process.argv.slice(2)
try {
  process.exitCode = await (tier === 'full' ? main('full', args) : main('quick', process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
