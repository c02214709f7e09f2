// The largest mails that are allowed go through without standing in memory.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { testDb } from '../../support/db.ts'
import { FILE_BYTES, flood } from './flood.ts'

const MAILS = 8
/** What may come on top: rubbish between two collections, 120 to 150 MiB. Files as a whole came to 550 MiB. */
const RUBBISH = 256 * 1024 * 1024

test('mails of 25 MB, as many at once as may be, cost pieces of memory', { timeout: 240_000 }, async t => {
  await using database = await testDb()
  const { before, mailed, milliseconds, most } = await flood(database.url, MAILS)
  assert.ok(mailed > MAILS * FILE_BYTES * 1.36, 'every byte left, as base64')
  const grown = most - before
  t.diagnostic(
    `${Math.round(grown / 2 ** 20)} MiB more for ${Math.round(mailed / 2 ** 20)} MiB of mail, ${Math.round(milliseconds)} ms`
  )
  assert.ok(grown < RUBBISH, `${grown} bytes more than before`)
})
