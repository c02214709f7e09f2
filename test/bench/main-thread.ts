// What the main thread of a page worked between two marks of its script, in time of the processor: no other process, no
// display and no network is in it.

/** One line of the browser's record; times in microseconds. */
interface TraceEvent {
  readonly cat: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Of the processor. */
  readonly tdur?: number
}

export interface Trace {
  readonly traceEvents: readonly TraceEvent[]
}

/**
 * @param events - of the categories `toplevel` and `blink.user_timing`
 * @param from - name of a mark; the task that set it counts whole. Of several marks of a name the last one is meant
 * @param to - likewise; its task does not count
 * @returns milliseconds
 */
export function workBetween(events: readonly TraceEvent[], from: string, to: string): number {
  const mark = (wanted: string): TraceEvent => {
    const found = events.findLast(({ cat, name }) => name === wanted && cat.includes('user_timing'))
    if (!found) throw new Error(`The page has no mark "${wanted}".`)
    return found
  }
  const [begin, end] = [mark(from), mark(to)]
  const done = (task: TraceEvent): number => task.ts + (task.dur ?? 0)
  const tasks = events
    .filter(({ pid, tdur, tid }) => tdur !== undefined && pid === begin.pid && tid === begin.tid)
    .filter(task => done(task) >= begin.ts && done(task) <= end.ts)
    .sort((one, other) => one.ts - other.ts)
  let [micros, until] = [0, 0]
  for (const task of tasks) {
    // One that runs within another is counted with it.
    if (done(task) <= until) continue
    micros += task.tdur!
    until = done(task)
  }
  return micros / 1000
}
