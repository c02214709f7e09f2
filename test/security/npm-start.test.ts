// `npm start` sends no request to the npm registry, which npm does once a day by default to look for a new version.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { temporaryDir } from '../support/process.ts'

const run = promisify(execFile)

test('npm start sends no request to a registry', { timeout: 60_000 }, async () => {
  const asked: string[] = []
  const registry = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404).end()
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const home = temporaryDir()
  // A machine that has never run npm, and is no CI: there npm asks nobody anyway.
  const { HOME, PATH } = { HOME: home, PATH: process.env['PATH'] }
  const registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const env = { HOME, npm_config_globalconfig: join(home, 'none'), npm_config_registry: registryUrl, PATH }
  try {
    const cwd = join(import.meta.dirname, '../..')
    const { stdout } = await run('npm', ['start', '--', '--print'], { cwd, env })
    assert.match(stdout, /NOTIF_KEY/)
    assert.deepEqual(asked, [])
  } finally {
    registry.close()
  }
})
