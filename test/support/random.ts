// Random numbers that can be had again: the seed comes from NOTIF_TEST_SEED or the clock, and failures print it.

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  (below: number): number
  readonly seed: number
}

/** mulberry32: small, and good enough to choose test cases. */
export function random(seed = Number(process.env['NOTIF_TEST_SEED'] ?? Date.now() % 2 ** 31)): Random {
  let state = seed
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  return Object.assign(next, { seed })
}
