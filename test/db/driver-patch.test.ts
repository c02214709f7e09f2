// A server whose Postgres driver is not patched does not start, and the command that it names repairs it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { temporaryDir } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A checkout of its own, with a copy of the driver. The other packages are links. */
function copyCheckout(): string {
  const folder = temporaryDir()
  for (const part of ['server', 'components/protocol', 'demo', 'patches', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(folder, 'node_modules', name)]
    if (name === 'postgres') cpSync(from, to, { recursive: true })
    else symlinkSync(from, to)
  }
  return folder
}

const folder = copyCheckout()

function run(file: string, ...args: string[]) {
  // Settings of the test run are unknown to the server.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NOTIF_'))
  const env = { ...Object.fromEntries(inherited), NOTIF_DATA_DIR: join(folder, '.notif'), PORT: '0' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, file), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env
  })
  return { output: `${stdout}${stderr}`, status }
}

const patchPackage = (...args: string[]) => run('node_modules/patch-package/index.js', ...args)

test('an unpatched driver ends every kind of start with one sentence, before anything else is done', () => {
  assert.equal(patchPackage('--reverse').status, 0)
  const connection = join(folder, 'node_modules/postgres/src/connection.js')
  assert.doesNotMatch(readFileSync(connection, 'utf8'), /defect/)
  for (const file of ['server/start.ts', 'server/main.ts']) {
    for (const args of [[], ['--check']]) {
      assert.deepEqual(run(file, ...args), {
        output:
          'notif-kit: The Postgres driver is not patched. Run `npx patch-package` in the folder of package.json, then start again.\n',
        status: 1
      })
    }
  }
  assert.equal(existsSync(join(folder, 'dist')), false)
  assert.equal(existsSync(join(folder, '.notif')), false)
})

test('a driver with the patch of another version is named as such', () => {
  const driver = join(folder, 'node_modules/postgres/src/index.js')
  const text = readFileSync(driver, 'utf8')
  writeFileSync(driver, text.replace('  PostgresError,', '  patchLevel: 0,\n  PostgresError,'))
  const { output, status } = run('server/main.ts')
  writeFileSync(driver, text)
  assert.equal(status, 1)
  assert.match(output, /^notif-kit: [^\n]* Delete node_modules\/postgres and run `npm install`[^\n]*\n$/)
})

test('the command that the sentence names patches the driver, and running it twice does no harm', () => {
  for (let round = 0; round < 2; round++) {
    const patched = patchPackage()
    assert.equal(patched.status, 0, patched.output)
  }
  const { output, status } = run('server/start.ts', '--check')
  assert.equal(status, 0, output)
  assert.match(output, /the settings are right/)
})
