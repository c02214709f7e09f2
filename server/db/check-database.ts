// Describes the database for `--check`: whether it answers, its version and its schema. Changes nothing.

import { connect } from './connect.ts'
import { sessionSettings, type Address } from './db.ts'
import { readSchemaState, type SchemaState } from './migrate.ts'
import { toPublicAddress, waitForDatabase } from './wait-for-database.ts'

/** For a database that starts at the same moment. */
const CHECK_TIMEOUT_MS = 5_000

const describe = ({ applied, expected }: SchemaState): string => {
  if (applied === 0) return 'it has no schema yet, which the first start creates'
  if (applied === expected) return 'its schema is that of this version'
  return `its schema is older (${applied} of ${expected} migrations), and the next start migrates it`
}

/**
 * @param onWait - called once if it has to wait
 * @throws {@link StartupError} if the database does not answer, or its schema is newer or of another program
 */
export async function checkDatabase(address: Address, onWait: (line: string) => void): Promise<string> {
  const version = await waitForDatabase(address, CHECK_TIMEOUT_MS, onWait)
  const connection = sessionSettings(address, 'check', CHECK_TIMEOUT_MS)
  const sql = connect(address.url, { connection, max: 1, onnotice: () => {} })
  try {
    const state = await sql.begin('read only', tx => readSchemaState(tx))
    return `the database at ${toPublicAddress(address.url)} answers: Postgres ${version}, and ${describe(state)}`
  } finally {
    await sql.end({ timeout: 1 })
  }
}
