// Filters of log queries: parsed as documented, rejected with the position, and sent to the database as parameters only.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import { connect } from '../../server/db/connect.ts'
import type { Sql } from '../../server/db/db.ts'
import { pageStatement } from '../../server/logs/logs.sql.ts'
import { parseCustomFilter, parseRequestFilter } from '../../server/logs/query/custom-filter.ts'
import { parseLogQuery, type LogQuery } from '../../server/logs/query/parse-query.ts'
import { parsePattern, toRegex } from '../../server/logs/query/pattern.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { testGenerated } from '../support/generated.ts'
import { random } from '../support/random.ts'
import { randomFilter, randomRequest, TEXTS, type Request } from './query-model.ts'

const ENV = 'env'
const context = { envId: ENV, now: Date.now(), retentionDays: 30 }

describe('a wrong filter is rejected with its position', () => {
  for (const [text, at, what] of [
    ['', 1, /expected a field/],
    ['price > 5', 1, /begins with request/],
    ['request > 5', 1, /below request/],
    ['request.a', 10, /expected an operator, found the end/],
    ['request.a =', 12, /expected a value/],
    ['request.a = "x', 13, /closing quote/],
    ['request.a = 5 request.b = 6', 15, /expected && or \|\|/],
    ['(request.a = 5', 15, /expected \)/],
    ['request.a > "x*"', 13, /wildcard/],
    ['request..a = 5', 9, /expected a name/],
    ['request.a[x] = 5', 10, /operator/],
    ['request.a = 5 ; drop', 15, /expected && or/],
    ['request.a like /(a+)+$/', 17, /\( is not supported/],
    ['request.a like /a{3}/', 18, /\{ is not supported/],
    ['request.a like /a|b/', 18, /\| is not supported/],
    ['request.a like /[z-a]/', 17, /not a range/],
    ['request.a like /x\\1/', 19, /\\1 is not supported/],
    ['request.a IS maybe', 14, /expected null, true or false/],
    [`${'('.repeat(25)}request.a = 1${')'.repeat(25)}`, 22, /at most 20 levels/],
    [`request.a = "${'x'.repeat(1020)}"`, 1025, /at most 1024 characters/]
  ] as const) {
    test(text.slice(0, 30) || 'nothing', () => {
      const read = parseRequestFilter(text)
      assert.ok(!read.ok, text)
      assert.match(read.detail, what)
      assert.match(read.detail, new RegExp(`^At character ${at}: `))
    })
  }
  for (const [text, at, what] of [
    ['select *', 1, /expected fields, filter, sort or limit/],
    ['fields nonsense', 8, /not a field of a log record/],
    ['fields type |', 14, /expected fields/],
    ['filter password = "x"', 8, /not a field/],
    ['filter received_at > "yesterday"', 22, /instant/],
    ['filter received_at like /2026/', 25, /not a text/],
    ['sort email_routing', 6, /to sort by/],
    ['sort type sideways', 11, /expected \|/],
    ['limit 0', 7, /1 to 1000/],
    ['limit 1e9', 7, /1 to 1000/],
    ['filter type = "a" limit 5', 19, /expected \|/]
  ] as const) {
    test(text, () => {
      const read = parseCustomFilter(text)
      assert.ok(!read.ok, text)
      assert.match(read.detail, what)
      assert.match(read.detail, new RegExp(`^At character ${at}: `), read.detail)
    })
  }
})

test('parses the worst texts of full length in little time', () => {
  const worst = [
    '(',
    '!',
    '"',
    '*',
    '[',
    '`',
    '/',
    '\\',
    'a.',
    'not ',
    '&&',
    'request.a like /',
    '|',
    '=~ /.*'
  ]
  for (const part of worst) {
    const text = part.repeat(4096 / part.length)
    // CPU time, because other processes of the machine do not affect it.
    const before = process.cpuUsage()
    parseCustomFilter(`filter ${text}`.slice(0, 4096))
    parseRequestFilter(text.slice(0, 1024))
    const { system, user } = process.cpuUsage(before)
    assert.ok(user + system < 100_000, `${part} took ${user + system} µs`)
  }
})

describe('against the database', () => {
  let t: TestDb
  let sql: Sql
  const texts = new Set<string>()
  const rows = new Map<string, Request>()
  const next = random()

  before(async () => {
    t = await testDb()
    sql = connect(t.url, { debug: (_connection, text) => void texts.add(text), max: 1, onnotice: () => {} })
    for (let i = 0; i < 40; i++) {
      const parameters = randomRequest(next)
      for (const envId of [ENV, 'other']) {
        const id = uuidv7(placementHash(envId, 'u'))
        const body = JSON.stringify({ parameters, to: { id: 'u' }, type: 'n' })
        await t.db.control`
          insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
          values (${placementHash(envId, 'u') >> 6}, ${id}, ${envId}, 'u', 'n', ${body}::text::jsonb, '{"EMAIL": "sent"}')`
        if (envId === ENV) rows.set(id, parameters)
      }
    }
  })
  after(async () => {
    await sql.end()
    await t[Symbol.asyncDispose]()
  })

  const ask = async (query: LogQuery): Promise<string[]> => {
    const found = await pageStatement(sql, t.db.groups[0]!, query, 1000)
    assert.ok(
      found.every(row => row.envId === ENV),
      'a row of another environment'
    )
    return found.map(row => row.id)
  }

  /** A text that a person may type by mistake. */
  const spoiled = (text: string): string => {
    const at = next(text.length + 1)
    const noise = [
      ...'()[]{}"\'`*/\\|&!=<>,.$ \n%_;-',
      'or ',
      'not ',
      '||',
      '&&',
      "'; drop table sends; --",
      '🚢'
    ]
    return next(2) === 0
      ? text.slice(0, at) + noise[next(noise.length)]! + text.slice(at)
      : text.slice(0, at) + text.slice(at + 1 + next(5))
  }

  test('treats the names of JavaScript object members like other names', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'valueOf']) {
      for (const path of [`request.${name}`, `$.request.${name}.name`, `request.parameters.${name}`]) {
        const none = await ask(parseLogQuery({ requestFilter: [`${path} = 1`] }, context))
        assert.deepEqual(none, [], path)
        const all = await ask(parseLogQuery({ requestFilter: [`${path} not exists`] }, context))
        assert.equal(all.length, rows.size, path)
        const sorted = await ask(parseLogQuery({ customFilter: `fields ${path} | sort ${path}` }, context))
        assert.equal(sorted.length, rows.size, path)
      }
      for (const text of [`fields ${name}`, `filter ${name} = 1`, `sort ${name}`]) {
        const read = parseCustomFilter(text)
        assert.ok(!read.ok, text)
        assert.match(read.detail, /is not a field/)
      }
    }
  })

  testGenerated(
    '10,000 filters: each finds what it means or names its mistake, by a handful of statements',
    async () => {
      let found = 0
      let refused = 0
      for (let i = 0; i < 10_000; i++) {
        const custom = next(2) === 0
        const filter = randomFilter(next, !custom)
        const isSpoiled = next(3) === 0
        const text = isSpoiled ? spoiled(filter.text) : filter.text
        const what = `${i}: ${text}`
        const written = custom
          ? `filter ${text}${['', ' | sort received_at asc', ' | sort type desc', ' | sort request.parameters.a asc'][next(4)]!}`
          : text
        const read = custom ? parseCustomFilter(written) : parseRequestFilter(written)
        if (!read.ok) {
          assert.ok(isSpoiled || text.length > 1024, `${what}: ${read.detail}`)
          const [, place] = /^At character (\d+): .+\.$/s.exec(read.detail) ?? []
          assert.ok(Number(place) >= 1 && Number(place) <= written.length + 1, `${what}: ${read.detail}`)
          refused += 1
          continue
        }
        const statusFilter = next(4) === 0 ? ['received', 'success', 'partial', 'failure'] : []
        const body = custom ? { customFilter: written } : { requestFilter: [written], statusFilter }
        const ids = await ask(parseLogQuery(body, context))
        found += ids.length
        if (isSpoiled) continue
        const meant = [...rows].filter(([, request]) => filter.holds(request)).map(([id]) => id)
        assert.deepEqual(ids.toSorted(), meant.toSorted(), what)
      }
      assert.ok(found > 10_000 && refused > 500, `${found} found, ${refused} refused`)
      const statements = [...texts].filter(text => text.includes('from sends'))
      assert.ok(statements.length <= 8, `${statements.length} texts of statements`)
      const [left] = await t.db.control`select count(*)::int as count from sends`
      assert.equal(left!['count'], 80)
    }
  )

  testGenerated('a pattern means to the database what it says', async () => {
    const parts = [
      'a',
      'r',
      'e',
      'd',
      ' ',
      '.',
      '.*',
      '.+',
      '[a-z]',
      '[^a-z]',
      String.raw`\d`,
      String.raw`\w+`,
      String.raw`\.`,
      '%',
      '_',
      '[0-9]*',
      '🚢',
      String.raw`\*`
    ]
    for (let i = 0; i < 400; i++) {
      const inner = Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]!).join('')
      const source = `${next(3) === 0 ? '^' : ''}${inner}${next(3) === 0 ? '$' : ''}`
      const [row] = await t.db.control<{ found: boolean[] }[]>`
        select array_agg(jsonb_path_match(to_jsonb(text), ${`$ like_regex ${JSON.stringify(toRegex(parsePattern(source, 0)))} flag "s"`}::text::jsonpath) order by place) as found
        from unnest(${TEXTS}::text[]) with ordinality as t(text, place)`
      const mine = new RegExp(source, 'su')
      assert.deepEqual(
        row!.found,
        TEXTS.map(text => mine.test(text)),
        `/${source}/`
      )
    }
  })

  const customs = async (customFilter: string): Promise<number> =>
    (await ask(parseLogQuery({ customFilter }, context))).length

  test('finds nothing of other environments or outside the time range with any filter', async () => {
    for (const text of [
      'filter clientId = "other"',
      'filter envId = "other" or envId != "other"',
      'filter type exists or type not exists',
      'filter clientId like /.*/'
    ]) {
      const count = await customs(text)
      assert.equal(count, text.startsWith('filter clientId =') ? 0 : rows.size, text)
    }
    const past = { customFilter: 'filter type = "n"', dateRangeFilter: { endTime: Date.now() - 86_400_000 } }
    assert.deepEqual(await ask(parseLogQuery(past, context)), [])
  })

  test('accepts every documented field', async () => {
    for (const [text, all] of [
      ['filter email_routing = "SEND"', true],
      ['filter email_routing like /^s/i and sms_routing not exists', true],
      ['filter email_routing_reason exists', false],
      ['filter email_failed_code exists', false],
      ['filter email_sent_at > 0 or email_failed_at > "2026-01-01"', false],
      ['filter status = "received"', true],
      ['filter @timestamp >= "2026-01-01" and received_at > 1700000000', true],
      ['filter @message like "parameters" and user_id in ["u", "v"]', true],
      ['filter trackingId != "x" | limit 1000', true],
      ['fields @timestamp, request.to.id | sort @timestamp desc', true]
    ] as const) {
      assert.equal(await customs(text), all ? Math.min(rows.size, 100) : 0, text)
    }
  })
})
