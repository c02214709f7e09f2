// Places of exports: each holds a database connection for as long as its reader takes, so there are few. An environment has one
// at once, and whose reader takes next to nothing makes room when another asks. Who reads steadily ends in peace, however slow
// the line is: whoever is cut comes again and would cut the next one, so that in the end nobody had a whole export.

/**
 * Bytes: who takes them within the patience reads on. The system hears of what was taken a third of its buffer at a time, up to
 * a megabyte: so fewer would spare nobody.
 */
const ENOUGH = 300_000

export interface ExportSlot {
  /** Counts the time that its reader takes for so many bytes. */
  waiting(writing: Promise<void>, bytes: number): Promise<void>
  leave(): void
}

export interface ExportSlots {
  /** @param end - makes the export end early; it still leaves. @returns undefined where there is none to be had now */
  take(envId: string, end: () => void): ExportSlot | undefined
}

interface Held extends ExportSlot {
  readonly end: () => void
  /** Milliseconds, since its reader last had taken enough. */
  waited(): number
}

/**
 * @param most - places
 * @param patience - milliseconds that a reader may take for what is enough, and is left in peace
 */
export function openExportSlots(
  most: number,
  patience: number,
  elapsed = () => performance.now()
): ExportSlots {
  const taken = new Map<string, Held>()

  const hold = (envId: string, end: () => void): Held => {
    let before = 0
    let taking = 0
    let since: number | undefined
    const waited = (): number => before + (since === undefined ? 0 : elapsed() - since)
    const held: Held = {
      end,
      leave() {
        // Somebody else's, maybe.
        if (taken.get(envId) === held) taken.delete(envId)
      },
      waited,
      async waiting(writing, bytes) {
        since = elapsed()
        await writing
        before = waited()
        since = undefined
        taking += bytes
        if (taking >= ENOUGH) before = taking = 0
      }
    }
    return held
  }

  /** @returns whether there is room now */
  const makeRoom = (): boolean => {
    if (taken.size < most) return true
    const [slowest] = [...taken.values()].toSorted((a, b) => b.waited() - a.waited())
    if (!slowest || slowest.waited() < patience) return false
    slowest.leave()
    slowest.end()
    return true
  }

  return {
    take(envId, end) {
      if (taken.has(envId) || !makeRoom()) return undefined
      const held = hold(envId, end)
      taken.set(envId, held)
      return held
    }
  }
}
