// The text of a file in a watched folder. One that is there and cannot be read is told once, and again when it was readable since.

import { readFile } from 'node:fs/promises'

import type { Log } from '../core/log.ts'

/** Undefined: it is gone, which has an event of its own, or cannot be read. */
export type ReadText = (path: string) => Promise<string | undefined>

export function openTexts(log: Log): ReadText {
  const told = new Set<string>()
  return async path => {
    try {
      const text = await readFile(path, 'utf8')
      told.delete(path)
      return text
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && !told.has(path)) {
        log.error({ file: path, problem: message }, 'a file cannot be read, and is as if it were not there')
        told.add(path)
      }
      return undefined
    }
  }
}
