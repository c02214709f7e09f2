// Says of a test that it cannot run on a Citus cluster, whatever the server does there.

/** Set by `npm run test:citus`. */
export const isCluster = process.env['TEST_CITUS'] === '1'

/** @returns the option `skip` of the test: on a cluster the reason, which the run prints */
export const plainPostgresOnly = (reason: string): string | false =>
  isCluster && `needs a plain Postgres: ${reason}`
