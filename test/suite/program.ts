// Runs a program of node_modules, shows what it says, and keeps it.

import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { BIN, ROOT } from './places.ts'
import { say } from './say.ts'
import { failure, type Tally } from './tally.ts'

const MINUTE = 60_000

/** Characters of what a program said that stand at the end of the run when it failed. */
const LAST_WORDS = 500

interface Ran {
  readonly ok: boolean
  readonly output: string
}

/** @param patience milliseconds, after which it is killed with all that it started */
export function program(name: string, args: readonly string[], patience: number): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(join(BIN, name), args, {
      cwd: ROOT,
      // A group of its own, so that what it starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        process.stdout.write(chunk)
        output += chunk.toString()
      })
    }
    const late = setTimeout(() => {
      say(`${name} did not end within ${patience / MINUTE} minutes`)
      process.kill(-child.pid!, 'SIGKILL')
    }, patience)
    const end = (ok: boolean) => {
      clearTimeout(late)
      resolve({ ok, output })
    }
    child.on('error', error => {
      say(`${name} cannot be started: ${error.message}`)
      end(false)
    })
    child.on('close', code => end(code === 0))
  })
}

/** A program that is right or wrong as a whole counts as one test. */
export async function check(command: string, args: readonly string[]): Promise<Tally> {
  const { ok, output } = await program(command, args, 5 * MINUTE)
  if (ok) return { failed: 0, failures: [], passed: 1 }
  return { failed: 1, failures: [failure(command, output.slice(-LAST_WORDS))], passed: 0 }
}
