// Watches a folder and some of its folders, also those that come later. Where none can be watched, somebody has to look.

import { existsSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

export interface Watch {
  /** Watches what is there by now: before it is read, so that no change falls between the two. */
  renew(): void
  close(): void
}

export interface WatchOptions {
  readonly dir: string
  /** Folders in it. */
  readonly within: readonly string[]
  readonly changed: () => void
  readonly failed: (error: unknown) => void
}

export function watchFolder({ changed, dir, failed, within }: WatchOptions): Watch {
  /** Undefined: it cannot be watched, which is told once. */
  const watchers = new Map<string, FSWatcher | undefined>()

  const open = (path: string): void => {
    try {
      // The folder, not its files: a file that an editor replaces is another one.
      const watcher = watch(path, { persistent: false }, () => {
        // One that is gone says nothing about the next one of its name.
        if (path !== dir && !existsSync(path)) drop(path)
        changed()
      })
      watchers.set(path, watcher.on('error', failed))
    } catch (error) {
      watchers.set(path, undefined)
      failed(error)
    }
  }
  const drop = (path: string): void => {
    watchers.get(path)?.close()
    watchers.delete(path)
  }

  return {
    close() {
      for (const path of watchers.keys()) drop(path)
    },
    renew() {
      if (!watchers.has(dir)) open(dir)
      for (const path of within.map(name => join(dir, name))) {
        if (!watchers.has(path) && existsSync(path)) open(path)
      }
    }
  }
}
