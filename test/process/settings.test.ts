// The command line: --check, --print and wrong settings.

import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

import { isDemo, readConfig } from '../../server/config/config.ts'
import { defaultSender } from '../../server/config/email.ts'
import { REMOVED_SETTINGS } from '../../server/config/removed-settings.ts'
import { settingNames } from '../rules/settings-table.ts'
import { launch, temporaryDir } from '../support/process.ts'

const SERVER = join(import.meta.dirname, '../../server')

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using server = launch({ args, env })
  const { code } = await server.ended
  return { code, output: server.output() }
}

test('--check prints that the settings are right, and exits', async () => {
  assert.deepEqual(await run(['--check']), { code: 0, output: 'notif-kit: the settings are right\n' })
})

test('npm start builds the files for browsers once, and not for --check', async () => {
  // Here is nothing to build with.
  const root = temporaryDir()
  const there = join(root, 'server')
  mkdirSync(there)
  const main = join(there, 'start.ts')
  for (const room of ['db', 'process']) mkdirSync(join(there, room))
  for (const name of ['start.ts', 'process/build-browser-files.ts'])
    copyFileSync(join(SERVER, name), join(there, name))
  for (const name of ['main.ts', 'db/driver-patch.ts', 'process/stop-with-parent.ts'])
    symlinkSync(join(SERVER, name), join(there, name))
  await using asks = launch({ args: ['--check'], main })
  assert.equal((await asks.ended).code, 0)
  assert.equal(asks.output(), 'notif-kit: the settings are right\n')
  const start = async (): Promise<string> => {
    await using starts = launch({ args: [], env: { PORT: 'none' }, main })
    assert.equal((await starts.ended).code, 1)
    return starts.output()
  }
  assert.match(await start(), /vite/)
  const page = join(root, 'dist/demo/states.html')
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, '')
  assert.match(await start(), /PORT/)
  mkdirSync(join(root, 'components'))
  writeFileSync(join(root, 'components/newer.ts'), '')
  utimesSync(page, 1, 1)
  assert.match(await start(), /vite/)
})

test('--check names every problem, and exits with 1', async () => {
  const { code, output } = await run(['--check'], {
    NOTIF_CLIENT_SECRTE: 'x',
    NOTIF_ROLE: 'boss',
    PORT: '99999'
  })
  assert.equal(code, 1)
  assert.match(output, /PORT: Expected a whole number from 0 to 65535, not "99999"\./)
  assert.match(output, /NOTIF_ROLE: Expected one of api, worker, all, not "boss"\./)
  assert.match(output, /NOTIF_CLIENT_SECRTE: There is no such setting\. Did you mean NOTIF_CLIENT_SECRET\?/)
})

test('suggests the setting for an incomplete name, or one with the NOTIF_ prefix', () => {
  for (const [given, meant] of [
    ['NOTIF_SMTP', 'NOTIF_SMTP_URL'],
    ['NOTIF_KEYS', 'NOTIF_KEY'],
    ['NOTIF_PORT', 'PORT'],
    ['NOTIF_DATABASE_URL', 'DATABASE_URL'],
    ['NOTIF_TYPE_DIR', 'NOTIF_TYPES_DIR']
  ] as const) {
    const read = readConfig({ [given]: 'x' })
    assert.deepEqual('problems' in read ? read.problems : [], [
      { detail: `There is no such setting. Did you mean ${meant}?`, env: given }
    ])
  }
})

test('refuses a start with wrong settings', async () => {
  const { code, output } = await run([], { NOTIF_DEMO: 'perhaps', NOTIF_TYPE_DIR: '/tmp' })
  assert.equal(code, 1)
  assert.match(output, /NOTIF_DEMO: Expected 0 or 1, not "perhaps"\./)
  assert.match(output, /NOTIF_TYPE_DIR: .*NOTIF_TYPES_DIR\?/)
})

test('refuses a folder of types that cannot be read, also with --check', async () => {
  const folder = { DATABASE_URL: 'postgres://u@127.0.0.1:1/x', NOTIF_TYPES_DIR: '/not/there' }
  for (const args of [[], ['--check']]) {
    const { code, output } = await run(args, folder)
    assert.equal(code, 1)
    assert.match(
      output,
      /^notif-kit: NOTIF_TYPES_DIR: the folder cannot be read \(ENOENT: .*\). Set it to a folder .*\n$/
    )
  }
})

test('--print prints every value with its meaning, and no secret', async () => {
  const secrets = {
    DATABASE_URL: 'postgres://u:hidden1@db/x',
    NOTIF_ADMIN_TOKEN: 'hidden2-hidden2-hidden2',
    NOTIF_CLIENT_SECRET: 'hidden3-hidden3-hidden3',
    NOTIF_SMTP_URL: 'smtp://u:hidden4@mail'
  }
  const addresses = {
    NOTIF_FCM_URL: 'https://hidden5:hidden6@fcm.example/p',
    NOTIF_SLACK_URL: 'https://hidden7@slack.example/api',
    NOTIF_SMS_WEBHOOK_SECRET: 'hidden8-hidden8-hidden8',
    NOTIF_SMS_WEBHOOK_URL: 'https://sms.example/in?key=hidden9&b=hidden10#c'
  }
  const { code, output } = await run(['--print'], { ...secrets, ...addresses, PORT: '4711' })
  assert.equal(code, 0)
  assert.ok(!output.includes('hidden'), output)
  assert.match(output, /^PORT=4711$/m)
  assert.ok(output.includes('\nNOTIF_FCM_URL=https://[secret]:[secret]@fcm.example/p\n'), output)
  assert.ok(output.includes('\nNOTIF_SLACK_URL=https://[secret]@slack.example/api\n'))
  assert.ok(output.includes('\nNOTIF_SMS_WEBHOOK_URL=https://sms.example/in?key=[secret]&b=[secret]#c\n'))
  for (const name of Object.keys(secrets)) assert.ok(output.includes(`\n${name}=[secret]\n`), name)
  assert.match(output, /^# \w.*\nNOTIF_RETENTION_DAYS=30$/m)
})

test('refuses an unknown argument and prints the known ones', async () => {
  const { code, output } = await run(['--chek'])
  assert.equal(code, 1)
  assert.match(output, /Unknown argument --chek\./)
  assert.match(output, /--check/)
})

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  const read = readConfig(env)
  return 'problems' in read ? read.problems.map(problem => problem.env) : []
}

test('reads an empty variable as not set', () => {
  assert.deepEqual(problemsOf({ DATABASE_URL: '', NOTIF_CLIENT_ID: '', NOTIF_DEMO: '', PORT: '' }), [])
})

test('is no demo by default if users reach it, because the sandbox of a demo is open', () => {
  const shows = (env: Readonly<Record<string, string>>): boolean => {
    const read = readConfig(env)
    assert.ok('config' in read)
    return isDemo(read.config)
  }
  assert.equal(shows({}), true)
  assert.equal(shows({ DATABASE_URL: 'postgres://db/notif' }), false)
  assert.equal(shows({ NOTIF_PUBLIC_URL: 'https://notify.example.com' }), false)
  assert.equal(shows({ NOTIF_DEMO: '1', NOTIF_PUBLIC_URL: 'https://notify.example.com' }), true)
})

test('checks CIDRs, origins and addresses', () => {
  for (const [name, value] of [
    ['NOTIF_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['NOTIF_TRUSTED_PROXIES', 'localhost'],
    ['NOTIF_ALLOW_PRIVATE', '::1/200'],
    ['NOTIF_ORIGINS', 'example.com'],
    ['NOTIF_ORIGINS', 'https://example.com/path'],
    ['DATABASE_URL', 'mysql://x'],
    ['NOTIF_CLIENT_ID', 'a:b'],
    ['NOTIF_CLIENT_ID', 'operators'],
    ['NOTIF_CLIENT_SECRET', 'line\nbreak'],
    ['PORT', '1e3'],
    ['PORT', '-1']
  ] as const) {
    assert.deepEqual(problemsOf({ [name]: value }), [name], `${name}=${value}`)
  }
  assert.deepEqual(
    problemsOf({
      DATABASE_URL: 'postgres://u:p@%2Fvar%2Frun:5432/x',
      NOTIF_ALLOW_PRIVATE: '10.0.0.0/8, ::1',
      NOTIF_ORIGINS: 'https://a.example, http://localhost:5173'
    }),
    []
  )
})

test('answers a removed setting with what replaces it', async () => {
  const { code, output } = await run(['--check'], { NOTIF_DEPTH_LIMIT: '64', NOTIF_FILES_LIMIT: '1000' })
  assert.equal(code, 1)
  assert.match(output, /NOTIF_DEPTH_LIMIT: This setting was removed: it is fixed at 32 levels\./)
  assert.match(
    output,
    /NOTIF_FILES_LIMIT: This setting was removed\. Set NOTIF_INLINE_FILES_MAX_BYTES instead\./
  )
})

test('names only settings that exist as replacements of removed ones', () => {
  const names = new Set(settingNames())
  for (const [removed, detail] of Object.entries(REMOVED_SETTINGS)) {
    assert.equal(names.has(removed), false, removed)
    for (const name of detail.match(/NOTIF_\w+/g) ?? []) assert.ok(names.has(name), `${removed}: ${name}`)
    assert.deepEqual(problemsOf({ [removed]: '1' }), [removed])
  }
})

test('has at most 88 settings', () => {
  assert.ok(settingNames().length <= 88)
})

test('accepts an address, or a name and an address, as the sender of emails', () => {
  const senderOf = (text: string) => {
    const read = readConfig({ NOTIF_EMAIL_FROM: text })
    return 'config' in read ? defaultSender(read.config) : read.problems[0]!.detail
  }
  assert.deepEqual(senderOf('a@example.com'), { address: 'a@example.com', name: '' })
  assert.deepEqual(senderOf('Ann <a@example.com>'), { address: 'a@example.com', name: 'Ann' })
  assert.match(String(senderOf('Ann <a@example.com')), /^Expected an address, or a name/)
})

test('reads a secret from a file, but not from two places', () => {
  const file = join(temporaryDir(), 'secret')
  writeFileSync(file, 'from a file of secrets\n'.replaceAll(' ', '-'))
  const read = readConfig({ NOTIF_CLIENT_SECRET_FILE: file })
  assert.ok('config' in read)
  assert.equal(read.config.clientSecret, 'from-a-file-of-secrets')
  assert.deepEqual(problemsOf({ NOTIF_CLIENT_SECRET: 'x', NOTIF_CLIENT_SECRET_FILE: file }), [
    'NOTIF_CLIENT_SECRET_FILE'
  ])
  assert.deepEqual(problemsOf({ NOTIF_ADMIN_TOKEN_FILE: '/nowhere' }), ['NOTIF_ADMIN_TOKEN_FILE'])
})

test('refuses secrets of fewer than 16 characters that the operator chooses', () => {
  const names = [
    'NOTIF_ADMIN_TOKEN',
    'NOTIF_CLIENT_SECRET',
    'NOTIF_METRICS_TOKEN',
    'NOTIF_SMS_WEBHOOK_SECRET'
  ]
  const withValue = (value: string) => Object.fromEntries(names.map(name => [name, value]))
  assert.deepEqual(problemsOf(withValue('x'.repeat(15))).toSorted(), names)
  const read = readConfig({ NOTIF_ADMIN_TOKEN: 'x' })
  assert.match(('problems' in read && read.problems[0]?.detail) || '', /^Expected 16 or more .*guessed\.$/)
  for (const name of names) assert.ok(!problemsOf(withValue('x'.repeat(16))).includes(name), name)
})
