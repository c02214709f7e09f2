// A stop finishes accepted work and exits with the right code; a second signal stops immediately.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

import { testDb } from '../support/db.ts'
import { freePort, isListening } from '../support/port.ts'
import { launch, startServer, temporaryDir, until } from '../support/process.ts'
import { CLIENT, inbox, OWN_KEYS, SECRET, send } from './send-and-read.ts'

test('stores every send that it answered with 200 before it exits with 0, under load', async () => {
  await using test = await testDb()
  const accepted: string[] = []
  {
    await using server = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
    const stopped = new AbortController()
    const caller = async (name: string): Promise<void> => {
      for (let i = 0; !stopped.signal.aborted; i++) {
        try {
          const answer = await send(server, `${name}-${i}`)
          await answer.body?.cancel()
          if (answer.status === 200) accepted.push(`${name}-${i}`)
          else assert.equal(answer.status, 503)
        } catch (error) {
          // Refused connections are what a stopped server looks like; a cut answer is not.
          const { cause } = error as { cause?: { code?: string } }
          assert.ok(
            ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(cause?.code ?? ''),
            String(cause)
          )
          return
        }
      }
    }
    const callers = Array.from({ length: 8 }, (_, i) => caller(`c${i}`))
    while (accepted.length < 50) await new Promise(resolve => setImmediate(resolve))
    const { code } = await server.end('SIGTERM')
    stopped.abort()
    await Promise.all(callers)
    assert.equal(code, 0, server.output())
    assert.ok(!server.output().includes('"level":50'), server.output())
  }
  await using server = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
  const { counts, items } = await inbox(server)
  const found = new Set(items.map(item => item.title))
  assert.ok(counts.unopened >= accepted.length)
  if (counts.unopened <= 1000) {
    for (const title of accepted) assert.ok(found.has(title), `${title} was accepted and is not there`)
  }
})

test('stops normally if the reader of its output has exited', async () => {
  await using test = await testDb()
  await using server = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
  server.child.stdout!.destroy()
  assert.equal((await send(server, 'after')).status, 200)
  assert.equal((await server.end('SIGTERM')).code, 0, server.output())
})

test('npm start passes a signal on to the server, and exits with its code', async () => {
  await using test = await testDb()
  const folder = temporaryDir()
  const root = join(import.meta.dirname, '../..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { start: scripts.start }, type: 'module' })
  )
  // Without the build of the files for browsers, which comes before the server.
  mkdirSync(join(folder, 'server'))
  symlinkSync(join(root, 'server/main.ts'), join(folder, 'server/start.ts'))
  const env = { ...OWN_KEYS, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  await using server = await startServer({ databaseUrl: test.url, env, npmFolder: folder })
  server.child.kill('SIGTERM')
  await server.waitForOutput('stopping')
  assert.equal((await server.ended).code, 0, server.output())
  await assert.rejects(fetch(server.base))
})

for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
  test(`the server stops when npm start ends by ${signal}, which npm passes on to nobody`, async () => {
    await using test = await testDb()
    const folder = temporaryDir()
    const root = join(import.meta.dirname, '../../server')
    const { scripts } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as {
      scripts: { start: string }
    }
    const start = readFileSync(join(root, 'start.ts'), 'utf8')
    const env = { ...OWN_KEYS, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ scripts: { start: scripts.start }, type: 'module' })
    )
    mkdirSync(join(folder, 'server'))
    // start.ts without the build of the files for browsers.
    const imports = start.replaceAll(/'\.\/(.*?)'/g, (_, path: string) => `'${root}/${path}'`)
    writeFileSync(join(folder, 'server/start.ts'), imports.replace(/^if \(process\.argv[^]*?^}/m, ''))
    const server = await startServer({ databaseUrl: test.url, env, npmFolder: folder })
    const { port } = new URL(server.base)
    server.child.kill(signal)
    await until(async () => !(await isListening(Number(port))), 'the server stops')
    await server.ended
  })
}

test('answers a request in progress during the stop, and closes its connection', async () => {
  await using test = await testDb()
  await using server = await startServer({ databaseUrl: test.url, env: OWN_KEYS })
  const { hostname, port } = new URL(server.base)
  // A request that takes its time holds the server open.
  const slow = connect(Number(port), hostname)
  await once(slow, 'connect')
  slow.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n`)
  const open = connect(Number(port), hostname).setEncoding('utf8')
  await once(open, 'connect')
  open.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  await once(open, 'data')
  server.child.kill('SIGTERM')
  await until(async () => !(await isListening(Number(port))), 'new connections are refused')
  slow.write('\r\n')
  let answer = ''
  slow.setEncoding('utf8').on('data', text => (answer += text))
  await once(slow, 'end')
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.match(answer, /^connection: close\r$/im)
  assert.equal((await server.ended).code, 0)
})

test('exits with 1 at the second SIGTERM, and the guard stops the database', async () => {
  await using server = await startServer({ env: OWN_KEYS })
  const { hostname, port } = new URL(server.base)
  const slow = connect(Number(port), hostname)
  slow.on('error', () => {})
  await once(slow, 'connect')
  // Without its end: the request is under way for as long as its time-out.
  slow.write(`POST /${OWN_KEYS.NOTIF_CLIENT_ID}/sender HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`)
  await send(server, 'one')
  server.child.kill('SIGTERM')
  await server.waitForOutput('stopping')
  const { code } = await server.end('SIGTERM')
  assert.equal(code, 1)
  assert.match(server.output(), /stopped immediately/)
})

test('exits at a signal during the start, and answers 503 to waiting requests', async () => {
  const port = await freePort()
  await using server = launch({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/x',
    env: { PORT: String(port) }
  })
  await server.waitForOutput('waiting for the database')
  const base = `http://127.0.0.1:${port}`
  const early = fetch(`${base}/${OWN_KEYS.NOTIF_CLIENT_ID}/sender`, { body: '{}', method: 'POST' })
  // It is here when a later one is answered.
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.equal((await early).status, 503)
})

test('shares the drain time between deliveries and requests', { timeout: 60_000 }, async () => {
  await using test = await testDb()
  // A mail server that accepts connections and never answers.
  await using mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port: mailPort } = mute.address() as AddressInfo
  const env = { ...OWN_KEYS, NOTIF_DRAIN_SECONDS: '8', NOTIF_SMTP_URL: `smtp://127.0.0.1:${mailPort}` }
  await using server = await startServer({ databaseUrl: test.url, env })
  const mail = { email: { html: 'x', subject: 'x' }, to: { email: 'a@example.com', id: 'u' }, type: 't' }
  const sent = await fetch(`${server.base}/${CLIENT}/sender`, {
    body: JSON.stringify(mail),
    headers: { authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}` },
    method: 'POST'
  })
  assert.equal(sent.status, 200, await sent.text())
  const { control } = test.db
  await until(
    async () => (await control`select from outbox where leased`).length === 1,
    'the mail is under way'
  )
  const { hostname, port } = new URL(server.base)
  const slow = connect(Number(port), hostname)
  slow.on('error', () => {})
  await once(slow, 'connect')
  slow.write(`POST /${OWN_KEYS.NOTIF_CLIENT_ID}/sender HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`)
  const began = performance.now()
  assert.equal((await server.end('SIGTERM')).code, 0)
  const took = performance.now() - began
  // One after the other would take 16 s.
  assert.ok(took < 15_000, `${took} ms`)
})
