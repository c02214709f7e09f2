// npm run chaos [seconds]: two nodes, a database and providers under every fault at once, for ten minutes.
//
// Nodes are killed and frozen past their leases, the database is killed, its lines go dead, providers refuse, break,
// fall silent and lose their answers. At the end everything that was accepted must have been delivered.

import assert from 'node:assert/strict'

import { startEmbedded } from '../../server/db/embedded.ts'
import { openDb } from '../../server/db/sql.ts'
import { OWN_KEYS } from '../process/call.ts'
import { startServer, temporaryDir, until } from '../support/process.ts'
import { random } from '../support/random.ts'
import { openBalancer } from './balancer.ts'
import { startCallers } from './callers.ts'
import { balance } from './conservation.ts'
import { MOODS, openProviders } from './providers.ts'
import { openRoad } from './road.ts'

const CALLERS = 6
const USERS = 40
/** Of a row in the outbox. */
const TRIES = 8
/** Milliseconds between a provider's yes and its row in the log, at the most. */
const WORK = 5_000

const bodyOf = (key: string, user: number): string =>
  JSON.stringify({
    email: { html: `<p>${key}</p>`, subject: key },
    forceChannels: ['EMAIL', 'INAPP_WEB', 'SMS'],
    inapp: { title: key },
    sms: { message: key },
    to: { email: `user${user}@example.com`, id: `user${user}`, number: `+1202555${1000 + user}` },
    type: 'chaos'
  })

export interface Chaos {
  readonly faults: Readonly<Record<string, number>>
  /** Messages that met each mood of the providers. */
  readonly met: Readonly<Record<string, number>>
  readonly sends: number
  readonly repeats: number
  /** Messages that a provider took more than once; each of them through a fault. */
  readonly doubles: number
}

/**
 * @param seconds - of storm; the calm after it takes as long as it needs
 * @throws AssertionError with the seed and what is lost, doubled without a reason, or out of balance
 */
export async function chaos(seconds: number, say: (line: string) => void): Promise<Chaos> {
  const next = random()
  say(`seed ${next.seed}`)
  const embedded = await startEmbedded({
    connections: 100,
    dataDir: temporaryDir(),
    say: () => {},
    tcp: true
  })
  await using road = await openRoad(embedded.url)
  await using providers = await openProviders()
  await using balancer = await openBalancer()
  const env = { ...OWN_KEYS, ...providers.env, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
  const start = async () => {
    const node = await startServer({ databaseUrl: road.url, env })
    balancer.add(node.base)
    return node
  }
  const nodes = [await start(), await start()]
  const db = openDb({ connections: 2, listenUrl: '', url: embedded.url })
  const { sql } = db.of(0)
  const callers = startCallers(() => balancer.base, { body: bodyOf, callers: CALLERS, users: USERS })
  const faults: Record<string, number> = {}
  /** When a node, the database or a line failed. */
  const hit: number[] = []

  const STORM: Readonly<Record<string, () => Promise<void>>> = {
    async 'a node is killed'() {
      const i = next(nodes.length)
      const node = nodes[i]!
      balancer.remove(node.base)
      await node.end('SIGKILL')
      nodes[i] = await start()
    },
    async 'a node is frozen past its leases'() {
      const node = nodes[next(nodes.length)]!
      node.child.kill('SIGSTOP')
      await callers.more(10)
      // Time is not waited for: the rows are moved, as if the leases had ended.
      await sql`update outbox set run_at = now() where leased`.catch(() => {})
      await callers.more(10)
      hit.push(performance.now())
      node.child.kill('SIGCONT')
    },
    async 'the database is killed'() {
      process.kill(embedded.pid, 'SIGKILL')
      await callers.more(10)
    },
    async 'lines to the database go dead'() {
      road.strand()
      await callers.more(10)
    },
    ...Object.fromEntries(
      MOODS.map(mood => [
        `providers are ${mood}`,
        async () => {
          // A lane that rests from the mood before may miss this one: what was met is told at the end.
          const before = providers.met.get(mood) ?? 0
          providers.mood = mood
          await callers.more(10)
          await until(() => (providers.met.get(mood) ?? 0) > before, mood, 5_000).catch(() => {})
        }
      ])
    )
  }

  try {
    const end = performance.now() + seconds * 1000
    let bag: string[] = []
    // Each fault once before any comes again, so that a short storm has all of them.
    while (performance.now() < end || bag.length > 0) {
      if (bag.length === 0) bag = Object.keys(STORM)
      const [name] = bag.splice(next(bag.length), 1)
      faults[name!] = (faults[name!] ?? 0) + 1
      // A provider's mood says itself which of its answers nobody heard.
      const begins = performance.now()
      await STORM[name!]!()
      if (!name!.startsWith('providers')) hit.push(begins, performance.now())
      await callers.more(10)
    }
    await callers.finish()
    providers.mood = 'fine'
    say(`calm after ${callers.accepted.size} sends: ${JSON.stringify(faults)}`)
    for (const node of nodes) {
      hit.push(performance.now())
      await node.end('SIGKILL')
      balancer.remove(node.base)
    }
    const left = async (): Promise<number> => {
      await sql`update outbox set run_at = now() where not leased and run_at > now()`
      const [row] = await sql<{ count: number }[]>`select count(*)::int as count from outbox`
      return row!.count
    }
    await until(
      () =>
        sql`update outbox set leased = false, run_at = now()`.then(
          () => true,
          () => false
        ),
      'the database is back'
    )
    // A pause gives its try back, so of all claims of a row at least the paused ones are not paid for.
    const dear = await sql<{ id: string }[]>`
      select o.id from outbox o
      where o.token - (${TRIES}::int - o.tries_left) < (
        select count(*) from attempts a where a.bucket = o.bucket and a.delivery_id = o.id and a.outcome = 'pause')`
    assert.deepEqual([...dear], [], `seed ${next.seed}: a pause cost a try`)
    hit.push(performance.now())
    nodes[0] = await start()
    await until(async () => (await left()) === 0, 'everything is delivered', 120_000)

    assert.deepEqual(callers.surprises, [], `seed ${next.seed}`)
    assert.deepEqual(callers.split, [], `seed ${next.seed}`)
    const { doubled, drifted, lost, sends } = await balance(sql)
    assert.deepEqual({ doubled, drifted, lost }, { doubled: [], drifted: [], lost: [] }, `seed ${next.seed}`)
    assert.equal(sends, callers.accepted.size, `seed ${next.seed}`)
    const dead = await sql`select lane, code, detail from dead_letters`
    assert.deepEqual([...dead], [], `seed ${next.seed}: no fault of a minute may use up all tries`)
    const missing: string[] = []
    const groundless: string[] = []
    let doubles = 0
    for (const key of callers.accepted.keys()) {
      for (const channel of ['EMAIL', 'SMS']) {
        const name = `${channel} ${key}`
        const taken = providers.taken.get(name) ?? []
        if (taken.length === 0) missing.push(name)
        for (const [i, again] of taken.slice(1).entries()) {
          doubles += 1
          const first = taken[i]!
          const excused = !first.said || hit.some(at => at > first.at - WORK && at < again.at)
          if (!excused) groundless.push(name)
        }
      }
    }
    assert.deepEqual(missing, [], `seed ${next.seed}: accepted, not dead, and never delivered`)
    assert.deepEqual(groundless, [], `seed ${next.seed}: delivered twice without a fault`)
    return { doubles, faults, met: Object.fromEntries(providers.met), repeats: callers.repeats(), sends }
  } finally {
    for (const node of nodes) {
      node.child.kill('SIGCONT')
      await node[Symbol.asyncDispose]()
    }
    await db.close()
    await embedded.stop()
  }
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 600)
  console.log(JSON.stringify(await chaos(seconds, line => console.error(line))))
}
