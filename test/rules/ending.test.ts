// Nothing that a test file says is lost, and none holds up the run.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'

const ENDING = join(import.meta.dirname, '../support/ending.ts')

/** Runs a test file as the runner does: its results go through a pipe. */
async function runAlone(t: TestContext, lines: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'notif-test-ending-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'some.test.mjs')
  writeFileSync(file, ["import { test } from 'node:test'", ...lines].join('\n'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--import', ENDING, file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [out, said, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code, out, said }
}

test('a file that leaves something open is ended, named and failed', async t => {
  const { code, out, said } = await runAlone(t, ["test('quick', () => void setInterval(() => {}, 1000))"])
  assert.equal(code, 1)
  assert.match(said, /some\.test\.mjs is held open by .*Timeout/)
  assert.match(out, /quick/)
})

test('every result of many quick tests arrives', async t => {
  const { code, out } = await runAlone(t, [
    "for (let i = 0; i < 2000; i++) test('quick '.repeat(50) + i, () => {})"
  ])
  assert.equal(code, 0)
  assert.equal(out.match(/(?:✔|^ok) /gm)?.length, 2000)
})
