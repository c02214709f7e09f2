// A readable store of one value, as nanostores makes them, without what only derived stores need: everybody may derive
// from it, and nobody has to load a library of stores for a badge.

import type { ReadableAtom } from 'nanostores'

/** `before`: undefined where a subscriber is told what there is already. */
type Listener<T> = (value: T, before?: T) => void

export interface Cell<T> extends ReadableAtom<T> {
  /** Reads again, and tells the listeners when there is something else than before. */
  notify(): void
}

/** How long nobody may listen before what `mount` began is ended, in milliseconds: an element that is moved listens anew. */
const REST = 1000

/** Derived stores of nanostores read their sources again only when this has moved; it is shared by all copies of it. */
const shared = globalThis as { nanostoresGlobal?: { epoch: number } }

/**
 * Looks like an atom to whoever reads it, also to nanostores. Its values are frozen: some adapters of frameworks write into
 * what they are given, and then no refused action could be taken back.
 *
 * @param read - gives the value of this moment
 * @param mount - begins the work behind it when the first listener comes, and gives what ends it
 */
export function cell<T>(read: () => T, mount?: (notify: () => void) => () => void): Cell<T> {
  const listeners = new Set<{ readonly hear: Listener<T> }>()
  let end: (() => void) | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  const look = (): T => Object.freeze(read()) as T
  let told = look()

  function rest(): void {
    if (listeners.size > 0) return
    end?.()
    end = undefined
  }

  const made = {
    eq: Object.is,
    get() {
      if (listeners.size === 0) made.listen(() => {})()
      return look()
    },
    get lc() {
      return listeners.size
    },
    listen(hear: Listener<T>) {
      end ??= mount?.(made.notify)
      if (listeners.size === 0) told = look()
      // A function may listen twice.
      const one = { hear }
      listeners.add(one)
      return () => {
        if (listeners.delete(one) && listeners.size === 0) made.off()
      }
    },
    notify() {
      const before = told
      // To read may begin the work of others, so that without any of its own there is only word that something happened.
      const known = listeners.size > 0 || end !== undefined || !mount
      if (known) told = look()
      if (known && told === before) return
      ;(shared.nanostoresGlobal ??= { epoch: 0 }).epoch++
      // Who listens anew while it is told has its news already.
      for (const one of Array.from(listeners)) {
        try {
          if (listeners.has(one)) one.hear(told, before)
        } catch (error) {
          // As a DOM event would: a listener's error is nobody else's.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    off() {
      clearTimeout(ending)
      if (end) ending = setTimeout(rest, REST)
    },
    subscribe(hear: Listener<T>) {
      const leave = made.listen(hear)
      hear(told)
      return leave
    },
    get value() {
      return told
    }
  }
  return made as unknown as Cell<T>
}
