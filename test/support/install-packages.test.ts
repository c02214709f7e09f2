// An install that cannot reach the packages fails soon, with a sentence that a skipped test can show.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { ensureInstalled } from './install-packages.ts'
import { freePort } from './port.ts'
import { temporaryDir } from './process.ts'

const run = promisify(execFile)

test('an install without a registry fails with the command to run', { timeout: 120_000 }, async () => {
  const folder = temporaryDir()
  // Nothing listens on this port.
  const resolved = `http://127.0.0.1:${await freePort()}/boats.tgz`
  const dependencies = { boats: '1.0.0' }
  const packages = { '': { dependencies }, 'node_modules/boats': { resolved, version: '1.0.0' } }
  writeFileSync(join(folder, '.npmrc'), 'fetch-retries=0\n')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  assert.throws(
    () => ensureInstalled(folder, 'boats'),
    ({ message }: Error) => {
      const [sentence, ...reasons] = message.split('\n')
      assert.equal(sentence, `boats could not be installed: run npm ci in ${folder}.`)
      assert.match(reasons.join('\n'), /ECONNREFUSED/)
      return true
    }
  )
})

test('processes that install one folder at once all find the package', { timeout: 120_000 }, async () => {
  const parent = temporaryDir()
  const folder = join(parent, 'apps')
  const boats = join(parent, 'boats')
  const dependencies = { boats: `file:${join(parent, 'boats-1.0.0.tgz')}` }
  for (const made of [folder, boats]) mkdirSync(made)
  writeFileSync(join(boats, 'package.json'), JSON.stringify({ name: 'boats', version: '1.0.0' }))
  await run('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: boats })
  const packages = {
    '': { dependencies },
    'node_modules/boats': { resolved: dependencies.boats, version: '1.0.0' }
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  // What an older lock file left.
  mkdirSync(join(folder, 'node_modules', 'rafts'), { recursive: true })

  const script = `import { ensureInstalled } from ${JSON.stringify(new URL('install-packages.ts', import.meta.url).href)}
    ensureInstalled(${JSON.stringify(folder)}, 'boats')`
  const install = () => run(process.execPath, ['--input-type=module', '--eval', script])
  await Promise.all([install(), install(), install()])

  assert(existsSync(join(folder, 'node_modules', 'boats', 'package.json')))
  assert.deepEqual(readdirSync(parent).toSorted(), ['apps', 'boats', 'boats-1.0.0.tgz'])
})
