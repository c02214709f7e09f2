// After a crash of the server, its database or both, no accepted send is lost and no process keeps running.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'

import { isAlive, launch, startServer, temporaryDir, until } from '../support/process.ts'
import { inbox, OWN_KEYS, send } from './send-and-read.ts'

/** Pids of all processes whose command line names the folder. */
const processesOf = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(dataDir)
      } catch {
        return false
      }
    })
    .map(Number)

/** Sends with a key of its own until it is accepted, as a careful back-end does. */
async function insist(server: { readonly base: string }, title: string): Promise<void> {
  await until(async () => {
    try {
      return (await send(server, title, title)).ok
    } catch {
      return false
    }
  }, `send ${title} is accepted`)
}

test('leaves no process after kill -9 of the server, and the next start has every accepted send', async () => {
  const dataDir = temporaryDir()
  const titles: string[] = []
  for (let round = 0; round < 3; round++) {
    const server = await startServer({ dataDir, env: OWN_KEYS })
    for (let i = 0; i < 5; i++) {
      const title = `${round}-${i}`
      assert.equal((await send(server, title)).status, 200)
      titles.push(title)
    }
    const database = server.databasePid()
    // At once, while the database of the round before may still be stopping.
    await server.end('SIGKILL')
    if (round === 1) await until(() => !isAlive(database), 'the guard stops the database')
  }
  await using server = await startServer({ dataDir, env: OWN_KEYS })
  const { counts, items } = await inbox(server)
  assert.deepEqual(items.map(item => item.title).toReversed(), titles)
  assert.deepEqual(counts, {
    snoozed: 0,
    unarchived: titles.length,
    unopened: titles.length,
    unseen: titles.length
  })
  await server.end('SIGKILL')
  await until(() => processesOf(dataDir).length === 0, 'nothing is left of it')
})

test('starts on a folder whose database was killed while it was created', async () => {
  const dataDir = temporaryDir()
  {
    const server = launch({ dataDir, env: OWN_KEYS })
    await server.waitForOutput('creating the embedded database')
    await server.end('SIGKILL')
  }
  await using server = await startServer({ dataDir, env: OWN_KEYS })
  assert.equal((await send(server, 'after')).status, 200)
})

test('restarts a database after kill -9, answers 503 meanwhile, and loses nothing', async () => {
  await using server = await startServer({ env: OWN_KEYS })
  const titles: string[] = []
  for (let round = 0; round < 3; round++) {
    await insist(server, `before-${round}`)
    const database = server.databasePid()
    process.kill(database, 'SIGKILL')
    const statuses = new Set<number>()
    await until(async () => {
      const answer = await send(server, `during-${round}`, `during-${round}`)
      statuses.add(answer.status)
      if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0)
      await answer.body?.cancel()
      return answer.ok
    }, 'the database is back')
    for (const status of statuses) assert.ok([200, 503].includes(status), `answered ${status}`)
    titles.push(`before-${round}`, `during-${round}`)
    // Its own children may have answered the first calls: they end a moment after it.
    await until(() => !isAlive(database) && server.databasePid() !== database, 'another database runs')
  }
  const { items } = await inbox(server)
  assert.deepEqual(items.map(item => item.title).toReversed(), titles)
  assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.deepEqual(processesOf(server.dataDir), [])
})

test('restarts the database with a new guard after kill -9 of the guard', async () => {
  await using server = await startServer({ env: OWN_KEYS })
  const database = server.databasePid()
  const guard = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${database}/status`, 'utf8'))![1])
  process.kill(guard, 'SIGKILL')
  await server.waitForOutput('the embedded database runs again')
  await insist(server, 'after')
  assert.ok(!isAlive(database))
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.deepEqual(processesOf(server.dataDir), [])
})

test('stops the database last after Ctrl-C', async () => {
  await using server = await startServer({ env: OWN_KEYS })
  const group = (pid: number) =>
    execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)])
      .toString()
      .trim()
  assert.notEqual(group(server.databasePid()), group(server.pid))
  assert.equal((await server.end('SIGINT')).code, 0)
  assert.deepEqual(processesOf(server.dataDir), [])
})
