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
  /** Largest divided by smallest figure of what stands beside, above {@link MAX_SPREAD} after the last repetition: not judged. */
  readonly spread?: number
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
  /** Of the measurement of many sockets. */
  readonly sockets: number
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

/** If what stands beside spreads more than this within a run, the machine did something else, and the run is repeated. */
export const MAX_SPREAD = 1.5
const MAX_REPETITIONS = 2

/** 1 for counts that may be 0. */
export const spreadOf = (values: readonly number[]): number =>
  Math.min(...values) > 0 ? Math.max(...values) / Math.min(...values) : 1

/**
 * Repeats a run while what stands beside spreads too much.
 *
 * @param beside - its figures of the rounds, which must be about the same
 * @returns the last run, with its spread if that is still too large
 */
export async function repeatUnsteady<T>(
  run: () => Promise<T>,
  beside: (result: T) => readonly number[],
  say: (line: string) => void = () => {}
): Promise<{ readonly result: T; readonly spread?: number }> {
  for (let repetition = 0; ; repetition += 1) {
    const result = await run()
    const spread = spreadOf(beside(result))
    if (spread <= MAX_SPREAD) return { result }
    if (repetition === MAX_REPETITIONS) return { result, spread }
    say(`what stands beside spreads ${spread.toFixed(1)} times: again`)
  }
}

interface Turns {
  readonly ours: number
  readonly ceiling: number
  readonly ratio: number
  readonly spread?: number
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
): Promise<Turns> {
  const { result, spread } = await repeatUnsteady(
    async () => {
      const sides = { mine: [] as number[], theirs: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        sides.theirs.push(await ceiling())
        sides.mine.push(await ours())
      }
      return sides
    },
    sides => sides.theirs
  )
  const { mine, theirs } = result
  return {
    ceiling: median(theirs),
    ours: median(mine),
    ratio: median(mine.map((value, round) => value / theirs[round]!)),
    ...(spread !== undefined && { spread })
  }
}
