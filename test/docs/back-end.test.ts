// Every program of docs/back-end.md runs against a real server, in order, in each language that is on this machine; and
// those that the README has for back ends.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

import { ADMIN_TOKEN, startOwn, type Started } from '../client/server.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

interface Language {
  /** Says whether it is here. */
  readonly probe: readonly [string, ...string[]]
  readonly file: string
  readonly command: (file: string) => readonly [string, ...string[]]
  /** Title that its first program sends. */
  readonly title?: string
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  go: {
    command: file => ['go', 'run', file],
    file: 'send.go',
    probe: ['go', 'version'],
    title: 'Hello from Go'
  },
  java: {
    command: file => ['java', file],
    file: 'Send.java',
    probe: ['java', '-version'],
    title: 'Hello from Java'
  },
  js: {
    command: file => [process.execPath, file],
    file: 'send.mjs',
    probe: [process.execPath, '-v'],
    title: 'Hello from Node'
  },
  php: {
    command: file => ['php', file],
    file: 'send.php',
    probe: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    title: 'Hello from PHP'
  },
  python: {
    command: file => ['python3', file],
    file: 'send.py',
    probe: ['python3', '-V'],
    title: 'Hello from Python'
  },
  ruby: { command: file => ['ruby', file], file: 'send.rb', probe: ['ruby', '-v'], title: 'Hello from Ruby' },
  sh: {
    command: file => ['bash', '-euo', 'pipefail', file],
    file: 'send.sh',
    probe: ['curl', '-V'],
    title: 'Hello from curl'
  }
}
/** One wants a project around it, the other is what a program receives. */
const NOT_RUN = new Set(['csharp', 'json'])

const programsOf = (page: string) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language, code], index) => ({
      code: code!.replace("'notif-kit/client'", JSON.stringify(join(ROOT, 'server/client/index.ts'))),
      index,
      language: language!
    })
  )
const programs = programsOf('docs/back-end.md')

let server: Started
/** Of a notification that programs update. */
let trackingId: string
const folder = mkdtempSync(join(tmpdir(), 'notif-docs-'))
before(async () => {
  server = await startOwn()
  const sent = await server.client().send({
    inapp: { title: 'A report' },
    to: { id: 'amara' },
    type: 'report'
  })
  trackingId = sent.trackingId
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const titles = async (): Promise<readonly string[]> =>
  (await server.client().listInApp('amara')).items.map(({ title }) => title)

test('has programs in known languages only', () => {
  assert.ok(programs.length > 14)
  for (const { language } of programs) assert.ok(language in LANGUAGES || NOT_RUN.has(language), language)
  for (const { code } of programs.filter(({ language }) => language === 'json')) JSON.parse(code)
})

for (const { code, index, language } of programs) {
  const known = LANGUAGES[language]
  if (!known) continue
  const [program, ...probe] = known.probe
  const isHere = spawnSync(program, probe).status === 0
  test(`program ${index + 1}: ${language}`, { skip: !isHere && `no ${program} here` }, async () => {
    const file = join(folder, known.file)
    writeFileSync(file, code)
    const [command, ...args] = known.command(file)
    const env = {
      ...process.env,
      CLIENT_ID: CLIENT,
      CLIENT_SECRET: SECRET,
      NOTIFY_URL: server.process.base,
      NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
      TRACKING_ID: trackingId
    }
    const { stdout } = await run(command, args, { env, timeout: 60_000 })
    if (code.includes('hmac.digest')) {
      assert.equal(stdout.trim(), await server.client().userHash('amara'))
    }
    const { title } = known
    if (!title || !code.includes(title)) return
    assert.equal((await titles()).filter(one => one === title).length, 1)
    // The same key again: nothing more.
    if (language === 'java') return
    await run(command, args, { env, timeout: 60_000 })
    assert.equal((await titles()).filter(one => one === title).length, 1)
  })
}

test('has the effects of the programs', async () => {
  assert.ok((await titles()).includes('Jonas commented'))
  const { preferences } = await server.client().getUserPreferences('amara')
  const chosen = preferences.find(
    ({ channel, notificationId }) => channel === 'EMAIL' && notificationId === 'new_comment'
  )
  assert.equal(chosen?.delivery, 'daily')
  const amara = await server.client().getUser('amara')
  assert.equal(amara.timezone, 'Europe/Lisbon')
})

test('runs the programs of the README', async () => {
  const inReadme = programsOf('README.md')
  const given = { CLIENT_ID: CLIENT, CLIENT_SECRET: SECRET }
  const runs = async (sign: string, file: string, before = '', after = ''): Promise<string> => {
    const found = inReadme.filter(({ code }) => code.includes(sign))
    assert.equal(found.length, 1, sign)
    const path = join(folder, file)
    const code = found[0]!.code.replaceAll(
      /https:\/\/notify\.example\.com|http:\/\/127\.0\.0\.1:3000/g,
      server.process.base
    )
    writeFileSync(path, before + code + after)
    const [command, ...args] = LANGUAGES[found[0]!.language]!.command(path)
    return (await run(command, args, { env: { ...process.env, ...given }, timeout: 60_000 })).stdout
  }
  const { trackingId } = JSON.parse(await runs('-H', 'readme.sh')) as { trackingId: string }
  const [newest] = (await server.client().listInApp('amara')).items
  assert.equal(newest!.id, trackingId)
  assert.equal(newest!.title, 'Jonas commented on Harbour map')
  const login = 'const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;'
  await runs('notif.send(', 'readme.mjs', login)
  assert.equal((await titles())[0], 'Hello')
  const hash = await runs(
    'createHmac',
    'hash.mjs',
    "const { CLIENT_SECRET } = process.env; const userId = 'amara';",
    'console.log(userHash)'
  )
  assert.equal(hash.trim(), await server.client().userHash('amara'))
})
