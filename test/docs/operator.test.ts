// Commands, statements and the systemd unit of docs/operator.md work unchanged.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { readConfig } from '../../server/config/config.ts'
import { smtpPeer } from '../channels/email/smtp-peer.ts'
import { ADMIN_TOKEN, startOwn } from '../client/server.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { temporaryDir, until } from '../support/process.ts'

const run = promisify(execFile)
const page = readFileSync(join(import.meta.dirname, '../../docs/operator.md'), 'utf8')

/** The blocks of a language below a heading, down to the next one. */
function blocks(heading: string, language: string): string[] {
  const [, rest = ''] = page.split(`\n${heading}\n`)
  const [section = ''] = rest.split(/^#{2,3} /m)
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code]) => code!
  )
}

test('runs the commands of the page', { timeout: 90_000 }, async () => {
  await using mails = await smtpPeer()
  await using server = await startOwn({ NOTIF_SMTP_URL: mails.url })
  const client = server.client()
  const send = (name: string) =>
    client.send({
      email: { html: '<p>Hello</p>', subject: name },
      to: { email: `rcpt-550@${name}.test`, id: name },
      type: 'new_comment'
    })
  const letters = async () => (await client.listDeadLetters({})).deadLetters.length
  await send('amara')
  await send('jonas')
  await until(async () => (await letters()) === 2, 'both are refused')

  const env = {
    ...process.env,
    CLIENT_ID: CLIENT,
    CLIENT_SECRET: SECRET,
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIFY_URL: server.process.base
  }
  const said = async (heading: string): Promise<string[]> => {
    const programs = blocks(heading, 'sh')
    assert.equal(programs.length, 1, heading)
    const written = `${programs[0]}`.replaceAll('\ncurl', '\necho\necho ---\ncurl')
    return (await run('bash', ['-euo', 'pipefail', '-c', written], { env })).stdout.split('---\n')
  }
  const [ready, failures, dead] = await said('## When something is wrong')
  assert.match(ready!, /"paused":\[\]/)
  assert.match(failures!, /"status":"failure"/)
  assert.match(dead!, /"code":"550"/)

  await client.identifyUser({ email: 'Amara@example.com', id: 'amara' })
  await client.send({
    to: { id: 'amara' },
    type: 'new_comment',
    email: { html: '<p>Stored</p>', subject: 'stored' }
  })
  await until(
    async () => (await client.queryLogs({ addressFilter: ['amara@example.com'] })).logs.length === 1,
    'the email to the stored address is sent'
  )
  const [found, hers, sent] = await said('### A user did not get a notification')
  assert.match(found!, /"id":"amara","email":"Amara@example.com"/)
  assert.match(hers!, /"userId":"amara"|"user_id":"amara"/)
  assert.ok(!hers!.includes('jonas'))
  assert.match(sent!, /"to":"Amara@example.com"/)
  assert.match(sent!, /"content":\{"subject":"stored","text":"Stored"\}/)
  assert.match(hers!, /"explanation":"EMAIL: [^"]*550/)

  const [grouped, listed, redriven, dropped] = await said('### Redrive dead letters')
  assert.match(grouped!, /"channel":"EMAIL","code":"550","count":2,/)
  assert.match(listed!, /"userId":"jonas"/)
  assert.match(redriven!, /"count":2,/)
  assert.match(dropped!, /"count":\d/)

  // That of the first environment stands in the configuration here, and cannot be changed by a request.
  const made = await fetch(`${server.process.base}/environments`, {
    body: '{}',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    method: 'POST'
  })
  env.CLIENT_ID = ((await made.json()) as { clientId: string }).clientId
  const [lost] = await said('### Replace a secret')
  assert.match(lost!, /"clientSecret":"[^"]{20,}"/)

  const { sql } = server.db.of(0)
  const [sizes, tick] = blocks('### The disk is full', 'sql')
  const [tables] = await sql.unsafe<[{ relname: string }[]]>(sizes!).simple()
  assert.ok(tables.some(({ relname }) => /^(sends|attempts)_\d{8}$/.test(relname)))
  assert.equal((await sql.unsafe(tick!)).count, 1)
})

test('names valid settings', () => {
  const [lines] = blocks('## Go to production', 'dotenv')
  const given = [...lines!.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const)
  assert.ok(given.length > 4)
  const read = readConfig(Object.fromEntries(given))
  assert.deepEqual('problems' in read ? read.problems : [], [])
})

test('links to existing headings', () => {
  const titles = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase())
  const anchors = new Set(titles.map(title => title.replaceAll(/[^\w -]/g, '').replaceAll(' ', '-')))
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!)
  assert.ok(links.length > 4)
  assert.deepEqual(
    links.filter(anchor => !anchors.has(anchor)),
    []
  )
})

const absent = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not here'

test('has a systemd unit that is valid and hardened', { skip: absent }, () => {
  const [unit] = blocks('## Run with systemd', 'ini')
  const root = temporaryDir()
  const bin = join(root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(bin, 'node'))
  const file = join(root, 'notif-kit.service')
  writeFileSync(file, unit!.replaceAll('/opt/notif-kit', root))
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  // Units of the machine may be named, too.
  assert.deepEqual(
    verified.stderr.split('\n').filter(line => line.includes('notif-kit.service')),
    []
  )
  // Its figure in tenths, of 100 that are worst.
  const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
    encoding: 'utf8'
  })
  assert.equal(rated.status, 0, rated.stdout.slice(-200))
})
