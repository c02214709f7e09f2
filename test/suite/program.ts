// Runs a program of node_modules, shows what it says, and keeps it.

import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { BIN, ROOT } from './places.ts'
import { say } from './say.ts'
import { type Tally, WHOLE } from './tally.ts'

const MINUTE = 60_000

/** Characters of what a program said that stand at the end of the run when it failed. */
const LAST_WORDS = 500

interface Ran {
  readonly ok: boolean
  /** What it wrote to its standard output, or if it wrote nothing there, to the other one. */
  readonly output: string
}

export const lastWords = (output: string): string => output.slice(-LAST_WORDS)

/** @param patience milliseconds, after which it is killed with all that it started */
export function program(name: string, args: readonly string[], patience: number): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(join(BIN, name), args, {
      cwd: ROOT,
      // A group of its own, so that what it starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    // Apart: a word of one would cut a long line of the other.
    const said = { stderr: '', stdout: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        process.stdout.write(text)
        said[name] += text
      })
    }
    const late = setTimeout(() => {
      say(`${name} did not end within ${patience / MINUTE} minutes`)
      process.kill(-child.pid!, 'SIGKILL')
    }, patience)
    const end = (ok: boolean) => {
      clearTimeout(late)
      resolve({ ok, output: said.stdout || said.stderr })
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
  if (ok) return { failures: [], passed: 1 }
  return { failures: [{ test: WHOLE, where: command, why: lastWords(output) }], passed: 0 }
}
