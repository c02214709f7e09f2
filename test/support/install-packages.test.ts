// An install that cannot reach the packages fails soon, with a sentence that a skipped test can show.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { ensureInstalled } from './install-packages.ts'
import { freePort } from './port.ts'
import { temporaryDir } from './process.ts'

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
