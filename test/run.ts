// `npm test`: everything, in one go, with a real Postgres and a real Chromium.
//
// Arguments choose parts by name (types, lint, format, build, server, elements, e2e), or test files by their path.

import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { elementFiles } from './suite/element-files.ts'
import { nodeFiles } from './suite/node-files.ts'
import { BIN, ROOT } from './suite/places.ts'
import { check } from './suite/program.ts'
import { say } from './suite/say.ts'
import { type Failure, type Tally, textOf, WHOLE } from './suite/tally.ts'
import { needChromium } from './support/chromium.ts'
import { openTestServer } from './support/embedded.ts'

const MINUTE = 60_000

/** Milliseconds of the whole run, which nothing may hold up for ever. */
const RUN_PATIENCE = 50 * MINUTE

interface Part {
  readonly name: string
  run(): Promise<Tally>
}

const glob = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .toSorted()
    .map(file => join(ROOT, file))

const serverFiles = (): string[] =>
  glob('test/**/*.test.ts').filter(file => !/\/test\/(?:elements|e2e)\//.test(file))

const PARTS: readonly Part[] = [
  { name: 'types', run: () => check('tsc', ['-b']) },
  { name: 'lint', run: () => check('oxlint', ['--deny-warnings']) },
  { name: 'format', run: () => check('oxfmt', ['--check', '.']) },
  { name: 'build', run: () => check('vite', ['build', '--logLevel', 'error']) },
  { name: 'server', run: () => nodeFiles(serverFiles(), Math.max(2, availableParallelism())) },
  { name: 'elements', run: elementFiles },
  { name: 'e2e', run: () => nodeFiles(glob('test/e2e/**/*.test.ts'), 1) }
]

function chosen(args: readonly string[]): Part[] {
  const named = PARTS.filter(({ name }) => args.includes(name))
  const files = args.filter(arg => !PARTS.some(({ name }) => name === arg))
  if (files.length > 0) named.push({ name: 'files', run: () => nodeFiles(files.flatMap(glob), 2) })
  return args.length === 0 ? [...PARTS] : named
}

async function main(): Promise<number> {
  const parts = chosen(process.argv.slice(2))
  // Programs that tests start find ours first: the Node that runs the server, not the machine's.
  process.env['PATH'] = [BIN, dirname(process.execPath), process.env['PATH']].join(delimiter)
  const browser = parts.some(({ name }) => ['server', 'elements', 'e2e', 'files'].includes(name))
  if (browser) process.env['CHROMIUM_PATH'] = needChromium(say)
  await using database = process.env['DATABASE_URL'] ? undefined : await openTestServer()
  if (database) process.env['DATABASE_URL'] = database.url

  const results: string[] = []
  const failures: Failure[] = []
  const unsteady: Failure[] = []
  let passed = 0
  let running = ''
  const end = (): number => {
    // Last, where whoever sees no more than the end of a long log looks.
    for (const failure of unsteady) say(`unsteady, passed when it ran again: ${textOf(failure)}`)
    for (const failure of failures) say(`failed: ${textOf(failure)}`)
    say(results.join('\n   '))
    process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
    return failures.length === 0 ? 0 : 1
  }
  const late = setTimeout(() => {
    failures.push({ test: WHOLE, where: running, why: `the run has taken ${RUN_PATIENCE / MINUTE} minutes` })
    process.exit(end())
  }, RUN_PATIENCE)

  for (const { name, run } of parts) {
    running = name
    say(name)
    const started = Date.now()
    const tally = await run()
    const none = tally.passed + tally.failures.length === 0
    const failed = none ? [{ test: WHOLE, where: name, why: 'no tests ran' }] : tally.failures
    passed += tally.passed
    failures.push(...failed)
    unsteady.push(...(tally.unsteady ?? []))
    const seconds = Math.round((Date.now() - started) / 1000)
    results.push(`${name}: ${tally.passed} passed, ${failed.length} failed, ${seconds} s`)
  }
  clearTimeout(late)
  return end()
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
