// Which tests run in which tier: `npm test` runs what is not listed here.

/** Tests that only `npm run test:full` runs: folders, which end in `/`, and files. */
export const FULL: readonly string[] = [
  'test/channels/email/bounces/postfix.test.ts',
  'test/citus/faults.test.ts',
  'test/citus/main-job.test.ts',
  'test/citus/owners.test.ts',
  'test/client/fault.test.ts',
  'test/client/runtimes.test.ts',
  'test/clients/',
  'test/db/driver-patch.test.ts',
  'test/docs/',
  'test/e2e/',
  'test/environments/encryption/worker-settings-check.test.ts',
  'test/environments/recreate.test.ts',
  'test/fault/',
  'test/frameworks/',
  'test/inbox/live/lost-commit-answer.test.ts',
  'test/inbox/live/unresponsive-clients.test.ts',
  'test/package/',
  'test/process/',
  'test/queue/database-outage.test.ts',
  'test/queue/tenant-fairness.test.ts',
  'test/security/generated.test.ts',
  'test/send/attachments/memory.test.ts',
  'test/send/schedule/lateness.test.ts',
  'test/suite/element-files.test.ts',
  'test/suite/exit-guard.test.ts',
  'test/testing/',
  'test/users/privacy/race.test.ts'
]

/** Tests that only `npm test` runs although their folder is listed above: the main paths through a page. */
export const QUICK: readonly string[] = [
  'test/e2e/connection.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/inbox.test.ts',
  'test/e2e/preferences.test.ts',
  'test/e2e/web-push.test.ts'
]

/** Tests of both tiers: properties, of which `npm test` takes a tenth of the cases, and crashes, of which it takes a few. */
export const BOTH: readonly string[] = [
  'test/fault/crash.test.ts',
  'test/property/inbox.test.ts',
  'test/store/lazy-store.test.ts',
  'test/store/sync.property.test.ts',
  'test/store/tabs.property.test.ts',
  'test/types/cadence.test.ts'
]

/** Tests that `npm run test:full` also runs under the clocks of `clocks.ts`: what they check depends on dates. */
export const CLOCKED: readonly string[] = [
  'test/elements/feed.test.ts',
  'test/elements/long-list.test.ts',
  'test/elements/popup.test.ts',
  'test/elements/row-layout.test.ts',
  'test/logs/time-range.test.ts',
  'test/send/digest/compose-send.test.ts',
  'test/send/plan.test.ts',
  'test/store/',
  'test/types/cadence.test.ts',
  'test/types/templates/date.test.ts'
]

export type Tier = 'quick' | 'full'

/** `both`: in both tiers. */
export type TierName = Tier | 'both'
export const TIER_NAMES: readonly TierName[] = ['quick', 'both', 'full']

export const isListed = (list: readonly string[], file: string): boolean =>
  list.some(entry => (entry.endsWith('/') ? file.startsWith(entry) : file === entry))

/** @param file - a path from the root */
export function tierName(file: string): TierName {
  if (BOTH.includes(file)) return 'both'
  return isListed(FULL, file) && !QUICK.includes(file) ? 'full' : 'quick'
}

export const isInTier = (file: string, tier: Tier): boolean => ['both', tier].includes(tierName(file))
