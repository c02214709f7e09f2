// What the browser keeps of a user, opened by the first who needs it. Where that fails nothing is kept.

import type { Kept, Overtaken, Transport } from '../transport.ts'

interface Keeping {
  /** Undefined: nothing is kept. */
  open(): Promise<Kept | undefined>
  /** @param forget - also removes it, and opens it for that */
  close(forget?: boolean): void
}

/**
 * @param forgotten - called when another page forgets the user
 * @param overtaken - called with what is done in another page, and when
 */
export function createKeeping(
  { kept }: Pick<Transport, 'kept'>,
  forgotten: () => void,
  overtaken: Overtaken
): Keeping {
  let opening: Promise<Kept | undefined> | undefined

  async function tryToOpen(): Promise<Kept | undefined> {
    try {
      return await kept?.(forgotten, overtaken)
    } catch {
      return undefined
    }
  }
  const open = (): Promise<Kept | undefined> => (opening ??= tryToOpen())

  return {
    close(forget = false) {
      if (opening || forget) void open().then(own => (forget ? own?.forget() : own?.close()))
    },
    open
  }
}
