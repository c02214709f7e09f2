// Export slots: how many exports may run at once, and which export is aborted if another environment needs its slot.
//
// An export holds a database connection as long as its reader takes, so there are few slots, and each environment may use one. An
// export is aborted only if its reader has nearly stopped. A slow but steady reader is left alone: it would start again and need
// another slot, and in the end no export would ever be complete.

/**
 * A reader that takes this many bytes within the patience is steady. The operating system reports progress in steps of a third of
 * the socket buffer, up to a megabyte, so a smaller number would not spare slower readers.
 */
const STEADY_BYTES = 300_000

/** How long a reader may take for {@link STEADY_BYTES} before another environment gets its slot. */
export const READER_TIMEOUT_MS = 30_000

export interface ExportSlot {
  /** Measures how long the reader takes for these bytes. */
  trackWrite(writing: Promise<void>, bytes: number): Promise<void>
  release(): void
}

export interface ExportSlots {
  /**
   * @param abort - ends the export early; the export still releases its slot
   * @returns undefined if no slot is free, or the environment has an export running
   */
  acquire(envId: string, abort: () => void): ExportSlot | undefined
}

interface UsedSlot extends ExportSlot {
  readonly abort: () => void
  /** How long the reader took since it last took enough bytes. */
  waitedMs(): number
}

/** @param patienceMs - an export may be aborted if its reader needs longer for {@link STEADY_BYTES} */
export function openExportSlots(
  slotCount: number,
  patienceMs: number,
  elapsed = () => performance.now()
): ExportSlots {
  const used = new Map<string, UsedSlot>()

  const createSlot = (envId: string, abort: () => void): UsedSlot => {
    let earlierMs = 0
    let takenBytes = 0
    let writingSince: number | undefined
    const waitedMs = (): number => earlierMs + (writingSince === undefined ? 0 : elapsed() - writingSince)
    const slot: UsedSlot = {
      abort,
      release() {
        // After an abort, the slot of this environment may be another one.
        if (used.get(envId) === slot) used.delete(envId)
      },
      async trackWrite(writing, bytes) {
        writingSince = elapsed()
        await writing
        earlierMs = waitedMs()
        writingSince = undefined
        takenBytes += bytes
        if (takenBytes >= STEADY_BYTES) earlierMs = takenBytes = 0
      },
      waitedMs
    }
    return slot
  }

  const freeSlot = (): boolean => {
    if (used.size < slotCount) return true
    const [slowest] = [...used.values()].toSorted((a, b) => b.waitedMs() - a.waitedMs())
    if (!slowest || slowest.waitedMs() < patienceMs) return false
    slowest.release()
    slowest.abort()
    return true
  }

  return {
    acquire(envId, abort) {
      if (used.has(envId) || !freeSlot()) return undefined
      const slot = createSlot(envId, abort)
      used.set(envId, slot)
      return slot
    }
  }
}
