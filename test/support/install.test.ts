// Where packages cannot be had, whoever needs them is told so in a sentence, and soon: a test is skipped with it.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { ensureInstalled } from './install.ts'
import { freePort } from './port.ts'
import { temporaryDir } from './process.ts'

test('an install without a way to the packages', { timeout: 120_000 }, async () => {
  const folder = temporaryDir()
  // A port where nobody listens.
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
