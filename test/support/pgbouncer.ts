// Starts a real pgbouncer in transaction mode before a database, with fewer connections to it than a server opens.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { freePort, isListening } from './port.ts'
import { temporaryDir, until } from './process.ts'

/** @returns why a test must skip, or undefined */
export const whyNoPgbouncer = (): string | undefined =>
  spawnSync('pgbouncer', ['--version']).status === 0 ? undefined : 'it is not installed'

/** @param url - of a database on TCP; the pooler logs in with the user and password of this address */
export async function startPgbouncer(url: string) {
  const { hostname, password, pathname, port, username } = new URL(url)
  const own = await freePort()
  const folder = temporaryDir()
  const login = [`user=${username}`, ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`])]
  const config = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${port} ${login.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3'
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { gid: 65534, uid: 65534 } : {}
  const child = spawn('pgbouncer', ['-q', config], { stdio: 'ignore', ...nobody })
  const ended = once(child, 'close')
  await until(() => isListening(own), 'pgbouncer listens')
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String(own)
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
    url: address.href
  }
}
