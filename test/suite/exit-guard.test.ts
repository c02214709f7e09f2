// A test file that stays open is ended and named, and no result of a test is lost.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'

const GUARD = join(import.meta.dirname, '../support/exit-guard.ts')

/** Runs a test file as the runner does: its results go through a pipe. */
async function runAlone(t: TestContext, lines: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'notif-exit-guard-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'some.test.mjs')
  writeFileSync(file, ["import { test } from 'node:test'", ...lines].join('\n'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--import', GUARD, file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code, stderr, stdout }
}

test('a file that leaves something open is ended, named and failed', async t => {
  const { code, stderr, stdout } = await runAlone(t, [
    "test('quick', () => void setInterval(() => {}, 1000))"
  ])
  assert.equal(code, 1)
  assert.match(stderr, /some\.test\.mjs is held open by .*Timeout/)
  assert.match(stdout, /quick/)
})

test('every result of many quick tests arrives', async t => {
  const { code, stdout } = await runAlone(t, [
    "for (let i = 0; i < 2000; i++) test('quick '.repeat(50) + i, () => {})"
  ])
  assert.equal(code, 0)
  assert.equal(stdout.match(/(?:✔|^ok) /gm)?.length, 2000)
})
