// The embedded database has a user of its own, and other users cannot list its folder.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { closeDataFolder } from '../../server/db/embedded/data-folder.ts'
import { startEmbedded } from '../../server/db/embedded/embedded.ts'
import { temporaryDir } from '../support/process.ts'

const isRoot = process.getuid?.() === 0
const closedMode = isRoot ? 0o711 : 0o700
const modeOf = (path: string): number => statSync(path).mode & 0o777

/** Starts and stops the database. @returns what it printed, and the user id of its process */
async function run(dataDir: string): Promise<{ lines: string[]; uid: number }> {
  const lines: string[] = []
  const database = await startEmbedded({ connections: 10, dataDir, say: line => void lines.push(line) })
  const uid = process.platform === 'linux' ? statSync(`/proc/${database.pid}`).uid : NaN
  await database.stop()
  return { lines, uid }
}

const warnings = (lines: readonly string[]): string[] => lines.filter(line => line.startsWith('warning'))

test('under root, new data belongs to a user without an account', { skip: !isRoot }, async () => {
  const dataDir = temporaryDir()
  const { lines, uid } = await run(dataDir)
  assert.deepEqual(warnings(lines), [])
  assert.ok(uid >= 60_706 && uid < 61_184, `user ${uid}`)
  assert.equal(spawnSync('getent', ['passwd', String(uid)], { encoding: 'utf8' }).stdout, '')
  for (const file of ['postgres', 'postgres/PG_VERSION', 'postgres/base/1/PG_VERSION'])
    assert.equal(statSync(join(dataDir, file)).uid, uid, file)
  assert.equal((await run(dataDir)).uid, uid)
})

test(
  'data of nobody still starts, and a warning has the command that changes it',
  { skip: !isRoot },
  async () => {
    const dataDir = temporaryDir()
    await run(dataDir)
    const shell = (command: string): void =>
      assert.equal(spawnSync('/bin/sh', ['-c', command], { stdio: 'ignore' }).status, 0, command)
    shell(`chown -R nobody '${dataDir}/postgres'`)
    const old = await run(dataDir)
    const [warning = ''] = warnings(old.lines)
    assert.match(warning, /nobody/)
    shell(/"(chown [^"]+)"/.exec(warning)![1]!)
    const changed = await run(dataDir)
    assert.deepEqual(warnings(changed.lines), [])
    assert.notEqual(changed.uid, old.uid)
  }
)

test('an existing data folder is closed to other users at the start', async () => {
  const dataDir = temporaryDir()
  await run(dataDir)
  chmodSync(dataDir, 0o777)
  assert.deepEqual(warnings((await run(dataDir)).lines), [])
  assert.equal(modeOf(dataDir), closedMode)
})

test('a folder with other files keeps its rights, and a warning says the command', () => {
  const dataDir = temporaryDir()
  chmodSync(dataDir, 0o755)
  writeFileSync(join(dataDir, 'letter.txt'), '')
  assert.ok(closeDataFolder(dataDir)?.includes(`chmod ${closedMode.toString(8)} '${dataDir}'`))
  assert.equal(modeOf(dataDir), 0o755)
  chmodSync(dataDir, closedMode)
  assert.equal(closeDataFolder(dataDir), undefined)
})
