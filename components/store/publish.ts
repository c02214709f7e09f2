// Writes the atoms of a store. If a listener of the page throws, the write and the work around it continue.

import { atom, batch, type ReadableAtom } from 'nanostores'

import type { Notif } from '../protocol/index.ts'

/** Sets atoms as one change. Errors of listeners are reported as those of DOM event listeners are. */
export function publish(write: () => void): void {
  try {
    batch(write)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** Keeps the work behind an atom running until the returned function is called. */
export const hold = ($work: ReadableAtom<unknown>): (() => void) => $work.listen(() => {})

interface StoreEvents {
  /** Reports new notifications, in a microtask: the store holds them by then. */
  reportNew(notifications: readonly Notif[]): void
  /** Reports an action that the server refused and that no caller waits for. */
  reportRefusal(error: unknown): void
  onNewNotifications(listener: (notifications: readonly Notif[]) => void): () => void
  onRefused(listener: (error: unknown) => void): () => void
  /** Reports nothing from now on. */
  end(): void
}

/** Creates the events of a store: what it reports besides its values. */
export function createStoreEvents(): StoreEvents {
  const $new = atom<readonly Notif[]>([])
  const $refusal = atom<{ readonly error: unknown } | undefined>()
  let isEnded = false
  const report = (write: () => void): void =>
    queueMicrotask(() => {
      if (!isEnded) publish(write)
    })
  return {
    end() {
      isEnded = true
    },
    onNewNotifications: listener => $new.listen(notifications => listener(notifications)),
    onRefused: listener => $refusal.listen(refusal => listener(refusal!.error)),
    reportNew: notifications => report(() => $new.set(notifications)),
    reportRefusal: error => report(() => $refusal.set({ error }))
  }
}
