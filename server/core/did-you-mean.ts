// Did-you-mean: finds the known name that is closest to a mistyped one.

/** Fewest insertions, deletions and replacements that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

/** Returns the known name with the smallest edit distance, however large. */
export function nearestName(name: string, known: readonly string[]): string {
  let best = known[0]!
  let least = Infinity
  for (const candidate of known) {
    const distance = editDistance(name, candidate)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Longer names are not compared: the time grows with the square of the length, and a caller chooses the name. */
const MAX_CHARACTERS = 40

/** @returns the nearest known name, or undefined if more than a third of the letters differ */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_CHARACTERS || known.length === 0) return undefined
  const best = nearestName(name, known)
  return editDistance(name, best) <= name.length / 3 ? best : undefined
}
