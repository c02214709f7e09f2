// Builds the two parts that most statements share: the bucket guard, and rows that travel with a statement.
//
// Both give the same text for the same arguments, so a statement that contains them is prepared once.

import { BUCKET_COUNT } from '../core/id.ts'
import type { Fragment, DatabaseGroup, Query, Sql, Tx } from './db.ts'

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
  if (buckets === null) return sql`true`
  const column = sql(alias === undefined ? 'bucket' : `${alias}.bucket`)
  return sql`${column} = any(${buckets}::smallint[])`
}

const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKET_COUNT }, (_, bucket) => bucket)

/** Returns the buckets of a group, all if it has the only database. */
export const bucketsIn = ({ buckets }: Pick<DatabaseGroup, 'buckets'>): readonly number[] =>
  buckets ?? ALL_BUCKETS

const bucketsOfQueries = new WeakMap<Query, number[]>()
const poolsOfBound = new WeakMap<Query, () => Sql>()

/**
 * Makes {@link inGroupOf} know the buckets of a pool and of its transactions, if several groups share a database.
 *
 * @param currentPool - asked for each statement and transaction, because a shard may move to another node
 */
export function bindToBuckets(currentPool: () => Sql, buckets: number[]): Sql {
  const bound = new Proxy(currentPool(), {
    apply: (_, self, args: unknown[]) => Reflect.apply(currentPool(), self, args) as unknown,
    get(_, name) {
      const target = currentPool()
      if (name !== 'begin') return Reflect.get(target, name) as unknown
      return (...args: [...options: string[], work: (tx: Tx) => unknown]) => {
        const work = args.pop() as (tx: Tx) => unknown
        const boundWork = (tx: Tx): unknown => {
          bucketsOfQueries.set(tx, buckets)
          return work(tx)
        }
        return (target.begin as (...all: unknown[]) => unknown)(...args, boundWork)
      }
    }
  })
  bucketsOfQueries.set(bound, buckets)
  poolsOfBound.set(bound, currentPool)
  return bound
}

/** Returns the pool whose connections a pool of a group uses now: groups may share it, with each other and with the control database. */
export const sharedPool = (sql: Sql): Sql => poolsOfBound.get(sql)?.() ?? sql

/** Whether a pool or transaction belongs to a group of a cluster. */
export const sharesPool = (query: Query): boolean => bucketsOfQueries.has(query)

/** Returns {@link inGroup} for the group of a pool or transaction, in a statement that names the buckets of its rows anyway. */
export const inGroupOf = (query: Query, alias?: string): Fragment =>
  inGroup({ buckets: bucketsOfQueries.get(query) ?? null, sql: query }, alias)

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
 * Returns rows as a source of a `from`, such as `unnest(…) as r(id, …)`.
 *
 * @param asValues - a single row travels as values, because arrays and the function that unnests them cost more than the row. The
 *   statement then has a second text, which is planned and kept by each connection. Default: false
 */
export type RowSource<Row> = (query: Query, rows: readonly Row[], asValues?: boolean) => Fragment

/** One parameter for each column. The driver takes a template by its texts. */
const templateOf = (head: string, casts: readonly string[], tail: string): TemplateStringsArray => {
  const texts = [head, ...casts.map((cast, i) => (i < casts.length - 1 ? `${cast}, ` : `${cast}${tail}`))]
  return Object.assign(texts, { raw: texts })
}

/**
 * Prepares a source with which one statement reads or writes any number of rows.
 *
 * @param alias - of the source in the statement
 * @param columns - properties of the rows, in snake case, with the type of the column
 * @param computed - further columns, with the function that returns their value
 * @param ordinality - name of a further column that numbers the rows from 1. Default: none
 */
export function rowSource<Row>(
  alias: string,
  columns: ColumnsOf<Row>,
  computed: ComputedColumns<Row> = {},
  ordinality?: string
): RowSource<Row> {
  const all = [
    ...Object.entries<ColumnType>(columns as Record<string, ColumnType>).map(([name, type]) => {
      const property = toCamelCase(name) as keyof Row
      return { name, read: (row: Row): unknown => row[property], type }
    }),
    ...Object.entries(computed).map(([name, [type, read]]) => ({ name, read, type }))
  ]
  const types = all.map(({ type }) => (type === 'json' ? 'text' : type))
  const names = [...all.map(({ name }) => name), ...(ordinality === undefined ? [] : [ordinality])]
  const as = `as ${alias}(${names.join(', ')})`
  const many = templateOf(
    'unnest(',
    types.map(type => `::${type}[]`),
    `)${ordinality === undefined ? '' : ' with ordinality'} ${as}`
  )
  const one = templateOf(
    '(values (',
    types.map(type => `::${type}`),
    `${ordinality === undefined ? '' : ', 1::bigint'})) ${as}`
  )
  return (query, rows, asValues = false) => {
    const [first] = rows
    if (asValues && first !== undefined && rows.length === 1) {
      return query(one, ...all.map(({ read, type }) => toSql(read(first), type) as string)) as Fragment
    }
    const values = all.map(({ read, type }) => rows.map(row => toSql(read(row), type)) as string[])
    return query(many, ...values) as Fragment
  }
}

/** The same for a statement that does not run often. */
export const unnest = <Row>(
  query: Query,
  alias: string,
  rows: readonly Row[],
  columns: ColumnsOf<Row>,
  computed: ComputedColumns<Row> = {},
  ordinality?: string
): Fragment => rowSource(alias, columns, computed, ordinality)(query, rows)
