// The last action that can be undone, and what takes it back.

import type { WritableAtom } from 'nanostores'

import { publish } from '../publish.ts'
import type { Outcome, Undoable } from '../types.ts'

type Description = Omit<Undoable, 'key'>

interface Undo {
  /**
   * Makes an action the one that can be undone, until it is refused.
   *
   * @param takeBack - performs the inverse action
   */
  offer(action: Description, done: Promise<Outcome>, takeBack: () => Promise<Outcome>): Promise<Outcome>
  /** An action that cannot be undone replaces the one that could. */
  clear(): void
  undo(): Promise<Outcome>
}

export function createUndo($undoable: WritableAtom<Undoable | undefined>): Undo {
  let count = 0
  let inverse: (() => Promise<Outcome>) | undefined

  function set(undoable?: Undoable, takeBack?: typeof inverse): void {
    inverse = takeBack
    publish(() => $undoable.set(undoable && Object.freeze(undoable)))
  }

  return {
    clear: () => set(),
    offer(action, done, takeBack) {
      const undoable = { ...action, key: String(++count) }
      set(undoable, takeBack)
      done.catch(() => {
        if ($undoable.get() === undoable) set()
      })
      return done
    },
    async undo() {
      const takeBack = inverse
      set()
      return takeBack?.()
    }
  }
}
