// What providers have taken against what was accepted: nothing missing, and nothing twice without a fault to blame.

import type { Taken } from './providers.ts'

export const CHANNELS = ['EMAIL', 'SMS', 'CALL', 'PUSH'] as const

/** Milliseconds between a provider's yes and its row in the log, at the most: what a lease leaves for a slow report. */
const WORK = 15_000

export interface Evidence {
  /** Tracking id of every accepted send, by its key. */
  readonly accepted: ReadonlyMap<string, string>
  /** By channel and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
  /** Tracking ids of calls that were given up because nobody knows what became of them. */
  readonly unsure: ReadonlySet<string>
  /** When a node, the database or a line failed. `performance.now()` */
  readonly hit: readonly number[]
}

export interface Verdict {
  /** Accepted, not dead, and never taken. */
  readonly missing: readonly string[]
  /** Taken twice, and no fault explains it: for a call none does. */
  readonly groundless: readonly string[]
  /** Messages that were taken once more than they should, each of them through a fault. */
  readonly doubles: number
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const storyOf = (first: Taken, again: Taken, hit: readonly number[]): string => {
  const last = hit.findLast(at => at < again.at) ?? 0
  return `again after ${seconds(again.at - first.at)}, the last fault ${seconds(first.at - last)} before the first`
}

export function judge({ accepted, taken, unsure, hit }: Evidence): Verdict {
  const missing: string[] = []
  const groundless: string[] = []
  let doubles = 0
  for (const [key, id] of accepted) {
    for (const channel of CHANNELS) {
      const name = `${channel} ${key}`
      const all = taken.get(name) ?? []
      if (all.length === 0 && !(channel === 'CALL' && unsure.has(id))) missing.push(name)
      for (const [i, again] of all.slice(1).entries()) {
        const first = all[i]!
        const isExcused = !first.said || hit.some(at => at > first.at - WORK && at < again.at)
        if (isExcused && channel !== 'CALL') doubles += 1
        else groundless.push(`${name}, ${storyOf(first, again, hit)}`)
      }
    }
  }
  return { doubles, groundless, missing }
}
