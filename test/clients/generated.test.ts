// Clients that generators make of /openapi.json compile under strict settings and send to a real server.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'

import { ADMIN_TOKEN, startOwn, type Started } from '../client/server.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { ensureInstalled } from '../support/install-packages.ts'
import { temporaryDir } from '../support/process.ts'
import type { Outcome, Settings } from './generators/programs/outcome.ts'

const GENERATORS = join(import.meta.dirname, 'generators')
const execute = promisify(execFile)
const DAY_MS = 86_400_000

const STRICT = {
  exactOptionalPropertyTypes: true,
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  strict: true,
  target: 'es2023',
  types: []
}

let started: Started
/** The document, the programs and the packages, as an app has them. */
let dir: string

/** Runs a program of a package. @returns all that it prints */
async function runTool(script: string, ...args: readonly string[]): Promise<string> {
  const program = join(dir, 'node_modules', script)
  const { stderr, stdout } = await execute(process.execPath, [program, ...args], { cwd: dir }).catch(
    (error: { stderr?: string; stdout?: string }) => ({
      stderr: error.stderr ?? String(error),
      stdout: `${error.stdout} FAILED`
    })
  )
  return stdout + stderr
}

before(async () => {
  ensureInstalled(GENERATORS, '@redocly/cli')
  started = await startOwn()
  dir = temporaryDir()
  cpSync(join(GENERATORS, 'programs'), dir, { recursive: true })
  symlinkSync(join(GENERATORS, 'node_modules'), join(dir, 'node_modules'))
  const answer = await fetch(`${started.process.base}/openapi.json`)
  writeFileSync(join(dir, 'openapi.json'), await answer.text())
})
after(() => started[Symbol.asyncDispose]())

async function compile(compilerOptions: object, file: string): Promise<void> {
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  assert.equal(await runTool('typescript/bin/tsc', '-p', '.'), '')
}

async function expectWorks(program: string): Promise<void> {
  await compile({ ...STRICT, noEmit: true }, `${program}.ts`)
  const outfile = join(dir, `${program}.mjs`)
  await build({ bundle: true, entryPoints: [join(dir, `${program}.ts`)], format: 'esm', outfile })
  const { run } = (await import(pathToFileURL(outfile).href)) as { run(settings: Settings): Promise<Outcome> }
  const later = new Date(Date.now() + DAY_MS).toISOString()
  const settings = { adminToken: ADMIN_TOKEN, clientId: CLIENT, clientSecret: SECRET, later, userId: program }
  assert.deepEqual(await run({ ...settings, baseUrl: started.process.base }), {
    delivery: 'off',
    environment: 'Staging',
    exportsUser: true,
    problem: 422,
    routing: 'SEND',
    schedule: later,
    title: '1 commented'
  })
}

test('openapi-typescript and openapi-fetch', async () => {
  await runTool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts')
  assert.doesNotMatch(readFileSync(join(dir, 'schema.d.ts'), 'utf8'), /\?: Record<string, never>/)
  await expectWorks('openapi-fetch')
})

test('@hey-api/openapi-ts', async () => {
  await runTool('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'source', '--no-log-file')
  // Its own code does not compile with exactOptionalPropertyTypes, so the program sees its declarations, as those of a package.
  const options = {
    declaration: true,
    exactOptionalPropertyTypes: false,
    outDir: 'generated',
    rootDir: 'source'
  }
  await compile({ ...STRICT, ...options }, 'source/index.ts')
  await expectWorks('hey-api')
})

test('RE2 reads every pattern', async () => {
  const entry = join(GENERATORS, 'node_modules/re2js/build/index.js')
  const { RE2JS } = (await import(pathToFileURL(entry).href)) as {
    RE2JS: { compile(pattern: string): unknown }
  }
  const patterns = new Set<string>()
  JSON.parse(readFileSync(join(dir, 'openapi.json'), 'utf8'), (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value)
    return value
  })
  assert.ok(patterns.size > 10, `${patterns.size}`)
  for (const pattern of patterns) assert.doesNotThrow(() => RE2JS.compile(pattern), pattern)
  assert.throws(() => RE2JS.compile('(?=a)'))
})

/**
 * This rule takes `/environments/{clientId}` and `/{clientId}/users` for ambiguous. They are not: `environments` is reserved, so no
 * environment has this client id.
 */
const WITHOUT = '--skip-rule=no-ambiguous-paths'

test('the other recommended rules of Redocly have no error and no warning', async () => {
  const printed = await runTool(
    '@redocly/cli/bin/cli.js',
    'lint',
    '--extends=recommended',
    WITHOUT,
    '--format=summary',
    'openapi.json'
  )
  assert.match(printed, /Your API description is valid/)
  assert.doesNotMatch(printed, /warning|FAILED/i)
})
