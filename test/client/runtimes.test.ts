// The client outside Node: in an empty context, in a worker, in a page, and installed as a package.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { Worker } from 'node:worker_threads'

import { build } from 'esbuild'

import { manifestOf } from '../../components/package/manifest.ts'
import { openBrowser } from '../e2e/site.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { temporaryDir } from '../support/process.ts'
import { startOwn, type Started } from './server.ts'

const ROOT = join(import.meta.dirname, '../..')

let started: Started
let script: string
before(async () => {
  started = await startOwn()
  const { outputFiles } = await build({
    bundle: true,
    entryPoints: [join(ROOT, 'server/client/index.ts')],
    format: 'iife',
    globalName: 'notif',
    // With this platform an import of Node fails the build.
    platform: 'browser',
    write: false
  })
  script = outputFiles[0]!.text
})
after(() => started[Symbol.asyncDispose]())

const clientProgram = (userId: string): string => `(async () => {
  const client = notif.createClient(${JSON.stringify({
    baseURL: started.process.base,
    clientId: CLIENT,
    clientSecret: SECRET
  })})
  await client.send({ inapp: { title: 'From afar' }, to: { id: '${userId}' }, type: 'greeting' })
  const { items } = await client.listInApp('${userId}')
  return JSON.stringify({ hash: await client.userHash('${userId}'), titles: items.map(item => item.title) })
})()`

const expectResult = async (result: string, userId: string): Promise<void> =>
  assert.deepEqual(JSON.parse(result), {
    hash: await started.client().userHash(userId),
    titles: ['From afar']
  })

test('works in a context with ten names of the web platform and nothing else', async () => {
  const { AbortController, TextDecoder, TextEncoder, URL, URLSearchParams } = globalThis
  const { btoa, clearTimeout, crypto, fetch, setTimeout } = globalThis
  const context = createContext({
    AbortController,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    btoa,
    clearTimeout,
    crypto,
    fetch,
    setTimeout
  })
  await expectResult(
    (await runInContext(`${script};${clientProgram('in-context')}`, context)) as string,
    'in-context'
  )
})

test('works in a worker thread', async () => {
  const worker = new Worker(
    `${script};${clientProgram('in-worker')}.then(result => require('node:worker_threads').parentPort.postMessage(result))`,
    { eval: true }
  )
  const result = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  await expectResult(result, 'in-worker')
})

test('works in a page of the same origin', async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${started.process.base}/healthz`)
    await page.addScriptTag({ content: script })
    await expectResult((await page.evaluate(clientProgram('in-page'))) as string, 'in-page')
  } finally {
    await browser.close()
  }
})

test('the package contains JavaScript with types that a strict program without Node types compiles', async () => {
  const folder = temporaryDir()
  const packed = join(folder, 'node_modules/notif-kit')
  mkdirSync(packed, { recursive: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const run = (...args: string[]): string => {
    try {
      return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 })
    } catch (error) {
      throw new Error(String((error as { stdout: string }).stdout), { cause: error })
    }
  }
  run(tsc, '-p', join(ROOT, 'server/client'), '--outDir', join(packed, 'client'))
  writeFileSync(join(packed, 'package.json'), JSON.stringify(manifestOf(packed)))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient, NotifProblem, type SendRequest } from 'notif-kit/client'
const client = createClient(${JSON.stringify({ baseURL: started.process.base, clientId: CLIENT, clientSecret: SECRET })})
const request: SendRequest = { type: 'greeting', to: { id: 'packed' }, inapp: { title: 'From a package' } }
const { trackingId } = await client.send(request)
// @ts-expect-error: a send needs its type
await client.send({ to: { id: 'packed' } }).catch((error: unknown) => {
  if (!(error instanceof NotifProblem) || error.status !== 422) throw error
})
// @ts-expect-error: no such channel
void ((): SendRequest => ({ ...request, forceChannels: ['PIGEON'] }))
const page = await client.listInApp('packed')
if (page.items[0]?.id !== trackingId) throw new Error('not there')
`
  )
  const strict = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--exactOptionalPropertyTypes']
  run(tsc, ...strict, '--types', '', 'use.ts')
  run('use.js')
})
