// Finds settings that the database role lacks behind a transaction pooler, where sessions cannot set them at their start.
//
// The server prints the statements and does not run them: settings of a role stay after the server is removed, and a pooler
// uses them only for new connections.

import type { Sql } from './db.ts'

/** The session settings of {@link openDb}; the statement time-out is the longer one of requests and queues. */
const ROLE_SETTINGS = {
  enable_seqscan: 'off',
  idle_in_transaction_session_timeout: '10s',
  jit: 'off',
  statement_timeout: '15s'
} as const

/** The defaults of Postgres. Any other value was chosen by the operator and stays. */
const DEFAULTS: Readonly<Record<string, string>> = {
  enable_seqscan: 'on',
  idle_in_transaction_session_timeout: '0',
  jit: 'on',
  statement_timeout: '0'
}

/** @returns a statement for each missing setting, to be run once over a direct connection */
export async function findMissingRoleSettings(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; value: string; role: string; database: string }[]>`
    select name, current_setting(name) as value, quote_ident(current_user) as role,
      quote_ident(current_database()) as database
    from unnest(${Object.keys(ROLE_SETTINGS)}::text[]) as name`
  return rows
    .filter(({ name, value }) => value === DEFAULTS[name])
    .map(
      ({ name, database, role }) =>
        `alter role ${role} in database ${database} set ${name} = '${ROLE_SETTINGS[name as keyof typeof ROLE_SETTINGS]}';`
    )
}
