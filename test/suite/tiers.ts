// Which tests run in which tier: `npm test` runs what is not listed here.

/** Tests that only `npm run test:full` runs: folders, which end in `/`, and files. */
export const FULL: readonly string[] = [
  'test/clients/',
  'test/docs/',
  'test/e2e/',
  'test/fault/',
  'test/frameworks/',
  'test/package/',
  'test/process/'
]

/** Tests that `npm test` runs although their folder is listed above. */
export const QUICK: readonly string[] = [
  'test/e2e/connection.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/inbox.test.ts',
  'test/e2e/preferences.test.ts',
  'test/e2e/web-push.test.ts'
]

/** Tests of both tiers. `npm test` runs them with fewer generated cases or crashes. */
export const BOTH: readonly string[] = []

export type Tier = 'quick' | 'full'

const isListed = (list: readonly string[], file: string): boolean =>
  list.some(entry => (entry.endsWith('/') ? file.startsWith(entry) : file === entry))

/** @param file - a path from the root */
export function isInTier(file: string, tier: Tier): boolean {
  if (BOTH.includes(file)) return true
  const isFull = isListed(FULL, file) && !QUICK.includes(file)
  return isFull === (tier === 'full')
}
