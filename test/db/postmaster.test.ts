// An embedded Postgres that does not start is reported with its reason, however long its log is.

import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { findBinaries } from '../../server/db/embedded/binaries.ts'
import { findOwner } from '../../server/db/embedded/owner.ts'
import { PostmasterFailed, startPostmaster } from '../../server/db/embedded/postmaster.ts'
import { temporaryDir } from '../support/process.ts'

/** More than can be read at once. It is empty, so it takes no room on the disk. */
const YEARS = 3 * 1024 ** 3

test('the error of a failed start contains only the end of a large log', { timeout: 60_000 }, async () => {
  const home = temporaryDir()
  const data = join(home, 'postgres')
  const logFile = join(home, 'postgres.log')
  const { postgres } = findBinaries()
  const owner = findOwner(postgres, home, data)
  writeFileSync(logFile, 'said at another start\n')
  truncateSync(logFile, YEARS)
  const options = { data, logFile, owner, postgres, settings: [] }
  const starting = startPostmaster(options, () => {})
  await assert.rejects(starting, (error: unknown) => {
    assert.ok(error instanceof PostmasterFailed, String(error))
    assert.match(error.message, /The end of its log:\n.*postgres/s)
    assert.ok(error.message.includes(data), error.message)
    assert.ok(error.message.length < 2000 && !error.message.includes('another start'), error.message)
    return true
  })
})
