// A broadcast to 100,000 users of the inbox, beside the same rows written by bare statements, beside sends one by one, and how long a single
// send of another environment takes meanwhile.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { bucketOf } from '../../server/core/id.ts'
import type { Sql } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { warmUp } from './accept.ts'
import { output } from './child.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { median, repeatUnsteady, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, type Server } from './server.ts'

const USERS = 100_000
/** As many as a chunk of a broadcast has. */
const CHUNK = 200
export const OTHER = { id: 'other', secret: 'other-secret-0123456789abcdef' }
const BARE = 'bare'
const INAPP = {
  body: 'Could the ferry line move a little north?',
  title: 'Storm on Thursday: no boats after 16:00',
  url: '/news/7'
}

export async function fillUsers(sql: Sql, envId: string, count = USERS): Promise<void> {
  for (let first = 0; first < count; first += 10_000) {
    const ids = Array.from({ length: Math.min(10_000, count - first) }, (_, i) => `user${first + i}`)
    await sql`
      insert into users (bucket, env_id, id, email)
      select b, ${envId}, id, id || '@bench.example'
      from unnest(${ids.map(id => bucketOf(envId, id))}::smallint[], ${ids}::text[]) u(b, id)`
  }
}

/** The rows of a broadcast by one statement for each chunk, each with its own commit. @returns users in a second */
async function writeBare(sql: Sql): Promise<number> {
  const content = JSON.stringify(INAPP)
  const startedAt = performance.now()
  let place: { bucket: number; id: string } | undefined = { bucket: -1, id: '' }
  while (place) {
    const [last]: { bucket: number; id: string }[] = await sql<{ bucket: number; id: string }[]>`
      with chunk as materialized (
        select bucket, id, uuidv7() as send_id from users
        where env_id = ${BARE} and bucket between ${Math.max(0, place.bucket)} and ${place.bucket + 4}
          and (bucket > ${place.bucket} or id > ${place.id})
        order by bucket, id limit ${CHUNK}),
      heads as (
        insert into inbox_counters (bucket, env_id, user_id, version, unopened, unarchived, unseen)
        select bucket, ${BARE}, id, 1795000000000, 1, 1, 1 from chunk order by bucket, id),
      items as (
        insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, broadcast_id)
        select bucket, ${BARE}, id, 1795000000000, send_id, 'news', ${content}::text::jsonb,
          '01937f6e-0000-7000-8000-000000000000' from chunk),
      remembered as (
        insert into received (bucket, env_id, user_id, key, notification_id)
        select bucket, ${BARE}, id, '\\x00', 'news' from chunk)
      select bucket, id from chunk order by bucket desc, id desc limit 1`
    place = last ?? (place.bucket < 1023 ? { bucket: place.bucket + 4, id: '\u{10ffff}' } : undefined)
  }
  return (USERS * 1000) / (performance.now() - startedAt)
}

const call = async (server: Server, path: string, body?: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${server.base}/${CLIENT}${path}`, {
    headers: { authorization: BACK_END, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body), method: 'POST' })
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Record<string, unknown>
}

/** @returns users in a second, by the times of the server */
export async function broadcast(server: Server, count = USERS): Promise<number> {
  const { broadcastId } = await call(server, '/broadcasts', {
    inapp: INAPP,
    to: { everyone: true },
    type: 'news'
  })
  for (;;) {
    const { endedAt, error, sent, startedAt } = await call(server, `/broadcasts/${String(broadcastId)}`)
    if (error !== undefined) throw new Error(String(error))
    if (endedAt === undefined) {
      await pause(100)
      continue
    }
    if (sent !== count) throw new Error(`${String(sent)} of ${count} users got it.`)
    return (count * 1000) / (Date.parse(String(endedAt)) - Date.parse(String(startedAt)))
  }
}

export async function load({ port }: Server, options: Partial<LoadOptions>): Promise<LoadResult> {
  const whole: LoadOptions = {
    authorization: BACK_END,
    connections: 1,
    email: false,
    path: `/${CLIENT}/sender`,
    port,
    seconds: 2,
    users: USERS,
    ...options
  }
  const text = await output(process.execPath, [join(import.meta.dirname, 'load.ts'), JSON.stringify(whole)])
  return JSON.parse(text) as LoadResult
}

export const single = {
  authorization: `Basic ${btoa(`${OTHER.id}:${OTHER.secret}`)}`,
  path: `/${OTHER.id}/sender`
}

interface Round {
  readonly bare: number
  readonly ours: number
  readonly loop: number
  readonly quietP99: number
  readonly besideP99: number
  readonly walMb: number
}

async function runRound({ seconds, say }: Say): Promise<Round> {
  await using database = await testDb()
  const { control: sql } = database.db
  await ensureEnvironment(database.db, TEST_ENCRYPTION, { ...OTHER, origins: [], secureMode: undefined })
  await sql`insert into environments (id, secret) values (${BARE}, '')`
  await fillUsers(sql, BARE)
  await using server = await serve(database.url)
  await fillUsers(sql, CLIENT)
  await sql.unsafe('vacuum analyze users')
  await warmUp(server, say)
  const loop = (await load(server, { connections: 32, seconds })).perSecond
  const quietP99 = (await load(server, { ...single, seconds })).p99
  await sql`checkpoint`
  const bare = await writeBare(sql)
  await sql`checkpoint`
  const wal = async (): Promise<number> => {
    const [row] = await sql<
      { bytes: number }[]
    >`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`
    return row!.bytes
  }
  const before = await wal()
  const ours = await broadcast(server)
  const walMb = ((await wal()) - before) / 1024 ** 2
  const [again, beside] = await Promise.all([broadcast(server), load(server, { ...single, seconds })])
  say(
    `broadcast ${Math.round(ours)} users/s (beside a load ${Math.round(again)}), bare ${Math.round(bare)}, one by one ${Math.round(loop)}; ` +
      `p99 of a single send ${quietP99.toFixed(1)} ms, beside it ${beside.p99.toFixed(1)} ms`
  )
  return { bare, besideP99: beside.p99, loop, ours, quietP99, walMb }
}

export async function broadcasts(how: Say): Promise<Measurement[]> {
  const { result: rounds, spread } = await repeatUnsteady(
    async () => {
      const all: Round[] = []
      for (let round = 0; round < how.rounds; round += 1) all.push(await runRound(how))
      return all
    },
    all => all.map(({ bare }) => bare),
    how.say
  )
  const of = (read: (round: Round) => number): number => median(rounds.map(read))
  const shared = { ...(spread !== undefined && { spread }) }
  return [
    {
      ...shared,
      better: 'above',
      ceiling: { name: `bare statements of ${CHUNK} users`, value: of(({ bare }) => bare) },
      facts: { walMb: of(({ walMb }) => walMb) },
      floor: 0.4,
      goal: 0.6,
      name: `broadcast to ${USERS} users of the inbox`,
      ours: of(({ ours }) => ours),
      ratio: of(({ bare, ours }) => ours / bare),
      unit: 'users/s'
    },
    {
      ...shared,
      better: 'above',
      ceiling: { name: 'one by one, 32 connections', value: of(({ loop }) => loop) },
      floor: 3,
      goal: 5,
      name: 'broadcast beside single sends',
      ours: of(({ ours }) => ours),
      ratio: of(({ loop, ours }) => ours / loop),
      unit: 'users/s'
    },
    {
      ...shared,
      better: 'below',
      ceiling: { name: 'without it', value: of(({ quietP99 }) => quietP99) },
      floor: 4,
      goal: 2,
      name: 'p99 of a single send of another environment beside a broadcast',
      ours: of(({ besideP99 }) => besideP99),
      ratio: of(({ besideP99, quietP99 }) => besideP99 / quietP99),
      unit: 'ms'
    }
  ]
}
