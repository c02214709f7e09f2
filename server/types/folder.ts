// NOTIF_TYPES_DIR: types and templates as files, which belong into version control beside the code that sends them.
//
// Files are applied at boot and when they change; for the types that they name they win over what REST has changed.
// A wrong file is named with its line and the types that it held stay as they were. A file that goes away takes
// nothing with it: a type is deleted by REST. The format is described in file.ts. Layouts and partials stand in folders
// of their own (server/types/partials/partial-file.ts) and come first, because types use them.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../core/log.ts'
import { openTexts } from './file-text.ts'
import { isTypeFile, parseTypeFile } from './file.ts'
import { openPieceFolder, type PieceFolderOptions } from './partials/partial-folder.ts'
import { PIECE_KINDS } from './partials/partials.sql.ts'
import type { Renderer } from './templates/render.ts'
import type { TypeStore } from './type.ts'
import { watchFolder } from './watch-folder.ts'

export interface TypeFolder {
  /** Stops watching and waits for what is being applied. */
  close(): Promise<void>
}

export interface TypeFolderOptions extends Pick<PieceFolderOptions, 'db'> {
  readonly dir: string
  /** The environment that the types belong to. */
  readonly envId: string
  readonly types: Pick<TypeStore, 'checker' | 'forget' | 'put'>
  readonly renderer: Pick<Renderer, 'check'>
  readonly log: Log
}

/** Milliseconds without an event after which a change counts as complete: editors write in several steps. */
const QUIET = 100
/** Milliseconds between looks without any event, for folders that send none (network drives, mounts of containers). */
const LOOK = 30_000

/** @throws Error when the folder cannot be read or its types cannot be stored */
export async function openTypeFolder({
  db,
  dir,
  envId,
  types,
  renderer,
  log
}: TypeFolderOptions): Promise<TypeFolder> {
  /** What was applied or refused, by file. */
  const seen = new Map<string, string>()
  /** Which file a type comes from. */
  const owners = new Map<string, string>()
  /** Files that name a type of another file. */
  const rivals = new Set<string>()
  /** Files that are wrong as long as the pieces that they use are missing. */
  const refused = new Set<string>()
  const readText = openTexts(log)
  const pieces = openPieceFolder({ db, dir, envId, log, readText, renderer, types })
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const applyFile = async (file: string, text: string): Promise<void> => {
    const { faults, types: found } = parseTypeFile(file, text, await types.checker(envId, renderer))
    const doubled = found.flatMap(({ id }) => {
      const owner = owners.get(id)
      return owner === undefined ? [] : [{ detail: `The type ${id} stands in ${owner}, too.`, line: 1 }]
    })
    for (const { detail, line } of [...faults, ...doubled]) {
      log.error({ file: join(dir, file), line, problem: detail }, `${file}:${line} is wrong: ${detail}`)
    }
    if (doubled.length > 0) rivals.add(file)
    if (faults.length > 0) refused.add(file)
    if (faults.length + doubled.length > 0) return
    if (found.length > 0) await types.put(envId, found)
    for (const { id } of found) owners.set(id, file)
    log.info({ file: join(dir, file), types: found.map(({ id }) => id) }, `types of ${file} applied`)
  }

  const apply = async (): Promise<void> => {
    watcher.renew()
    const others = await pieces.apply()
    const files = (await readdir(dir)).filter(isTypeFile).sort()
    const texts = new Map<string, string>()
    for (const file of files) {
      const text = await readText(join(dir, file))
      if (text !== undefined) texts.set(file, text)
    }
    const changed = new Set(
      [...new Set([...seen.keys(), ...texts.keys()])].filter(f => seen.get(f) !== texts.get(f))
    )
    if (others) for (const file of refused) changed.add(file)
    if (changed.size === 0) return
    // A type may move from one file to another, and what it collided with may have gone.
    for (const file of rivals) changed.add(file)
    rivals.clear()
    for (const [id, owner] of owners) if (changed.has(owner)) owners.delete(id)
    for (const file of changed) {
      refused.delete(file)
      seen.delete(file)
    }
    for (const [file, text] of texts) {
      if (!changed.has(file)) continue
      await applyFile(file, text)
      seen.set(file, text)
    }
  }

  const later = (delay: number): void => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      underway = underway
        .then(apply)
        .catch((error: unknown) => log.error({ dir, err: error }, 'types cannot be applied from files'))
        .finally(() => {
          // A change meanwhile has set its own timer.
          if (!timer) later(LOOK)
        })
      timer = undefined
    }, delay)
    // Looking is no reason for a process to live on.
    timer.unref()
  }

  const watcher = watchFolder({
    changed: () => later(QUIET),
    dir,
    failed: error =>
      log.warn(
        { dir, err: error },
        `the folder of types cannot be watched, it is looked at every ${LOOK / 1000} s`
      ),
    within: PIECE_KINDS
  })
  let underway = apply()
  try {
    await underway
  } catch (error) {
    closed = true
    clearTimeout(timer)
    watcher.close()
    throw error
  }
  later(LOOK)
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      watcher.close()
      await underway
    }
  }
}
