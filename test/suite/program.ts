// Runs programs of node_modules: shows and keeps what they write.

import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { WHOLE, type Results } from './results.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const BIN = join(ROOT, 'node_modules/.bin')

const MINUTE_MS = 60_000
const CHECK_TIMEOUT_MS = 5 * MINUTE_MS

/** Characters of the output of a program that stand at the end of the run when it failed. */
const LAST_CHARACTERS = 500

interface ProgramResult {
  readonly ok: boolean
  /** Its standard output, or if that is empty, its standard error. */
  readonly output: string
}

export const printHeading = (line: string): void => void process.stdout.write(`\n== ${line}\n`)

export const endOf = (output: string): string => output.slice(-LAST_CHARACTERS)

/** @param timeoutMs - after which the program is killed with all that it started */
export function runProgram(name: string, args: readonly string[], timeoutMs: number): Promise<ProgramResult> {
  return new Promise(resolve => {
    const child = spawn(join(BIN, name), args, {
      cwd: ROOT,
      // A group of its own, so that its children end with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    // Apart: a word of one would cut a long line of the other.
    const output = { stderr: '', stdout: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        process.stdout.write(text)
        output[stream] += text
      })
    }
    const timeout = setTimeout(() => {
      printHeading(`${name} did not end within ${timeoutMs / MINUTE_MS} minutes`)
      process.kill(-child.pid!, 'SIGKILL')
    }, timeoutMs)
    const end = (ok: boolean) => {
      clearTimeout(timeout)
      resolve({ ok, output: output.stdout || output.stderr })
    }
    child.on('error', error => {
      printHeading(`${name} cannot be started: ${error.message}`)
      end(false)
    })
    child.on('close', code => end(code === 0))
  })
}

/** A program that is right or wrong as a whole counts as one test. */
export async function check(command: string, args: readonly string[]): Promise<Results> {
  const { ok, output } = await runProgram(command, args, CHECK_TIMEOUT_MS)
  if (ok) return { failures: [], passed: 1 }
  return { failures: [{ test: WHOLE, where: command, why: endOf(output) }], passed: 0 }
}
