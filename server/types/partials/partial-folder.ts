// Applies the folders `layouts` and `partials` of NOTIF_TYPES_DIR: files override what REST has changed, a faulty file is logged with
// its line, and a deleted file deletes nothing.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { ReadText } from '../file-text.ts'
import type { Types } from '../type.ts'
import type { Checker } from './check-partials.ts'
import {
  findValidFiles,
  isPartialFile,
  toPartialFile,
  type PartialFault,
  type PartialFile
} from './partial-file.ts'
import { MAX_PARTIALS, PARTIAL_KINDS, putPartial, readPartials } from './partials.sql.ts'
import { tooManyPartials } from './schema.ts'

export interface PartialFolderOptions {
  readonly db: Db
  readonly dir: string
  readonly envId: string
  readonly log: Log
  readonly readText: ReadText
  readonly renderer: Checker
  readonly types: Pick<Types, 'forget'>
}

export interface PartialFolder {
  /** @returns whether a layout or partial changed, so that types that used a missing one may be valid now */
  apply(): Promise<boolean>
}

export function openPartialFolder(options: PartialFolderOptions): PartialFolder {
  const { db, dir, envId, log, readText, renderer, types } = options
  let applied: ReadonlyMap<string, string> = new Map()
  let loggedFaults: ReadonlySet<string> = new Set()

  /** Logs each fault once, and again after it was mended. */
  const logFaults = (faults: readonly PartialFault[]): void => {
    const keys = new Set<string>()
    for (const { detail, file, line } of faults) {
      const key = `${file}:${line} ${detail}`
      keys.add(key)
      if (loggedFaults.has(key)) continue
      log.error(
        { event: 'partial_file_invalid', detail, file: join(dir, file), line },
        'layout or partial not applied: its file has a fault; the stored one stays in use'
      )
    }
    loggedFaults = keys
  }

  return {
    async apply() {
      const files = await readFiles(dir, readText)
      const texts = new Map(files.map(({ file, text }) => [file, text]))
      if (texts.size === applied.size && files.every(({ file, text }) => applied.get(file) === text))
        return false
      const stored = await readPartials(db, envId)
      const { faults, valid } = findValidFiles(files, stored, renderer)
      const tooMany: PartialFault[] = []
      let hasChanged = false
      for (const { file, id, kind, text } of valid) {
        if (stored[kind].get(id) !== text) {
          if (await putPartial(db.control, envId, kind, { id, text })) hasChanged = true
          else tooMany.push({ detail: tooManyPartials(MAX_PARTIALS), file, line: 1 })
        }
        if (applied.get(file) !== text) {
          log.info(
            { event: 'partial_file_applied', file: join(dir, file) },
            'layout or partial applied from its file'
          )
        }
      }
      logFaults([...faults, ...tooMany])
      if (hasChanged) types.forget(envId)
      applied = texts
      return hasChanged
    }
  }
}

async function readFiles(dir: string, readText: ReadText): Promise<PartialFile[]> {
  const files: PartialFile[] = []
  for (const kind of PARTIAL_KINDS) {
    // Most installations have neither folder.
    const names = await readdir(join(dir, kind)).catch(() => [])
    for (const name of names.filter(isPartialFile).sort()) {
      const text = await readText(join(dir, kind, name))
      if (text !== undefined) files.push(toPartialFile(kind, name, text))
    }
  }
  return files
}
