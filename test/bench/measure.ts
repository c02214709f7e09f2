// What every measurement gives back, and the arithmetic they share.

export interface Measurement {
  /** What was measured, e.g. `accept, 32 connections`. */
  readonly name: string
  readonly unit: string
  readonly ours: number
  /** What we measure ourselves against, in the same run. */
  readonly ceiling?: { readonly name: string; readonly value: number }
  /** Ours divided by the ceiling. Median of the rounds. */
  readonly ratio?: number
  /** What must hold, and what we want; absent where nothing was promised. */
  readonly floor?: number
  readonly goal?: number
  /** Whether floor and goal are about the value or the ratio. Default: the ratio. */
  readonly promised?: 'value' | 'ratio'
  /** On which side of floor and goal we want to be. */
  readonly better: 'above' | 'below'
  /** Figures that do not depend on the machine's mood. */
  readonly facts?: Readonly<Record<string, number>>
}

/** How a measurement is run. */
export interface Say {
  readonly rounds: number
  /** Of one side in one round. */
  readonly seconds: number
  /** Of the measurements that grow. */
  readonly rows: number
  /** Tells a person who waits how far it is. */
  readonly say: (line: string) => void
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Runs both sides in turns, so that whatever else the machine does hits both.
 *
 * @returns medians of the rounds
 */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  ceiling: () => Promise<number>
): Promise<{ ours: number; ceiling: number; ratio: number }> {
  const mine: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await ceiling())
    mine.push(await ours())
  }
  return {
    ceiling: median(theirs),
    ours: median(mine),
    ratio: median(mine.map((value, round) => value / theirs[round]!))
  }
}
