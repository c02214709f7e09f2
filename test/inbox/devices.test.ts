// Many devices of one user with clocks that are wrong by days: the server decides for each mark, whatever order their writes arrive in,
// and in the end all devices show the same.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'

import { MARKS, type InboxChange, type InboxPage, type Notif } from '#protocol'

import { asBackEnd, asUser, CLIENT, startApp, type TestApp } from '../security/app.ts'
import { testSeeds } from '../support/generated.ts'
import { random } from '../support/random.ts'

const DEVICES = 12
const WRITES = 60
const ITEMS = 6
/** Of a clock, ahead or behind. */
const MAX_WRONG_DAYS = 10
const DAY_MS = 86_400_000

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const inbox = (userId: string, rest = '') => `/${CLIENT}/users/${userId}/inbox${rest}`

async function get<T>(userId: string, rest: string): Promise<T> {
  const { json, status, text } = await app.ask(inbox(userId, rest), { headers: asUser(userId) })
  assert.equal(status, 200, text)
  return json as T
}

async function patch(userId: string, body: object): Promise<void> {
  const { status, text } = await app.ask(inbox(userId), {
    body: JSON.stringify(body),
    headers: asUser(userId),
    method: 'PATCH'
  })
  assert.equal(status, 200, text)
}

async function fill(userId: string): Promise<readonly string[]> {
  for (let i = 0; i < ITEMS; i += 1) {
    const body = JSON.stringify({ inapp: { title: `number ${i}` }, to: { id: userId }, type: 'news' })
    const { status, text } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
    assert.equal(status, 200, text)
  }
  const { items } = await get<InboxPage>(userId, '')
  return items.toReversed().map(({ id }) => id)
}

const marksOf = (items: Iterable<Notif>): readonly string[] =>
  [...items].map(item => `${item.title}: ${MARKS.filter(mark => item[mark]).join(' ')}`).toSorted()

/** What one device shows: it applies the changes since its last look. */
class Device {
  readonly #userId: string
  #items = new Map<string, Notif>()
  #version = 0

  constructor(userId: string) {
    this.#userId = userId
  }

  async look(): Promise<void> {
    const news = await get<InboxChange | InboxPage>(this.#userId, `/changes?since=${this.#version}`)
    if (!('removed' in news)) this.#items = new Map()
    for (const item of news.items) this.#items.set(item.id, item)
    if ('removed' in news) for (const id of news.removed) this.#items.delete(id)
    this.#version = news.version
  }

  get shown(): readonly string[] {
    return marksOf(this.#items.values())
  }
}

interface Write {
  /** By the clock of its device. */
  readonly at: number
  readonly isAhead: boolean
  readonly toBody: (ids: readonly string[]) => object
}

testSeeds(5, 'orders of writes of many devices', async seed => {
  const pick = random(seed)
  const now = Date.now()
  const clocks = Array.from(
    { length: DEVICES },
    () => (pick(2 * MAX_WRONG_DAYS + 1) - MAX_WRONG_DAYS) * DAY_MS
  )
  const writes = Array.from({ length: WRITES }, (_, i): Write => {
    const wrongMs = clocks[pick(DEVICES)]!
    // Acted on during two hours of the past; all times differ.
    const at = now - 7_200_000 + i * 60_000 + wrongMs + i
    const mark = MARKS[pick(MARKS.length)]!
    const isAll = pick(15) === 0
    const value = pick(3) === 0 ? null : new Date(at).toISOString()
    const first = pick(ITEMS)
    const chosen = Array.from({ length: ITEMS }, (_unused, item) => item).filter(
      item => item === first || pick(3) === 0
    )
    return {
      at,
      // The server takes the time of arrival for one that is to come.
      isAhead: at > now,
      toBody: ids => ({
        at: new Date(at).toISOString(),
        [isAll ? (['opened', 'archived'] as const)[i % 2]! : mark]: isAll
          ? new Date(at).toISOString()
          : value,
        trackingIds: isAll ? 'ALL' : chosen.map(item => ids[item]!)
      })
    }
  })

  const arrived = writes
    .map(write => ({ place: pick(1_000_000), write }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ write }) => write)
  const user = `arrived-${seed}`
  const ids = await fill(user)
  const devices = Array.from({ length: DEVICES }, () => new Device(user))
  for (const write of arrived) {
    await patch(user, write.toBody(ids))
    if (pick(4) === 0) await devices[pick(DEVICES)]!.look()
  }

  // The same writes in the order that the server has to find: times that are to come count when they arrive.
  const reference = `ordered-${seed}`
  const own = await fill(reference)
  const past = arrived.filter(({ isAhead }) => !isAhead).toSorted((a, b) => a.at - b.at)
  for (const write of [...past, ...arrived.filter(({ isAhead }) => isAhead)])
    await patch(reference, write.toBody(own))

  const [fresh, expected] = await Promise.all([get<InboxPage>(user, ''), get<InboxPage>(reference, '')])
  const input = `seed ${seed}, clocks ahead by days: ${clocks.map(ms => ms / DAY_MS).join()}`
  assert.deepEqual(marksOf(fresh.items), marksOf(expected.items), input)
  assert.deepEqual(fresh.counts, expected.counts, input)
  for (const device of devices) {
    await device.look()
    assert.deepEqual(device.shown, marksOf(fresh.items), input)
  }
})
