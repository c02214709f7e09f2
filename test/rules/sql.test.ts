// No statement reads or writes a table of users without the bucket, and SQL stands only in `*.sql.ts` and `db/`.
//
// Tables can then be spread over machines by bucket.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sources, type Source } from './sources.ts'
import { statements } from './statements.ts'

const migrations = sources('server/db/migrations', ['.sql'])
const schema = migrations.map(({ text }) => text.replaceAll(/--[^\n]*/g, '')).join('\n')

/** Every table that the migrations define with a bucket. */
const USER_TABLES = [...schema.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)]
  .filter(([, , columns]) => /^\s*bucket smallint not null/m.test(columns!))
  .map(([, name]) => name!)

const mayHoldSql = ({ path }: Source): boolean => path.endsWith('.sql.ts') || path.startsWith('server/db/')

const QUERY = /^\s*(?:with|select|insert|update|delete)\b/i

/** @returns the statement without its sub-queries, and each sub-query likewise: each must name the bucket itself */
function splitQueries(sql: string): string[] {
  let own = ''
  const found: string[] = []
  for (let at = 0; at < sql.length; at += 1) {
    if (sql[at] === '(' && QUERY.test(sql.slice(at + 1))) {
      let depth = 1
      let end = at + 1
      for (; end < sql.length && depth > 0; end += 1)
        depth += sql[end] === '(' ? 1 : sql[end] === ')' ? -1 : 0
      found.push(...splitQueries(sql.slice(at + 1, end - 1)))
      at = end - 1
    }
    own += sql[at]
  }
  return [own, ...found]
}

const WORDS =
  'on|set|where|using|join|left|right|full|inner|cross|order|group|limit|for|values|select|returning|default|union'
const STANDS = new RegExp(
  String.raw`(\bfrom|\bjoin|\binto|\bupdate|\busing|\bonly|,)\s+(${USER_TABLES.join('|')})\b(?!\s*\.)(?:\s+(?:as\s+)?(?!(?:${WORDS})\b)([a-z]\w*))?`,
  'gi'
)

/** @returns the tables of users that a part of the statement uses without their bucket, or without the bucket of their alias */
const tablesWithoutBucket = (sql: string): string[] =>
  splitQueries(sql).flatMap(part =>
    [...part.matchAll(STANDS)]
      .filter(([, before, , alias]) =>
        before!.toLowerCase() === 'into' || alias === undefined
          ? !/\bbucket\b/i.test(part)
          : !new RegExp(String.raw`\b${alias}\.bucket\b`, 'i').test(part)
      )
      .map(([, , table]) => table!)
  )

test('the migrations say which tables belong to users', () => {
  assert.ok(USER_TABLES.length >= 11, USER_TABLES.join(', '))
  for (const name of ['users', 'sends', 'outbox', 'inbox_counters', 'inbox_items', 'idempotency_keys']) {
    assert.ok(USER_TABLES.includes(name), name)
  }
})

test('every primary key and unique index of a user table starts with the bucket', () => {
  for (const [, name, columns] of schema.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)) {
    if (!USER_TABLES.includes(name!)) continue
    assert.match(columns!, /primary key \(bucket,/, name)
  }
  for (const [text, table] of schema.matchAll(/create unique index \w+ on (\w+) \(\w+/g)) {
    if (USER_TABLES.includes(table!)) assert.match(text, /\(bucket$/, text)
  }
})

test('the rule sees a user table without its bucket', () => {
  assert.deepEqual(tablesWithoutBucket('select * from users where env_id = ? and id = ?'), ['users'])
  const half =
    'with due as materialized (select id from outbox where queue = ?) delete from outbox where bucket = ?'
  assert.deepEqual(tablesWithoutBucket(half), ['outbox'])
  assert.deepEqual(tablesWithoutBucket('select * from users where bucket = ? and env_id = ? and id = ?'), [])
  const joined = 'select * from users u join preferences p on p.user_id = u.id where u.bucket = ?'
  assert.deepEqual(tablesWithoutBucket(joined), ['preferences'])
  assert.deepEqual(tablesWithoutBucket(`${joined} and p.bucket = u.bucket`), [])
})

test('the rule reads the bucket guard, by the alias that it is given', () => {
  const read = (text: string): string[] =>
    statements({ path: 'server/a.sql.ts', text }).flatMap(({ sql }) => tablesWithoutBucket(sql))
  assert.deepEqual(read("sql`select * from users u where ${inGroup(group, 'u')}`"), [])
  assert.deepEqual(read('sql`select * from users where ${inGroup(group)}`'), [])
  assert.deepEqual(read("sql`select * from users u where ${inGroup(group, 's')}`"), ['users'])
  assert.deepEqual(read("sql`select * from users u where ${other(group, 'u')}`"), ['users'])
})

test('no statement touches a user table without its bucket', () => {
  const all = sources('server', ['.ts', '.sql']).flatMap(statements)
  assert.ok(all.length > 20, `only ${all.length} statements found: the rule looks at the wrong place`)
  const wrong = all.flatMap(statement =>
    tablesWithoutBucket(statement.sql).map(
      table => `${statement.path}:${statement.line} ${table}: ${statement.sql.slice(0, 120)}`
    )
  )
  assert.deepEqual(wrong, [])
})

/**
 * Finds times that an update computes from a joined row. If tables are spread over machines, such a statement cannot be sent
 * to one of them; the time belongs into the part that reads the row.
 */
const timesFromJoins = (sql: string): string[] =>
  splitQueries(sql).flatMap(part =>
    [...part.matchAll(/\bset\b([\s\S]*?)(?=\bfrom\b|\bwhere\b|\breturning\b|$)/gi)]
      .map(([, columns]) => columns!)
      .filter(columns => /\bnow\(\)\s*[+-][^,]*\b[a-z_]+\.[a-z_]+/i.test(columns))
  )

test('no update computes a time from a joined row', () => {
  assert.equal(
    timesFromJoins('update outbox o set run_at = now() + f.again from fin f where o.bucket = f.bucket')
      .length,
    1
  )
  assert.equal(
    timesFromJoins('update outbox o set run_at = f.due from fin f where o.bucket = f.bucket').length,
    0
  )
  const wrong = sources('server', ['.ts', '.sql'])
    .flatMap(statements)
    .filter(({ sql }) => timesFromJoins(sql).length > 0)
    .map(({ path, line }) => `${path}:${line}`)
  assert.deepEqual(wrong, [])
})

/** Tables of the queue. Other rooms give it their SQL as fragments (finish parts), so that it knows none of their tables. */
const QUEUE_TABLES = new Set(['outbox', 'dead_letters', 'dropped_letters', 'queue_pauses'])

const ALL_TABLES = [...schema.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(
  ([, name]) => name!
)
const FOREIGN_TABLE = new RegExp(
  String.raw`\b(?:from|join|into|update|using|only)\s+(${ALL_TABLES.filter(name => !QUEUE_TABLES.has(name)).join('|')})\b`,
  'gi'
)

test('the SQL of the queue names only tables of the queue', () => {
  const found = sources('server/queue', ['.ts']).flatMap(statements)
  assert.ok(
    found.some(({ sql }) => /\bfrom outbox\b/.test(sql)),
    'the rule reads the statements of the queue'
  )
  assert.ok(ALL_TABLES.includes('sends') && ALL_TABLES.includes('outbox'), ALL_TABLES.join(', '))
  const foreign = found.flatMap(({ path, line, sql }) =>
    [...sql.matchAll(FOREIGN_TABLE)].map(([, table]) => `${path}:${line} ${table}`)
  )
  assert.deepEqual(foreign, [])
})

test('SQL stands only in *.sql.ts and in db/', () => {
  const wrong = sources('server', ['.ts'])
    .filter(source => !mayHoldSql(source))
    .flatMap(statements)
    .map(({ path, line, sql }) => `${path}:${line} ${sql.slice(0, 80)}`)
  assert.deepEqual(wrong, [])
  // No rule reads the texts of `unsafe`: only db/ may use it, to define tables.
  const unsafe = sources('server', ['.ts']).filter(
    ({ path, text }) => text.includes('.unsafe(') && !path.startsWith('server/db/')
  )
  assert.deepEqual(
    unsafe.map(({ path }) => path),
    []
  )
})
