// The known name that a mistyped one is closest to.

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

/** The known name with the fewest differences, however many they are. */
export function nearestName(name: string, known: readonly string[]): string {
  let best = known[0]!
  let least = Infinity
  for (const candidate of known) {
    const far = editDistance(name, candidate)
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

/** Characters of a name that are compared: the time grows with their square, and a caller chooses the name. */
const LONGEST = 40

/** The known name that was meant, if at most a third of the letters are wrong. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST || known.length === 0) return undefined
  const best = nearestName(name, known)
  return editDistance(name, best) <= name.length / 3 ? best : undefined
}
