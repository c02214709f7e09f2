// The test files that `npm run test:citus` runs.

import { posix } from 'node:path'

import { imports, sources } from '../rules/sources.ts'
import { isInTier } from '../suite/tiers.ts'

/** What a change of a statement breaks first. */
export const MAIN: readonly string[] = [
  'test/citus/faults.test.ts',
  'test/citus/main-job.test.ts',
  'test/citus/distribute.test.ts',
  'test/inbox/route.test.ts',
  'test/queue/worker.test.ts',
  'test/send/accept.test.ts'
]

/** What depends on the node to which a statement goes. */
export const OWNER: readonly string[] = [
  'test/citus/faults.test.ts',
  'test/citus/owners.test.ts',
  'test/citus/main-job.test.ts'
]

const TEST_DATABASE = 'test/support/db.ts'

/** Files of which no part is about the server's statements: they read sources, or run a browser. */
const OTHERS = /^test\/(?:e2e|elements|rules|suite)\//

/** Tests that work one database group by themselves, and expect all rows in it. */
const ONE_GROUP = /\bgroups\[0\]|\bonlyGroup\(|\[group\] = /

const files = new Map(
  sources('test', ['.ts']).map(file => [file.path, { imports: imports(file), text: file.text }])
)

/** Returns the file and all that it imports. */
function reachable(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const other of files.get(path)?.imports ?? []) reachable(posix.normalize(other), seen)
  return seen
}

/** Whether the tables of the test have one shard. Otherwise they have as many as those of an operator. */
export const hasOneGroup = (path: string): boolean =>
  !path.startsWith('test/citus/') &&
  [...reachable(path)].some(other => ONE_GROUP.test(files.get(other)?.text ?? ''))

/** Returns every file of `npm test` that has a test database, and those about Citus. */
export const findDatabaseTests = (): string[] =>
  [...files.keys()].filter(
    path =>
      path.endsWith('.test.ts') &&
      !OTHERS.test(path) &&
      (path.startsWith('test/citus/') || (isInTier(path, 'quick') && reachable(path).has(TEST_DATABASE)))
  )
