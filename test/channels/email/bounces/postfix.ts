// Starts a real postfix with its own directories: it accepts emails on loopback, relays them to a next hop, and posts bounces of one
// domain, with the configuration of docs/channels.md.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Postfix extends AsyncDisposable {
  readonly url: string
  /** Its log so far. */
  log(): string
}

const MASTER = '/usr/lib/postfix/sbin/master'

/** Why postfix cannot run here, or undefined. */
export const whyNoPostfix = (): string | undefined =>
  !existsSync(MASTER)
    ? 'postfix is not installed (apt-get install postfix)'
    : process.getuid?.() !== 0
      ? 'only root can start it'
      : undefined

/** Beginnings of the lines of the page, and their values here. */
function linesOfPage(values: Readonly<Record<string, string>>): {
  readonly main: string
  readonly master: string
} {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/channels.md'), 'utf8')
  const [, block = ''] = /```postfix\n([^`]*)```/.exec(page) ?? []
  const text = Object.entries(values).reduce((all, [from, to]) => all.replaceAll(from, to), block)
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return {
    main: lines.filter(line => line.includes(' = ')).join('\n'),
    master: lines.filter(line => !line.includes(' = ')).join('\n')
  }
}

export interface PostfixOptions {
  /** Domain for bounces. */
  readonly domain: string
  /** Port of the next hop. */
  readonly hop: { readonly port: string }
  /** Port on which it listens. */
  readonly port: number
  /** Address for bounces. */
  readonly report: string
}

const owner = (name: string, database: string): number =>
  Number(execFileSync('getent', [database, name], { encoding: 'utf8' }).split(':')[2])

export async function startPostfix({ domain, hop, port, report }: PostfixOptions): Promise<Postfix> {
  const dir = mkdtempSync(join(tmpdir(), 'notif-postfix-'))
  const [config, queue, data] = ['etc', 'queue', 'data'].map(name => join(dir, name))
  const lines = linesOfPage({
    'bounces.example.com': domain,
    'https://notify.example.com/callbacks/bounce': report
  })
  chmodSync(dir, 0o755)
  for (const path of [config!, queue!, data!]) mkdirSync(path, { mode: 0o755 })
  chownSync(data!, owner('postfix', 'passwd'), 0)
  writeFileSync(
    join(config!, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${dir}/log
maillog_file_prefixes = ${dir}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.notif.test
mydestination =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
default_transport = smtp:[127.0.0.1]:${hop.port}
alias_maps =
local_recipient_maps =
smtp_host_lookup = native
disable_dns_lookups = yes
notify_classes =
${lines.main}
`
  )
  writeFileSync(
    join(config!, 'master.cf'),
    `127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
${lines.master}
`
  )
  execFileSync('postfix', ['-c', config!, 'check'], { stdio: ['ignore', 'ignore', 'pipe'] })
  // `-d` keeps it a child of this process, so that it ends with this process.
  const master = spawn(MASTER, ['-c', config!, '-d'], { stdio: 'ignore' })
  const log = (): string => (existsSync(join(dir, 'log')) ? readFileSync(join(dir, 'log'), 'utf8') : '')
  const stop = async (): Promise<void> => {
    if (master.exitCode === null && master.kill('SIGTERM')) await once(master, 'exit')
    rmSync(dir, { force: true, maxRetries: 5, recursive: true, retryDelay: 100 })
  }
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 200 || master.exitCode !== null) {
      const logText = log()
      await stop()
      throw new Error(`postfix does not answer: ${logText}`)
    }
    await pause(50)
  }
  return { [Symbol.asyncDispose]: stop, log, url: `smtp://127.0.0.1:${port}` }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(1000) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
