// The largest allowed emails are streamed: they are never in memory as a whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { testDb } from '../../support/db.ts'
import { FILE_BYTES, flood } from './flood.ts'

const MAILS = 8
/** Allowed growth: garbage between two collections. Whole files in memory would need 550 MiB. */
const RUBBISH = 256 * 1024 * 1024

test(
  'as many emails of 25 MB as slots keep only parts of their files in memory',
  { timeout: 240_000 },
  async t => {
    await using database = await testDb()
    const { before, mailed, milliseconds, most } = await flood(database.url, MAILS)
    assert.ok(mailed > MAILS * FILE_BYTES * 1.36, 'every byte left, as base64')
    const grown = most - before
    t.diagnostic(
      `${Math.round(grown / 2 ** 20)} MiB more for ${Math.round(mailed / 2 ** 20)} MiB of mail, ${Math.round(milliseconds)} ms`
    )
    assert.ok(grown < RUBBISH, `${grown} bytes more than before`)
  }
)
