// Reads the texts of files in a watched folder. A file that cannot be read is logged once, and again after it was readable.

import { readFile } from 'node:fs/promises'

import type { Log } from '../core/log.ts'

/** @returns undefined if the file cannot be read, or was deleted, which causes an event of its own */
export type ReadText = (path: string) => Promise<string | undefined>

export function createTextReader(log: Log): ReadText {
  const logged = new Set<string>()
  return async path => {
    try {
      const text = await readFile(path, 'utf8')
      logged.delete(path)
      return text
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && !logged.has(path)) {
        log.error(
          { event: 'file_unreadable', err: error, file: path },
          'file of types cannot be read and is ignored; check its permissions'
        )
        logged.add(path)
      }
      return undefined
    }
  }
}
