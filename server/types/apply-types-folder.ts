// NOTIF_TYPES_DIR: applies notification types from files, at the start and whenever a file changes.
//
// Types in files are managed by them: REST refuses to change them. A faulty file is logged with its line, and its types stay as they
// were. A deleted file deletes nothing, but REST may change or delete its types then. parse-types-file.ts describes the format. Layouts and partials have
// folders of their own (partials/partial-file.ts), and are applied first, because types use them.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../core/log.ts'
import { createTextReader } from './file-text.ts'
import { isTypeFile, parseTypeFile } from './parse-types-file.ts'
import { openPartialFolder, type PartialFolderOptions } from './partials/partial-folder.ts'
import { PARTIAL_KINDS } from './partials/partials.sql.ts'
import type { Renderer } from './templates/render.ts'
import { FILES, type TypeStore } from './type.ts'
import { watchFolder } from './watch-folder.ts'

export interface TypeFolder {
  /** Stops watching and waits until the current files are applied. */
  close(): Promise<void>
}

export interface TypeFolderOptions extends Pick<PartialFolderOptions, 'db'> {
  readonly dir: string
  readonly envId: string
  readonly types: Pick<TypeStore, 'checkerFor' | 'forget' | 'put' | 'setManaged'>
  readonly renderer: Pick<Renderer, 'check'>
  readonly log: Log
}

/** A change is complete after this time without another event, because editors write in several steps. */
const SETTLE_DELAY_MS = 100
/** For folders without events, such as network drives and mounts of containers. */
const POLL_INTERVAL_MS = 30_000

/** @throws Error if the folder cannot be read or its types cannot be stored */
export async function openTypeFolder({
  db,
  dir,
  envId,
  types,
  renderer,
  log
}: TypeFolderOptions): Promise<TypeFolder> {
  const seen = new Map<string, string>()
  const fileOfType = new Map<string, string>()
  /** Files with a type that another file contains. */
  const duplicates = new Set<string>()
  /** Files with faults, which may be valid when a layout or partial changes. */
  const faulty = new Set<string>()
  const readText = createTextReader(log)
  let isEveryFileRead = true
  const partials = openPartialFolder({ db, dir, envId, log, readText, renderer, types })
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const applyFile = async (file: string, text: string): Promise<void> => {
    const { faults, types: fileTypes } = parseTypeFile(file, text, await types.checkerFor(envId, renderer))
    const duplicateFaults = fileTypes.flatMap(({ id }) => {
      const other = fileOfType.get(id)
      return other === undefined ? [] : [{ detail: `The type ${id} is also in ${other}.`, line: 1 }]
    })
    for (const { detail, line } of [...faults, ...duplicateFaults]) {
      log.error(
        { event: 'type_file_invalid', detail, file: join(dir, file), line },
        'types of a file not applied: the file has a fault; the stored types stay in use'
      )
    }
    if (duplicateFaults.length > 0) duplicates.add(file)
    if (faults.length > 0) faulty.add(file)
    if (faults.length + duplicateFaults.length > 0) return
    if (fileTypes.length > 0) await types.put(envId, fileTypes, { by: FILES })
    for (const { id } of fileTypes) fileOfType.set(id, file)
    log.info(
      { event: 'type_file_applied', file: join(dir, file), types: fileTypes.map(({ id }) => id) },
      'types applied from their file'
    )
  }

  /** Types that are in no file any more can be changed by REST. A file with a fault may contain any of them. */
  const markTypes = (): Promise<void> =>
    types.setManaged(
      envId,
      [...fileOfType.keys()],
      isEveryFileRead && faulty.size === 0 && duplicates.size === 0
    )

  const apply = async (): Promise<void> => {
    await applyChanges()
    await markTypes()
  }

  const applyChanges = async (): Promise<void> => {
    watcher.renew()
    const havePartialsChanged = await partials.apply()
    const files = (await readdir(dir)).filter(isTypeFile).sort()
    const texts = new Map<string, string>()
    for (const file of files) {
      const text = await readText(join(dir, file))
      if (text !== undefined) texts.set(file, text)
    }
    isEveryFileRead = texts.size === files.length
    const changed = new Set(
      [...new Set([...seen.keys(), ...texts.keys()])].filter(file => seen.get(file) !== texts.get(file))
    )
    if (havePartialsChanged) for (const file of faulty) changed.add(file)
    if (changed.size === 0) return
    // Duplicates are applied again, because their type may have moved to another file.
    for (const file of duplicates) changed.add(file)
    duplicates.clear()
    for (const [id, file] of fileOfType) if (changed.has(file)) fileOfType.delete(id)
    for (const file of changed) {
      faulty.delete(file)
      seen.delete(file)
    }
    for (const [file, text] of texts) {
      if (!changed.has(file)) continue
      await applyFile(file, text)
      seen.set(file, text)
    }
  }

  const schedule = (delayMs: number): void => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running
        .then(apply)
        .catch((error: unknown) =>
          log.error(
            { event: 'types_not_applied', dir, err: error },
            'could not apply types from files; trying again at the next change or in 30 seconds'
          )
        )
        .finally(() => {
          // A change during the run has set its own timer.
          if (!timer) schedule(POLL_INTERVAL_MS)
        })
      timer = undefined
    }, delayMs)
    timer.unref()
  }

  const watcher = watchFolder({
    dir,
    onChange: () => schedule(SETTLE_DELAY_MS),
    onError: error =>
      log.warn(
        { event: 'folder_not_watched', dir, err: error, pollIntervalMs: POLL_INTERVAL_MS },
        'the folder of types cannot be watched; it is read regularly instead'
      ),
    subfolders: PARTIAL_KINDS
  })
  let running = apply()
  try {
    await running
  } catch (error) {
    isClosed = true
    clearTimeout(timer)
    watcher.close()
    throw error
  }
  schedule(POLL_INTERVAL_MS)
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      watcher.close()
      await running
    }
  }
}
