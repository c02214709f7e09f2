// Random numbers that a failed run can repeat: `?seed=` of the page, else the time.

const SEED = Number(new URLSearchParams(location.search).get('seed')) || Date.now() % 1_000_000

export const SEED_TEXT = `seed ${SEED}`

/** @returns whole numbers from 0 to below `limit` */
export function random(seed = SEED): (limit: number) => number {
  let state = seed
  return limit => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
