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

/** Tests that `npm run test:full` also runs under the clocks of `clocks.ts`: what they check depends on dates. */
export const CLOCKED: readonly string[] = [
  'test/elements/feed.test.ts',
  'test/elements/long-list.test.ts',
  'test/elements/popup.test.ts',
  'test/elements/rows.test.ts',
  'test/logs/time-range.test.ts',
  'test/send/digest/compose.test.ts',
  'test/send/plan.test.ts',
  'test/store/',
  'test/types/cadence.test.ts',
  'test/types/templates/date.test.ts'
]

export type Tier = 'quick' | 'full'

export const isListed = (list: readonly string[], file: string): boolean =>
  list.some(entry => (entry.endsWith('/') ? file.startsWith(entry) : file === entry))

/** @param file - a path from the root */
export function isInTier(file: string, tier: Tier): boolean {
  if (BOTH.includes(file)) return true
  const isFull = isListed(FULL, file) && !QUICK.includes(file)
  return isFull === (tier === 'full')
}
