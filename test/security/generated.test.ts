// Sends generated bodies to every operation: a body that its schema refuses gets a problem with the place of each error and
// leaves no row, a body that fits is taken or gets a problem. No answer is a 5xx.
//
// TEST_BODIES for each operation (default 1,000); TEST_SEED repeats a run.

import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { z } from 'zod'

import { parseJson } from '../../server/http/body.ts'
import type { Route } from '../../server/http/route.ts'
import { Counterexample, random, SEED, type Random } from '../support/random.ts'
import { asBackEnd, CLIENT, contents, startApp, type Answer, type TestApp } from './app.ts'
import { FOUND } from './found-bodies.ts'
import { grammar, type Grammar, type Rule } from './grammar.ts'
import { GOOD, keepItem, keepLetter, keepSchedule, keepSend, TYPE } from './requests.ts'

const BODIES = Number(process.env['TEST_BODIES'] ?? 1000)
/** Requests under way at once. */
const ABREAST = 8

let app: TestApp
before(async () => {
  app = await startApp()
  const made = await app.ask(`/${CLIENT}/notifications/${TYPE}`, {
    body: JSON.stringify({ templates: { inapp: { title: 'Comment' } } }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.equal(made.status, 201, made.text)
  await keepSchedule(app)
  await keepSend(app)
  await keepItem(app)
  await keepLetter(app)
})
after(() => app[Symbol.asyncDispose]())

type Body = string

interface Operation {
  readonly ask: (body: Body, key: string) => Promise<Answer>
  readonly made: Grammar
  readonly mayBeEmpty: boolean
  readonly schema: z.ZodType
}

/** One sign of the text put in, changed or taken out. */
function scratch(body: Body, next: Random): Body {
  const at = next(body.length)
  const sign = ['"', '{', '}', '[', ',', ':', '\\', '\0', '\u0001', '\ud800', '1', 'e', '-'][next(13)]!
  return body.slice(0, at) + (next(3) === 0 ? '' : sign) + body.slice(at + next(2))
}

/** Some languages write an empty map as a list. */
const MAPS = new Set(
  'android apn customData dateRangeFilter email fcm mergeTags options parameters properties push replace'.split(
    ' '
  )
)
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** As existing clients mean it: `null` stands for what is left out. */
const meant = (sent: string): unknown =>
  JSON.parse(sent, function (this: unknown, key, value: unknown) {
    const nothing = value === null || (MAPS.has(key) && isEmpty(value))
    return nothing && !Array.isArray(this) ? undefined : value
  })

/** Whether the schema of the route takes it, as it is or as it is meant; what is no JSON at all fits nowhere. */
function fits(body: Body, schema: z.ZodType, mayBeEmpty: boolean): boolean {
  if (body === 'null' || body === '') return mayBeEmpty
  try {
    const bytes = Buffer.from(body)
    const value = parseJson(bytes)
    // A whole that is an empty list is a map without members, where a map is expected.
    const whole = isEmpty(value) ? {} : value
    return [value, whole, meant(bytes.toString())].some(one => schema.safeParse(one).success)
  } catch {
    return false
  }
}

/** @returns undefined where the schema takes nearly everything */
function wrongBody({ made, mayBeEmpty, schema }: Operation, next: Random): Body | undefined {
  for (let tries = 0; tries < 100; tries += 1) {
    // An undefined whole is an empty body, which some routes take.
    const whole = JSON.stringify(made.spoiled()) ?? 'null'
    const body = next(10) === 0 ? scratch(whole, next) : whole
    if (!fits(body, schema, mayBeEmpty)) return body
  }
  return undefined
}

/** Whether a pointer leads to something in the body, or to where something is missing. */
function leads(pointer: string, body: Body): boolean {
  const keys = decodeURIComponent(pointer.slice(1)).split('/').slice(1)
  const plain = keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (plain.length === 0) return true
  let place: unknown = JSON.parse(body)
  for (const key of plain.slice(0, -1)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false
    place = (place as Readonly<Record<string, unknown>>)[key]
  }
  return true
}

function assertProblem({ headers, json, status, text }: Answer, body: Body, what: string): void {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${text.slice(0, 300)}`)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, what)
  assert.equal(json['status'], status, what)
  if (status === 422) assertPlaces(json, body, what)
}

function assertPlaces(problem: object, body: Body, what: string): void {
  const errors = (Reflect.get(problem, 'errors') ?? []) as { detail: string; pointer: string }[]
  assert.ok(errors.length > 0, `${what}: no place is named: ${JSON.stringify(problem)}`)
  for (const { detail, pointer } of errors) {
    assert.match(pointer, /^#(?:\/|$)/, what)
    assert.ok(leads(pointer, body), `${what}: ${pointer} leads nowhere`)
    assert.ok(detail.length > 5 && detail.length < 1000, `${what}: ${detail}`)
  }
}

/** A body may be as long as half a megabyte: then its line stands in a file. */
function keep(operation: string, body: Body): string {
  const line = JSON.stringify({ body, operation })
  const list = 'to FOUND in test/security/found-bodies.ts.'
  if (line.length <= 4000) return `Keep it as a fixed case: add ${line} ${list}`
  const file = join(mkdtempSync(join(tmpdir(), 'notif-found-')), 'body.json')
  writeFileSync(file, line)
  return `Keep it as a fixed case: add what stands in ${file} ${list}`
}

/** Makes every error of `work` a finding that no second run forgives. */
async function asFinding<T>(operation: string, body: Body, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Counterexample(error instanceof Error ? error.message : String(error), {
      cause: error,
      keep: keep(operation, body),
      seed: SEED
    })
  }
}

const SEND = 'POST /:clientId/sender'
/** A send to a list of users, each of whom is taken or refused alone. */
const anyList = z.looseObject({ to: z.array(z.unknown()) })

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

async function each(bodies: readonly Body[], ask: (body: Body, index: number) => Promise<void>) {
  let taken = 0
  const worker = async (): Promise<void> => {
    while (taken < bodies.length) {
      const index = taken++
      await ask(bodies[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: ABREAST }, worker))
}

/** What is done to an environment comes last: its limits would refuse the others. */
const rank = (name: string): number => (name.includes('/environments/') ? 1 : 0)
const operations = Object.keys(GOOD)
  .filter(name => !name.startsWith('POST /demo/'))
  .toSorted((a, b) => rank(a) - rank(b))

function operation(name: string, next: Random): Operation {
  const route = app.routes.find(one => nameOf(one) === name)
  const schema = route?.doc?.body
  assert.ok(schema, `${name} has no schema`)
  const rule = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Rule
  const { headers, mayBeEmpty = false, path } = GOOD[name]!
  const ask = (body: Body, key: string) =>
    app.ask(path, { body, headers: { ...headers, 'idempotency-key': key }, method: route!.method })
  const taken = name === SEND ? z.union([schema, anyList]) : schema
  return { ask, made: grammar(rule, next), mayBeEmpty, schema: taken }
}

describe('what does not fit the schema is refused, the place named, no row written', () => {
  for (const name of operations) {
    test(name, { timeout: 300_000 }, async () => {
      const next = random()
      const tried = operation(name, next)
      const { ask } = tried
      const bodies = Array.from({ length: BODIES }, () => wrongBody(tried, next))
      const wrong = bodies.filter(body => body !== undefined)
      assert.ok(wrong.length > BODIES / 2, `${name}: only ${wrong.length} wrong ones, seed ${SEED}`)
      const earlier = await contents(app)
      await each(wrong, async (body, i) => {
        const answer = await ask(body, `${name} wrong ${i}`)
        await asFinding(name, body, async () =>
          assertProblem(answer, body, `${name}: ${body.slice(0, 2000)}`)
        )
      })
      assert.deepEqual(await contents(app), earlier, `${name} left something behind, seed ${SEED}`)
    })
  }
})

test(
  'each user of a list is taken, or refused with the place of each error',
  { timeout: 300_000 },
  async t => {
    const next = random()
    const { ask, made } = operation(SEND, next)
    const lists: Body[] = []
    for (let tries = 0; lists.length < BODIES / 4 && tries < 100 * BODIES; tries += 1) {
      const whole = made.spoiled()
      if (anyList.safeParse(whole).success) lists.push(JSON.stringify(whole))
    }
    assert.ok(lists.length > 0, `no lists, seed ${SEED}`)
    let refused = 0
    await each(lists, async (body, i) => {
      const answer = await ask(body, `list ${i}`)
      await asFinding(SEND, body, async () => {
        if (answer.status !== 202) return assertProblem(answer, body, body.slice(0, 2000))
        const results = answer.json['results'] as { error?: { status: number }; trackingId?: string }[]
        assert.equal(results.length, (JSON.parse(body) as { to: unknown[] }).to.length)
        for (const { error, trackingId } of results) {
          assert.ok((error === undefined) !== (trackingId === undefined), 'an id or an error')
          if (error?.status === 422) assertPlaces(error, body, body.slice(0, 2000))
          if (error) refused += 1
        }
      })
    })
    t.diagnostic(`${lists.length} lists, ${refused} users refused`)
  }
)

describe('what fits is taken, or refused for a reason', () => {
  for (const name of operations) {
    test(name, { timeout: 300_000 }, async t => {
      const next = random()
      const { ask, made } = operation(name, next)
      const bodies = Array.from({ length: BODIES }, () => JSON.stringify(made.right()))
      let took = 0
      await each(bodies, async (body, i) => {
        const answer = await ask(body, `${name} right ${i}`)
        if (answer.status >= 200 && answer.status < 300) took += 1
        else
          await asFinding(name, body, async () =>
            assertProblem(answer, body, `${name}: ${body.slice(0, 2000)}`)
          )
      })
      t.diagnostic(`${took} of ${bodies.length} taken`)
    })
  }
})

describe('a body that was found once is answered as its schema says', () => {
  for (const [index, { body, operation: name }] of FOUND.entries()) {
    test(`${name}: ${body.slice(0, 200)}`, async () => {
      const { ask, mayBeEmpty, schema } = operation(name, random())
      const earlier = await contents(app)
      const answer = await ask(body, `${name} found ${index}`)
      if (answer.status >= 200 && answer.status < 300) {
        assert.ok(fits(body, schema, mayBeEmpty), `${answer.status} for a body that does not fit`)
      } else {
        assertProblem(answer, body, name)
        assert.deepEqual(await contents(app), earlier, 'a refused body left something behind')
      }
    })
  }
})
