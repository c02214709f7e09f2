// Behind a transaction pooler: what sessions are told at their start elsewhere, the role of the database has to bring.
//
// We say it and do not do it: a role's settings outlive us, and a pooler's backends take them on only when they are new.

import type { Sql } from './db.ts'

/** As {@link openDb} tells sessions itself where it can; one limit for requests and queues, the longer one. */
const OF_ROLE = {
  enable_seqscan: 'off',
  idle_in_transaction_session_timeout: '10s',
  jit: 'off',
  statement_timeout: '15s'
} as const

/** As Postgres has them unless somebody says otherwise. Any other value was chosen by the operator, and counts. */
const UNSET: Readonly<Record<string, string>> = {
  enable_seqscan: 'on',
  idle_in_transaction_session_timeout: '0',
  jit: 'on',
  statement_timeout: '0'
}

/** @returns a statement for each setting that the role lacks, to be run once over a direct connection */
export async function missingOfRole(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; value: string; role: string; place: string }[]>`
    select name, current_setting(name) as value, quote_ident(current_user) as role,
      quote_ident(current_database()) as place
    from unnest(${Object.keys(OF_ROLE)}::text[]) as name`
  return rows
    .filter(({ name, value }) => value === UNSET[name])
    .map(
      ({ name, place, role }) =>
        `alter role ${role} in database ${place} set ${name} = '${OF_ROLE[name as keyof typeof OF_ROLE]}';`
    )
}
