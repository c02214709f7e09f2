// The helpers of most statements: the bucket guard, and rows as arrays of columns.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { inGroup, rowSource, unnest } from '../../server/db/sql-helpers.ts'
import { testDb, type TestDb } from '../support/db.ts'

describe('helpers for SQL', () => {
  let t: TestDb

  before(async () => {
    t = await testDb()
  })
  after(() => t[Symbol.asyncDispose]())

  test('excludes rows of other database groups, and no rows if one group has all buckets', async () => {
    const [whole] = t.db.groups
    const read = async (buckets: number[] | null): Promise<number[]> => {
      const group = { ...whole!, buckets }
      const bare = await whole!.sql<{ bucket: number }[]>`
        select bucket from (values (1), (2), (3)) as v(bucket) where ${inGroup(group)} order by 1`
      const aliased = await whole!.sql<{ bucket: number }[]>`
        select v.bucket from (values (1), (2), (3)) as v(bucket) where ${inGroup(group, 'v')} order by 1`
      assert.deepEqual([...aliased], [...bare])
      return bare.map(({ bucket }) => bucket)
    }
    assert.deepEqual(await read(null), [1, 2, 3])
    assert.deepEqual(await read([1, 3]), [1, 3])
    assert.deepEqual(await read([]), [])
  })

  test('turns rows into columns: by property, computed, numbered, and with null for absent values', async () => {
    const due = new Date('2026-01-02T03:04:05.678Z')
    const rows = [
      { body: { list: [1, 2] }, bucket: 1, envId: 'a', runAt: due },
      { body: 'text', bucket: 2, envId: 'b"\\{}', runAt: undefined }
    ]
    const sql = t.db.control
    const found = await sql`
      select r.*, body::jsonb as body from ${unnest(
        sql,
        'r',
        rows,
        { body: 'json', bucket: 'smallint', env_id: 'text', run_at: 'timestamptz' },
        { twice: ['integer', row => row.bucket * 2] },
        'i'
      )} order by i`
    assert.deepEqual(
      Array.from(found, row => Object.fromEntries(Object.entries(row))),
      [
        { body: { list: [1, 2] }, bucket: 1, env_id: 'a', i: 1, run_at: due, twice: 2 },
        { body: 'text', bucket: 2, env_id: 'b"\\{}', i: 2, run_at: null, twice: 4 }
      ]
    )
    assert.equal(
      (await sql`select from ${unnest(sql, 'r', [] as typeof rows, { bucket: 'smallint' })}`).count,
      0
    )
  })

  test('passes a single row as values if the caller wants it, with the same result', async () => {
    const sql = t.db.control
    const source = rowSource<{ envId: string; runAt: Date | undefined }>(
      'r',
      { env_id: 'text', run_at: 'timestamptz' },
      { body: ['json', () => ({ list: [1] })] },
      'i'
    )
    const rows = [{ envId: 'b"\\{}', runAt: undefined }]
    const read = (asValues: boolean) => sql`select *, body::jsonb as body from ${source(sql, rows, asValues)}`
    const plan = async (asValues: boolean): Promise<string> =>
      JSON.stringify(await sql`explain select * from ${source(sql, rows, asValues)}`)
    assert.deepEqual([...(await read(true))], [...(await read(false))])
    assert.match(await plan(false), /Function Scan/)
    assert.doesNotMatch(await plan(true), /Function Scan/)
  })

  test('keeps the text of a statement with both, so that it is prepared once', async () => {
    const reserved = await t.db.control.reserve()
    try {
      const group = t.db.groups[0]!
      for (let size = 0; size < 4; size++) {
        const rows = Array.from({ length: size }, (_, bucket) => ({ bucket }))
        await reserved`
          select count(*) as prepared_once from ${unnest(reserved, 'r', rows, { bucket: 'smallint' })}
          where ${inGroup(group, 'r')}`
      }
      const [count] = await reserved<{ count: number }[]>`
        select count(*)::integer as count from pg_prepared_statements 
        where statement like '%prepared_once%' and statement not like '%pg_prepared_statements%'`
      assert.equal(count!.count, 1)
    } finally {
      reserved.release()
    }
  })
})
