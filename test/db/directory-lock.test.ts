// The directory lock has one owner, and none after the owner was killed.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { DirectoryInUse, lockDirectory } from '../../server/db/directory-lock.ts'

function folder(...more: string[]): { path: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'notif-lock-'))
  const path = join(root, ...more)
  mkdirSync(path, { recursive: true })
  return { [Symbol.dispose]: () => rmSync(root, { recursive: true }), path }
}

const LOCK = join(import.meta.dirname, '../../server/db/directory-lock.ts')

/** Another process that holds the directory until it is killed. */
async function holder(path: string) {
  const code = `const { lockDirectory } = await import(${JSON.stringify(LOCK)})
    await lockDirectory(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  return child
}

for (const [name, parts] of [
  ['a short path', []],
  ['a path too long for a socket', ['a'.repeat(80), 'b'.repeat(80)]]
] as const) {
  test(`${name}: tells the second process the pid of the first, and lets it in afterwards`, async () => {
    using dir = folder(...parts)
    const release = await lockDirectory(dir.path)
    await assert.rejects(lockDirectory(dir.path), (error: Error) => {
      assert.ok(error instanceof DirectoryInUse)
      assert.equal(error.pid, String(process.pid))
      return true
    })
    await release()
    const again = await lockDirectory(dir.path)
    await again()
  })

  test(`${name}: releases the lock of a killed process`, async () => {
    using dir = folder(...parts)
    const child = await holder(dir.path)
    await assert.rejects(lockDirectory(dir.path), { pid: String(child.pid) })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const release = await lockDirectory(dir.path)
    await release()
  })
}

test('gives the lock to one of many processes that find a dead owner at once', async () => {
  for (let round = 0; round < 20; round++) {
    using dir = folder()
    const child = round % 5 === 0 ? await holder(dir.path) : undefined
    child?.kill('SIGKILL')
    if (child) await once(child, 'exit')
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(dir.path)))
    const got = tries.filter(result => result.status === 'fulfilled')
    assert.equal(got.length, 1)
    for (const result of tries)
      if (result.status === 'rejected') assert.ok(result.reason instanceof DirectoryInUse)
    await got[0]!.value()
    assert.deepEqual(readdirSync(dir.path), [])
  }
})

test('creates a folder that other users cannot read or change', async () => {
  using root = folder()
  const path = join(root.path, 'data')
  const unlock = await lockDirectory(path)
  await unlock()
  // Under root, the user of the embedded database passes through.
  assert.equal(statSync(path).mode & 0o777, process.getuid?.() === 0 ? 0o711 : 0o700)
})
