// Opens the offline cache on first use. If that fails, nothing is stored.

import type { OfflineCache, Transport } from '../transport.ts'

interface CacheOpener {
  /** Resolves with undefined if nothing is stored. */
  open(): Promise<OfflineCache | undefined>
  /** @param shouldForget - also deletes the data of the user, and opens the cache for that */
  close(shouldForget?: boolean): void
}

/** @param onForgotten - called when another page deleted the data of the user */
export function createCacheOpener(
  { openCache }: Pick<Transport, 'openCache'>,
  onForgotten: () => void
): CacheOpener {
  let opening: Promise<OfflineCache | undefined> | undefined

  async function tryToOpen(): Promise<OfflineCache | undefined> {
    try {
      return await openCache?.(onForgotten)
    } catch {
      return undefined
    }
  }
  const open = (): Promise<OfflineCache | undefined> => (opening ??= tryToOpen())

  return {
    close(shouldForget = false) {
      if (opening || shouldForget)
        void open().then(cache => (shouldForget ? cache?.forget() : cache?.close()))
    },
    open
  }
}
