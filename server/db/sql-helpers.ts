// Builds the two parts that most statements share: the bucket guard, and rows that travel as arrays of columns.
//
// Both give the same text for the same arguments, so a statement that contains them is prepared once.

import type { Fragment, DatabaseGroup, Query } from './db.ts'

/**
 * Returns the condition that a row lies in the buckets of the group. Every statement says it for each table of users,
 * so that it cannot leave the group where the buckets are spread over databases.
 *
 * @param alias - of the table in the statement. Default: the column `bucket` stands alone
 */
export function inGroup(
  { buckets, sql }: Pick<DatabaseGroup, 'buckets'> & { readonly sql: Query },
  alias?: string
): Fragment {
  const column = sql(alias === undefined ? 'bucket' : `${alias}.bucket`)
  return sql`(${buckets}::smallint[] is null or ${column} = any(${buckets}::smallint[]))`
}

/** `json`: a text of JSON for each row; the statement casts it, because an array of arrays would become one with dimensions. */
type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'float8'
  | 'integer'
  | 'json'
  | 'smallint'
  | 'text'
  | 'timestamptz'
  | 'uuid'

/** `envId` becomes `env_id`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

const toCamelCase = (name: string): string => name.replaceAll(/_[a-z]/g, part => part[1]!.toUpperCase())

type ColumnsOf<Row> = { readonly [Name in keyof Row & string as SnakeCase<Name>]?: ColumnType }

type ComputedColumns<Row> = Readonly<Record<string, readonly [ColumnType, (row: Row) => unknown]>>

function toSql(value: unknown, type: ColumnType): unknown {
  if (type === 'json') return JSON.stringify(value)
  return value instanceof Date ? value.toISOString() : (value ?? null)
}

/** Columns of a `UserKey`, for {@link unnest}. */
export const USER_KEY_COLUMNS = { bucket: 'smallint', env_id: 'text', user_id: 'text' } as const

/**
 * Returns `unnest(…) as alias(column, …)`, with which one statement reads or writes any number of rows.
 *
 * @param columns - properties of the rows, in snake case, with the type of the column
 * @param computed - further columns, with the function that returns their value
 * @param ordinality - name of a further column that numbers the rows from 1. Default: none
 */
export function unnest<Row>(
  query: Query,
  alias: string,
  rows: readonly Row[],
  columns: ColumnsOf<Row>,
  computed: ComputedColumns<Row> = {},
  ordinality?: string
): Fragment {
  const all = [
    ...Object.entries<ColumnType>(columns as Record<string, ColumnType>).map(([name, type]) => {
      const property = toCamelCase(name) as keyof Row
      return { name, read: (row: Row): unknown => row[property], type }
    }),
    ...Object.entries(computed).map(([name, [type, read]]) => ({ name, read, type }))
  ]
  const casts = all.map(({ type }) => `::${type === 'json' ? 'text' : type}[]`)
  const names = [...all.map(({ name }) => name), ...(ordinality === undefined ? [] : [ordinality])]
  const end = `)${ordinality === undefined ? '' : ' with ordinality'} as ${alias}(${names.join(', ')})`
  const texts = ['unnest(', ...casts.map((cast, i) => (i < casts.length - 1 ? `${cast}, ` : `${cast}${end}`))]
  const values = all.map(({ read, type }) => rows.map(row => toSql(read(row), type)) as string[])
  return query(Object.assign([...texts], { raw: texts }), ...values) as Fragment
}
