// Starts a real Redis on a port of its own, without files: alone, with a password, or as a node of a cluster.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { createClient } from 'redis'

import { freePort, isListening } from './port.ts'
import { temporaryDir, until } from './process.ts'

/** @returns why a test must skip, or undefined */
export const whyNoRedis = (): string | undefined =>
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed'

export interface Redis extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Ends the process at once. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Stops the process, which stays: connections are accepted by the system and get no answer. */
  freeze(): void
  /** Runs one command, which is no publish or subscribe. */
  command(...words: readonly string[]): Promise<unknown>
}

/** @param args - settings of redis-server, such as `--requirepass x` */
export async function startRedis(args: readonly string[] = [], password = ''): Promise<Redis> {
  const port = await freePort()
  const dir = temporaryDir()
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (!child) return
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    child = undefined
    await ended
  }
  const start = async (): Promise<void> => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...args]
    child = spawn('redis-server', settings, { stdio: 'ignore' })
    await until(() => isListening(port), 'redis listens')
  }
  await start()
  const url = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`
  return {
    [Symbol.asyncDispose]: kill,
    async command(...words) {
      const client = await createClient({ socket: { reconnectStrategy: false }, url }).connect()
      try {
        return await client.sendCommand([...words])
      } finally {
        client.destroy()
      }
    },
    freeze: () => void child!.kill('SIGSTOP'),
    kill,
    port,
    start,
    url
  }
}
