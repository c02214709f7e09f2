// `npm test`: everything, in one go, with a real Postgres and a real Chromium.
//
// Arguments choose parts by name (types, lint, format, build, server, elements, e2e), or test files by their path.

import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

import { needChromium } from './support/chromium.ts'
import { openTestServer } from './support/embedded.ts'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const MINUTE = 60_000

/** Milliseconds: of one test, and of the whole run, which nothing may hold up for ever. */
const TEST_PATIENCE = 5 * MINUTE
const RUN_PATIENCE = 50 * MINUTE

interface Tally {
  readonly passed: number
  readonly failed: number
}

interface Part {
  readonly name: string
  run(): Promise<Tally>
}

const say = (line: string): void => void process.stdout.write(`\n== ${line}\n`)

interface Ran {
  readonly ok: boolean
  readonly output: string
}

/** Runs a program of node_modules, shows what it says, and keeps it. */
function program(name: string, args: readonly string[], patience: number): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(join(BIN, name), args, {
      cwd: ROOT,
      // A group of its own, so that what it starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        process.stdout.write(chunk)
        output += chunk.toString()
      })
    }
    const late = setTimeout(() => {
      say(`${name} did not end within ${patience / MINUTE} minutes`)
      process.kill(-child.pid!, 'SIGKILL')
    }, patience)
    const end = (ok: boolean) => {
      clearTimeout(late)
      resolve({ ok, output })
    }
    child.on('error', error => {
      say(`${name} cannot be started: ${error.message}`)
      end(false)
    })
    child.on('close', code => end(code === 0))
  })
}

/** A program that is right or wrong as a whole counts as one test. */
const check = (name: string, command: string, args: readonly string[]): Part => ({
  name,
  run: async () => {
    const { ok } = await program(command, args, 5 * MINUTE)
    return { failed: ok ? 0 : 1, passed: ok ? 1 : 0 }
  }
})

interface FilesRan extends Tally {
  /** Files with a failed test. */
  readonly broken: readonly string[]
}

/** Runs files with `node --test`, each in its own process, and shows what they say. */
async function runFiles(files: readonly string[], concurrency: number): Promise<FilesRan> {
  // A test that hangs leaves its servers open, and its process would wait for them for ever.
  const execArgv = ['--import', join(ROOT, 'test/support/ending.ts')]
  const tests = run({ concurrency, cwd: ROOT, execArgv, files: [...files], timeout: TEST_PATIENCE })
  const broken = new Set<string>()
  let tally: Tally = { failed: 0, passed: 0 }
  tests.on('test:fail', ({ file, todo, skip }) => {
    if (file !== undefined && todo === undefined && skip === undefined) broken.add(file)
  })
  tests.on('test:summary', ({ counts, file }) => {
    const { passed, skipped, tests, todo } = counts
    if (file === undefined) tally = { failed: tests - passed - skipped - todo, passed }
  })
  const shown = tests.compose(spec)
  shown.pipe(process.stdout, { end: false })
  await finished(shown)
  return { ...tally, broken: [...broken] }
}

/**
 * A file that fails beside others is run once more, alone: what fails then is wrong, what passes is named as unsteady,
 * since a machine that is shared can starve any test that waits for a process or a browser.
 */
const nodeTests = (name: string, files: () => string[], concurrency: number): Part => ({
  name,
  run: async () => {
    const found = files()
    if (found.length === 0) return { failed: 0, passed: 0 }
    const first = await runFiles(found, concurrency)
    if (first.failed === 0 || first.broken.length === 0) return first
    say(`${name}: again, each file alone: ${first.broken.map(file => relative(ROOT, file)).join(', ')}`)
    const second = await runFiles(first.broken, 1)
    if (second.failed === 0) say(`${name}: unsteady, passed alone`)
    return { failed: second.failed, passed: first.passed + (second.failed === 0 ? first.failed : 0) }
  }
})

/** The browser's runner has no report for programs; its last line of a run says what passed. */
const elements: Part = {
  name: 'elements',
  run: async () => {
    const config = 'test/elements/wtr.config.js'
    if (!existsSync(join(ROOT, config))) return { failed: 0, passed: 0 }
    const { ok, output } = await program('wtr', ['--config', config], 15 * MINUTE)
    // eslint-disable-next-line no-control-regex
    const plain = output.replaceAll(/\u001b\[[\d;]*m/g, '')
    const last = [...plain.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1)
    const [passed, failed] = [Number(last?.[1] ?? 0), Number(last?.[2] ?? 0)]
    // A file that does not load fails the run without failing a test.
    return { failed: ok ? failed : Math.max(1, failed), passed }
  }
}

const glob = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .toSorted()
    .map(file => join(ROOT, file))

const serverFiles = (): string[] =>
  glob('test/**/*.test.ts').filter(file => !/\/test\/(?:elements|e2e)\//.test(file))

const PARTS: readonly Part[] = [
  check('types', 'tsc', ['-b']),
  check('lint', 'oxlint', ['--deny-warnings']),
  check('format', 'oxfmt', ['--check', '.']),
  check('build', 'vite', ['build', '--logLevel', 'error']),
  nodeTests('server', serverFiles, Math.max(2, availableParallelism())),
  elements,
  nodeTests('e2e', () => glob('test/e2e/**/*.test.ts'), 1)
]

function chosen(args: readonly string[]): Part[] {
  const named = PARTS.filter(({ name }) => args.includes(name))
  const files = args.filter(arg => !PARTS.some(({ name }) => name === arg))
  if (files.length > 0) named.push(nodeTests('files', () => files.flatMap(glob), 2))
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

  let passed = 0
  let failed = 0
  let running = ''
  const late = setTimeout(() => {
    say(`${running} did not end: the run has taken ${RUN_PATIENCE / MINUTE} minutes`)
    process.stdout.write(`\n${passed} passed, ${failed + 1} failed\n`)
    process.exit(1)
  }, RUN_PATIENCE)
  const results: string[] = []
  for (const part of parts) {
    running = part.name
    say(part.name)
    const started = Date.now()
    const tally = await part.run()
    const none = tally.passed + tally.failed === 0
    if (none) say(`${part.name}: no tests ran`)
    passed += tally.passed
    failed += none ? 1 : tally.failed
    const seconds = Math.round((Date.now() - started) / 1000)
    results.push(`${part.name}: ${tally.passed} passed, ${none ? 1 : tally.failed} failed, ${seconds} s`)
  }
  clearTimeout(late)
  say(results.join('\n   '))
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
