// Processes of the bench: started, awaited, and ended by whoever started them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Runs a program to its end and gives its standard output. */
export async function output(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env
): Promise<string> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ''} ended with ${code}: ${errors}`)
  return text
}

export interface Peer extends AsyncDisposable {
  readonly pid: number
  readonly port: number
}

/** A server of test/bench/peers, which prints its port as its first line. */
export const peer = (name: string, ...args: readonly string[]): Promise<Peer> => peerWith([], name, ...args)

/** @param flags - of Node */
export async function peerWith(
  flags: readonly string[],
  name: string,
  ...args: readonly string[]
): Promise<Peer> {
  const program = join(import.meta.dirname, 'peers', `${name}.ts`)
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['pipe', 'pipe', flags.length > 0 ? 'ignore' : 'inherit']
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close')
      child.kill()
      await closed
      process.off('exit', kill)
    },
    pid: child.pid!,
    port: Number(line)
  }
}
