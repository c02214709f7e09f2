// A readable store of one value, for lists that need none of nanostores' laziness: its weight stays with the connection.

import type { ReadableAtom } from 'nanostores'

type Listener<T> = (value: T, before: T) => void

/** Looks like an atom to whoever reads it. `read` is asked anew after every `notify()`. */
export function cell<T>(read: () => T): ReadableAtom<T> {
  const listeners = new Set<Listener<T>>()
  const made = {
    get: () => made.value,
    get lc() {
      return listeners.size
    },
    listen(listener: Listener<T>) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      const before = made.value
      made.value = read()
      for (const listener of listeners) listener(made.value, before)
    },
    off: () => listeners.clear(),
    subscribe(listener: Listener<T>) {
      listener(made.value, made.value)
      return made.listen(listener)
    },
    value: read()
  }
  return made as unknown as ReadableAtom<T>
}
