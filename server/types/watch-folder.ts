// Watches a folder and some of its subfolders, also subfolders that are created later. If the system cannot watch a folder, the
// caller has to read it regularly.

import { existsSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

export interface FolderWatch {
  /** Watches the folders that exist now. Call it before reading them, so that no change is missed. */
  renew(): void
  close(): void
}

export interface WatchOptions {
  readonly dir: string
  readonly subfolders: readonly string[]
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export function watchFolder({ dir, onChange, onError, subfolders }: WatchOptions): FolderWatch {
  /** Undefined for a folder that cannot be watched, whose error was reported. */
  const watchers = new Map<string, FSWatcher | undefined>()

  const close = (path: string): void => {
    watchers.get(path)?.close()
    watchers.delete(path)
  }
  const open = (path: string): void => {
    try {
      // Watches the folder instead of its files, because editors replace files.
      const watcher = watch(path, { persistent: false }, () => {
        // The watcher of a deleted folder gets no events of a new folder with its name.
        if (path !== dir && !existsSync(path)) close(path)
        onChange()
      })
      watchers.set(path, watcher.on('error', onError))
    } catch (error) {
      watchers.set(path, undefined)
      onError(error)
    }
  }

  return {
    close() {
      for (const path of watchers.keys()) close(path)
    },
    renew() {
      if (!watchers.has(dir)) open(dir)
      for (const path of subfolders.map(name => join(dir, name))) {
        if (!watchers.has(path) && existsSync(path)) open(path)
      }
    }
  }
}
