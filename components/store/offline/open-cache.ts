// What the browser keeps of a user, opened by the first who needs it. Where that fails nothing is kept.

import type { OfflineCache, OnRemoteChange, Transport } from '../transport.ts'

interface Keeping {
  /** Undefined: nothing is kept. */
  open(): Promise<OfflineCache | undefined>
  /** @param forget - also removes it, and opens it for that */
  close(forget?: boolean): void
}

/**
 * @param forgotten - called when another page forgets the user
 * @param overtaken - called with what is done in another page, and when
 */
export function createCacheOpener(
  { kept }: Pick<Transport, 'kept'>,
  forgotten: () => void,
  overtaken: OnRemoteChange
): Keeping {
  let opening: Promise<OfflineCache | undefined> | undefined

  async function tryToOpen(): Promise<OfflineCache | undefined> {
    try {
      return await kept?.(forgotten, overtaken)
    } catch {
      return undefined
    }
  }
  const open = (): Promise<OfflineCache | undefined> => (opening ??= tryToOpen())

  return {
    close(forget = false) {
      if (opening || forget) void open().then(own => (forget ? own?.forget() : own?.close()))
    },
    open
  }
}
